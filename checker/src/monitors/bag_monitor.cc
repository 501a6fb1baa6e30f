// An unordered queue. O(n log n), O(n) but for sorting what is nearly sorted.
//
// Where no take found nothing, the values have nothing to do with each other, and they may repeat: puts happen as soon
// as they can, takes as late as they can, so of each value the k-th return of a take must not come before the k-th call
// of a put. Indeterminate takes need not have happened.
//
// A take that found nothing needs a moment at which no value was surely in (items.h), which is told of distinct values
// only. There an indeterminate take may be what emptied the bag (doubtful_takes.h).

#include <algorithm>
#include <numeric>

#include <porpentine/history/nearly_sorted.h>
#include "doubtful_takes.h"
#include "items.h"

namespace porpentine::detail {
namespace {

class CountingMonitor {
 public:
  CountingMonitor(const Trace& trace, ValueNumbers& numbers, Pulse& pulse)
      : trace_(trace), numbers_(numbers), pulse_(pulse) {}

  Ruling rule() {
    for (const BoundOperation& bound : trace_.operations) {
      if (!pulse_.beat()) return Ruling::stopped();
      const std::uint32_t i = bound.operation;
      if (trace_.word(i) == static_cast<std::uint8_t>(ContainerWord::put)) {
        puts_.push_back({numbers_.add(trace_.history.input[i]), trace_.call[i], i});
      } else if (!bound.indeterminate) {
        takes_.push_back({numbers_.add(trace_.history.output[i]), trace_.ret[i], i});
      }
    }
    sort_nearly_sorted(takes_, [](const Move& a, const Move& b) { return a.time < b.time; });
    const LargeVector<Move> puts = by_value(puts_);
    std::size_t put = 0;
    std::uint32_t value = kNobody;
    for (const Move& take : by_value(takes_)) {
      if (take.value != value) {
        value = take.value;
        while (put < puts.size() && puts[put].value < value) ++put;
      }
      if (put == puts.size() || puts[put].value != value || puts[put].time > take.time) return refusal(take);
      ++put;
    }
    return Ruling::yes();
  }

 private:
  struct Move {
    std::uint32_t value;
    std::int64_t time;
    std::uint32_t operation;
  };

  /// In the order that they had, value by value.
  [[nodiscard]] LargeVector<Move> by_value(const LargeVector<Move>& moves) const {
    LargeVector<std::size_t> begin(numbers_.size() + 1, 0);
    for (const Move& move : moves) ++begin[move.value + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    LargeVector<Move> sorted(moves.size());
    for (const Move& move : moves) sorted[begin[move.value]++] = move;
    return sorted;
  }

  [[nodiscard]] Ruling refusal(const Move& refused) const {
    std::vector<std::uint32_t> core;
    for (const Move& take : takes_) {
      if (take.value == refused.value && take.time <= refused.time) core.push_back(take.operation);
    }
    const auto puts = std::count_if(puts_.begin(), puts_.end(), [&](const Move& put) {
      return put.value == refused.value && put.time <= refused.time;
    });
    const std::string value = trace_.history.values.to_json(numbers_[refused.value]);
    std::string why = puts == 0 ? "nobody had put in " + value + " by then"
                                : value + " was put in " + times(puts) + " by then, and taken " +
                                      times(static_cast<std::ptrdiff_t>(core.size()));
    return Ruling::no(std::move(core), std::move(why));
  }
  static std::string times(std::ptrdiff_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

  const Trace& trace_;
  ValueNumbers& numbers_;
  Pulse& pulse_;
  LargeVector<Move> puts_;   // by call
  LargeVector<Move> takes_;  // by return
};

}  // namespace

Ruling rule_bag(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  const bool empties = std::any_of(trace.operations.begin(), trace.operations.end(), [&](const BoundOperation& bound) {
    return !bound.indeterminate && trace.word(bound.operation) == static_cast<std::uint8_t>(ContainerWord::take) &&
           trace.history.output[bound.operation] == kNull;
  });
  if (!empties) return CountingMonitor(trace, numbers, pulse).rule();
  Items items(trace, numbers, pulse);
  if (std::optional<Ruling> ruling = items.read()) return *std::move(ruling);
  return rule_with_doubtful_takes(items, [&] {
    std::optional<Ruling> refusal = Coverage(items).refute_empties();
    return refusal ? *std::move(refusal) : Ruling::yes();
  });
}

}  // namespace porpentine::detail
