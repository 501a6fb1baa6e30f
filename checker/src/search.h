// What both orders of the search share: the moment that they look at, and what may be pruned there.
//
// A configuration is (index of the next return, state, slots of running operations that are linearized, set of
// indeterminate operations used). The search is just-in-time (Lowe, "Testing for linearizability", CCPE 2017,
// section 5): operations are linearized only inside the **closure** of a return, and each sequence of them ends
// with the operation that returns.
//
// What is pruned, and why that loses no verdict:
//
// 1. Read-only operations that match are linearized at once: that changes no state and only takes constraints
//    away. A configuration with all of them taken is **normal**; all that are kept are.
// 2. An indeterminate operation is used only where the operation after it notices: it would be refused, or would
//    lead elsewhere, without it. (In an order with the fewest indeterminate operations each one is noticed,
//    or it could be left out.)
// 3. A configuration that used fewer indeterminate operations, all else equal, dominates: whatever the other can
//    do, it can.
// 4. Operations whose parts of the state have nothing to do with those of the operation that returns commute with
//    it and can wait (`touches`).
// 5. Of running operations with one label the one that returns first is taken first.
// 6. Operations that overwrite the state can be **hidden**: placed right before another one that overwrites it, so that
//    nobody notices them. That is done together with the one that hides them, in order of their returns, and only
//    where no other operation that overwrites is sure to be placed before they return: they can hide under that
//    one as well. One whose token nobody needs any more is hidden as soon as it can be.
// 7. A state from which an operation that still has to be placed can never be accepted is left (`viable`, tokens):
//    the outputs of operations that have yet to return, or even to be called, are known to us.
//
// Because of 7 a search may end earlier than at the operation that can't be placed; solve.cc finds that one.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>
#include <porpentine/models/persistent_array.h>

#include "meter.h"
#include "timeline.h"

namespace porpentine::detail {

enum class Status : std::uint8_t { undecided, valid, invalid, stopped };

/// One order of the search over one partition. It can be run in slices.
class Search {
 public:
  Search() = default;
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Goes on for about `budget` steps. `stopped`: a limit was reached, or another search has decided.
  virtual Status run(std::uint64_t budget) = 0;
  /// The furthest return that was reached: all before it were linearized in some order.
  [[nodiscard]] virtual std::uint32_t reached() const = 0;
  /// Indices of operations in the order found; after `valid`, where it was asked for.
  [[nodiscard]] virtual std::vector<std::uint32_t> linearization() const = 0;
  /// The last operation because of which a configuration was given up (7. above), a completed one, or kNone.
  [[nodiscard]] virtual std::uint32_t blamed() const = 0;
  [[nodiscard]] virtual std::uint64_t configurations() const = 0;
};

/// Whether an operation would notice any change of the state, not only that of one token.
[[nodiscard]] inline bool is_curious(const LabelTraits& traits) {
  return traits.needs == kNoToken && !traits.overwrites;
}

/// Which tokens are still needed and still to be made, and when.
class TokenIndex {
 public:
  TokenIndex() = default;
  TokenIndex(const Timeline& timeline, std::span<const LabelTraits> labels);

  struct Use {
    // Return indices plus one, so that 0 is "never".
    std::uint32_t last_need_call = 0;
    std::uint32_t last_need_return = 0;
    std::uint32_t last_make_call = 0;
    std::uint32_t last_need = kNone;  ///< the operation of last_need_return
  };
  [[nodiscard]] const Use& use(Token token) const { return token < uses_.size() ? uses_[token] : never_; }
  /// Whether no operation that returns at `index` or later notices that the token was shown.
  [[nodiscard]] bool unneeded(Token token, std::uint32_t index) const {
    return token != kNoToken && last_curious_return_ <= index && use(token).last_need_return <= index;
  }
  /// Groups of indeterminate operations that make the token.
  [[nodiscard]] std::span<const std::uint32_t> makers(Token token) const;
  [[nodiscard]] std::size_t memory() const;

 private:
  std::vector<Use> uses_;
  std::vector<std::uint32_t> makers_begin_;
  std::vector<std::uint32_t> makers_;
  Use never_;
  std::uint32_t last_curious_return_ = kNone;  // plus one, of operations that may notice any token; kNone: no last one
};

/// Sets of indeterminate operations, each held once: equal sets have equal ids. The empty set is 0.
class UsedSets {
 public:
  [[nodiscard]] bool contains(std::uint32_t set, std::uint32_t element) const {
    return (array_.get(set, element / 32) >> (element % 32) & 1U) != 0;
  }
  std::uint32_t with(std::uint32_t set, std::uint32_t element) {
    return array_.set(set, element / 32, array_.get(set, element / 32) | 1U << (element % 32));
  }
  [[nodiscard]] bool subset(std::uint32_t a, std::uint32_t b) const { return a == b || a == 0 || array_.subset(a, b); }
  /// The first element of [begin, end) that is not in the set, else `end`.
  [[nodiscard]] std::uint32_t first_missing(std::uint32_t set, std::uint32_t begin, std::uint32_t end) const {
    if (set == 0) return begin;
    while (begin < end) {
      const std::uint32_t missing = ~array_.get(set, begin / 32) >> (begin % 32);
      if (missing != 0) {
        begin += static_cast<std::uint32_t>(std::countr_zero(missing));
        return begin < end ? begin : end;
      }
      begin = (begin / 32 + 1) * 32;
    }
    return end;
  }
  [[nodiscard]] std::size_t memory() const { return array_.memory(); }

 private:
  PersistentArray array_;
};

std::unique_ptr<Search> make_breadth_first(const Timeline& timeline, Machine& machine, Meter& meter, bool record);
std::unique_ptr<Search> make_depth_first(const Timeline& timeline, Machine& machine, Meter& meter);

}  // namespace porpentine::detail
