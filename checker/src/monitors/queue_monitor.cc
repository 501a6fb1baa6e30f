// A FIFO queue with distinct values. O(n log n), O(n) but for sorting what is nearly sorted.
//
// In every order a value that was put in wholly before another one is taken out before it. So a history is refuted by
// two values a and b with put(a) before put(b) and take(b) before take(a), where a value that is never taken is taken
// after everything else; and by a take that found nothing while some value was surely in. Two interval orders whose
// union has a cycle have one of length two, so such pairs are all there is to find (the aspects of Henzinger, Sezgin
// and Vafeiadis, "Aspect-oriented linearizability proofs", CONCUR 2013, section 4).
//
// Indeterminate takes: each value that is never taken but was put in wholly before one that is has a deadline, the
// earliest return of a take of such a later value; each needs an indeterminate take called before it. Both sorted, the
// k-th call must be before the k-th deadline. An indeterminate take may also be what emptied the queue for a take that
// found nothing: only where that could be needed there is no answer.

#include <algorithm>
#include <utility>

#include "items.h"

namespace porpentine::detail {
namespace {

class QueueMonitor {
 public:
  explicit QueueMonitor(const Items& items) : items_(items), all_(items.items()), by_return_(items.by_return()) {}

  Ruling rule() {
    const bool takes_in_doubt = !items_.doubtful_takes().empty();
    std::optional<Ruling> refusal = refute_order(takes_in_doubt);
    if (!refusal && takes_in_doubt) refusal = refute_doubtful_takes();
    if (!refusal) refusal = Coverage(items_, std::move(by_return_)).refute_empties();
    return refusal ? *std::move(refusal) : Ruling::yes();
  }

 private:
  /// Two values that were taken in the wrong order. Values that were never taken count where no take is in doubt.
  std::optional<Ruling> refute_order(bool others_taken) {
    std::uint32_t last_taken = kNobody;  // of the items put in so far
    std::uint32_t never_taken = kNobody;
    std::size_t next = 0;
    for (std::uint32_t b = 0; b < all_.size(); ++b) {
      for (; next < by_return_.size(); ++next) {
        const std::uint32_t a = by_return_[next];
        if (items_.put_return(all_[a]) >= items_.put_call(all_[b])) break;
        if (!all_[a].taken()) {
          if (!others_taken && never_taken == kNobody) never_taken = a;
        } else if (last_taken == kNobody || items_.take_call(all_[a]) > items_.take_call(all_[last_taken])) {
          last_taken = a;
        }
      }
      if (!all_[b].taken()) continue;
      if (never_taken != kNobody) return wrong_order(never_taken, b);
      if (last_taken != kNobody && items_.take_call(all_[last_taken]) > items_.take_return(all_[b])) {
        return wrong_order(last_taken, b);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Ruling wrong_order(std::uint32_t first, std::uint32_t second) const {
    const Item& a = all_[first];
    const Item& b = all_[second];
    std::string why = items_.described(a.put) + " had returned before " + items_.described(b.put) + " was called, so " +
                      items_.shown(a) + " comes first, ";
    why += a.taken()
               ? "but " + items_.described(a.take) + " was called after " + items_.described(b.take) + " had returned"
               : "but nobody took it";
    return Ruling::no(items_.core_with({b.put, b.take}, a), std::move(why), b.take);
  }

  std::optional<Ruling> refute_doubtful_takes() {
    struct Deadline {
      std::uint32_t untaken;  // items
      std::uint32_t later;
    };
    LargeVector<Deadline> deadlines;
    std::uint32_t earliest = kNobody;  // of the items put in after the present one, the one whose take returned first
    const auto taken_at = [&](std::uint32_t item) { return items_.take_return(all_[item]); };
    std::size_t b = all_.size();
    for (std::size_t k = by_return_.size(); k-- > 0;) {
      const std::uint32_t a = by_return_[k];
      for (; b > 0 && items_.put_call(all_[b - 1]) > items_.put_return(all_[a]); --b) {
        const auto later = static_cast<std::uint32_t>(b - 1);
        if (!all_[later].taken()) continue;
        if (earliest == kNobody || taken_at(later) < taken_at(earliest)) earliest = later;
      }
      if (!all_[a].taken() && earliest != kNobody) deadlines.push_back({a, earliest});
    }
    std::sort(deadlines.begin(), deadlines.end(),
              [&](const Deadline& one, const Deadline& other) { return taken_at(one.later) < taken_at(other.later); });
    const LargeVector<std::int64_t>& calls = items_.doubtful_takes();
    for (std::size_t k = 0; k < deadlines.size(); ++k) {
      if (k < calls.size() && calls[k] <= taken_at(deadlines[k].later)) continue;
      if (k == 0) return wrong_order(deadlines[k].untaken, deadlines[k].later);
      const std::uint32_t take = all_[deadlines[k].later].take;
      std::string why = std::to_string(k + 1) + " values, " + items_.shown(all_[deadlines[k].untaken]) +
                        " among them, come before what " + items_.described(take) + " took, nobody is known to have " +
                        "taken them, and no more than " + std::to_string(k) +
                        " dequeues with an unknown result were called in time";
      return Ruling::no({}, std::move(why), take);
    }
    return std::nullopt;
  }

  const Items& items_;
  const LargeVector<Item>& all_;
  LargeVector<std::uint32_t> by_return_;
};

}  // namespace

Ruling rule_queue(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  Items items(trace, numbers, pulse);
  if (std::optional<Ruling> ruling = items.read()) return *std::move(ruling);
  return QueueMonitor(items).rule();
}

}  // namespace porpentine::detail
