// A priority queue with distinct values, the least of which is taken. O(n log n).
//
// A value can be taken at a moment at which no lesser value is in. Take the values by rising priority, each at the
// first such moment at or after the calls of its put and its take: that depends on lesser values alone, and being taken
// early is best for all greater ones, as is being put in late, right before the return of the put. So each value is
// surely in from that return until the moment at which it is taken, and covers that time for the greater ones; if no
// moment is left before the take returns, there is no order. Between two events, the takes of what was there come
// first, by rising priority, then what comes and goes in between and the takes that find nothing, then the puts of what
// stays: that is why it suffices to tell gaps between events apart. The covered gaps only grow, so the first that is
// free is found by union-find (Tarjan 1975).
//
// An indeterminate take may have removed any value in the way (doubtful_takes.h). What covered the time until the first
// of them was called is known.

#include <algorithm>
#include <numeric>

#include "doubtful_takes.h"
#include "event_ranks.h"
#include "items.h"

namespace porpentine::detail {
namespace {

/// The gaps between events that nothing covers.
class FreeGaps {
 public:
  explicit FreeGaps(std::uint32_t count) : next_(count + 1) { std::iota(next_.begin(), next_.end(), 0U); }

  /// The first free one from there on; the count of all where there is none.
  std::uint32_t first(std::uint32_t gap) {
    while (next_[gap] != gap) gap = next_[gap] = next_[next_[gap]];
    return gap;
  }
  void cover(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t gap = first(begin); gap < end; gap = first(gap)) next_[gap] = gap + 1;
  }

 private:
  LargeVector<std::uint32_t> next_;
};

class PriorityQueueMonitor {
 public:
  explicit PriorityQueueMonitor(const Items& items) : items_(items), all_(items.items()) {}

  Ruling rule() {
    rank_events();
    FreeGaps gaps(events_);
    for (const std::uint32_t k : items_.by_priority()) {
      const Item& item = all_[k];
      std::uint32_t taken = events_;
      if (item.taken()) {
        taken = gaps.first(std::max(call_[put(k)], call_[take(k)]));
        if (taken >= return_[take(k)]) return refusal(k);
      }
      taken_.emplace_back(k, taken);
      if (!item.doubtful) gaps.cover(return_[put(k)], taken);
    }
    for (std::uint32_t k = 0; k < items_.empties().size(); ++k) {
      if (gaps.first(call_[empty(k)]) >= return_[empty(k)]) {
        return Ruling::no({}, "something was in all the while", items_.empties()[k]);
      }
    }
    return Ruling::yes();
  }

 private:
  // Numbers of operations.
  static std::uint32_t put(std::uint32_t item) { return 2 * item; }
  static std::uint32_t take(std::uint32_t item) { return 2 * item + 1; }
  [[nodiscard]] std::uint32_t empty(std::uint32_t k) const { return static_cast<std::uint32_t>(2 * all_.size()) + k; }

  void rank_events() {
    EventRanks ranks;
    ranks.reserve(2 * all_.size() + items_.empties().size());
    items_.in_order([&](std::uint32_t operation, std::uint32_t item, bool puts) {
      const std::uint32_t number = puts ? put(item) : take(item);
      ranks.add_call(items_.trace().call[operation], number);
      if (!puts) {
        ranks.add_return(items_.take_return(all_[item]), number);
      } else if (!all_[item].doubtful) {
        ranks.add_return(items_.trace().ret[operation], number);
      }
    });
    for (std::uint32_t k = 0; k < items_.empties().size(); ++k) {
      ranks.add_call(items_.trace().call[items_.empties()[k]], empty(k));
      ranks.add_return(items_.trace().ret[items_.empties()[k]], empty(k));
    }
    call_.resize(empty(static_cast<std::uint32_t>(items_.empties().size())));
    return_.resize(call_.size());
    ranks.in_order([&](std::uint32_t number, bool is_return) { (is_return ? return_ : call_)[number] = events_++; });
  }

  /// Says it by two values where it can be said so.
  [[nodiscard]] Ruling refusal(std::uint32_t refused) const {
    const LargeVector<std::uint32_t> by_return = items_.by_return();
    LastTaken lesser(items_, by_return);
    const Item* first = nullptr;
    const Item* less = nullptr;
    for (const std::uint32_t k : items_.by_priority()) {
      const Item& item = all_[k];
      if (item.taken() && (first == nullptr || items_.take_return(item) < items_.take_return(*first))) {
        if (const Item* const overtaken = lesser.overtaken_by(item)) {
          first = &item;
          less = overtaken;
        }
      }
      lesser.add(k);
    }
    if (first == nullptr) return refusal_by_all(refused);
    std::string why = items_.shown(*less) + " is less than " + items_.shown(*first) + " and was in, from " +
                      items_.described(less->put) + (less->taken() ? " to " + items_.described(less->take) : " on") +
                      ", while " + items_.described(first->take) + " ran";
    return Ruling::no(items_.core_with({first->take}, *less), std::move(why), first->take);
  }

  [[nodiscard]] Ruling refusal_by_all(std::uint32_t k) const {
    const std::uint32_t begin = std::max(call_[put(k)], call_[take(k)]);
    const std::uint32_t end = return_[take(k)];
    constexpr std::size_t kMostNamed = 3;
    std::string why;
    std::size_t named = 0;
    for (const auto& [item, taken] : taken_) {
      const bool covers = !all_[item].doubtful && return_[put(item)] < end && begin < taken;
      if (!covers || named++ >= kMostNamed) continue;
      why += (why.empty() ? "" : ", ") + items_.shown(all_[item]) + " (" + items_.described(all_[item].put) + ")";
    }
    return Ruling::no({}, "something less was in all the while: " + why + (named > kMostNamed ? ", ..." : ""),
                      all_[k].take);
  }

  const Items& items_;
  const LargeVector<Item>& all_;
  std::uint32_t events_ = 0;
  // Ranks among all events, by number; the gap of that number follows the event.
  LargeVector<std::uint32_t> call_;
  LargeVector<std::uint32_t> return_;
  LargeVector<std::pair<std::uint32_t, std::uint32_t>> taken_;  // item and gap, by rising priority
};

}  // namespace

Ruling rule_priority_queue(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  Items items(trace, numbers, pulse);
  if (std::optional<Ruling> ruling = items.read()) return *std::move(ruling);
  return rule_with_doubtful_takes(items, [&] { return PriorityQueueMonitor(items).rule(); });
}

}  // namespace porpentine::detail
