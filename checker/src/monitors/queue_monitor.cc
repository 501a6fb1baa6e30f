// A FIFO queue with distinct values. O(n log n), O(n) but for sorting what is nearly sorted.
//
// In every order a value that was put in wholly before another one is taken out before it. So a history is refuted by
// two values a and b with put(a) before put(b) and take(b) before take(a), where a value that is never taken is taken
// after everything else; and by a take that found nothing while some value was surely in. Two interval orders whose
// union has a cycle have one of length two, so such pairs are all there is to find (the aspects of Henzinger, Sezgin
// and Vafeiadis, "Aspect-oriented linearizability proofs", CONCUR 2013, section 4).
//
// What nobody is known to have taken an indeterminate take may have removed (doubtful_takes.h).

#include <algorithm>
#include <utility>

#include "doubtful_takes.h"
#include "items.h"

namespace porpentine::detail {
namespace {

class QueueMonitor {
 public:
  explicit QueueMonitor(const Items& items) : items_(items), all_(items.items()), by_return_(items.by_return()) {}

  Ruling rule() {
    std::optional<Ruling> refusal = refute_order();
    if (!refusal) refusal = Coverage(items_, std::move(by_return_)).refute_empties();
    return refusal ? *std::move(refusal) : Ruling::yes();
  }

 private:
  /// Two values that were taken in the wrong order.
  std::optional<Ruling> refute_order() {
    std::uint32_t last_taken = kNobody;  // of the items put in so far
    std::uint32_t never_taken = kNobody;
    std::size_t next = 0;
    for (std::uint32_t b = 0; b < all_.size(); ++b) {
      for (; next < by_return_.size(); ++next) {
        const std::uint32_t a = by_return_[next];
        if (items_.put_return(all_[a]) >= items_.put_call(all_[b])) break;
        if (!all_[a].taken()) {
          if (never_taken == kNobody) never_taken = a;
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

  const Items& items_;
  const LargeVector<Item>& all_;
  LargeVector<std::uint32_t> by_return_;
};

}  // namespace

Ruling rule_queue(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  Items items(trace, numbers, pulse);
  if (std::optional<Ruling> ruling = items.read()) return *std::move(ruling);
  return rule_with_doubtful_takes(items, [&] { return QueueMonitor(items).rule(); });
}

}  // namespace porpentine::detail
