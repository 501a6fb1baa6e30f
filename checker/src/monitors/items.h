// What a container's history says of each value: who put it in, and who took it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "monitor.h"

namespace porpentine::detail {

/// A value that was put in once, and taken out once or never.
struct Item {
  std::uint32_t put = kNobody;  ///< operations
  std::uint32_t take = kNobody;
  bool doubtful = false;  ///< the put is indeterminate: it happened, for the value was taken, but has no return
  bool repeated = false;  ///< more puts of the value may have happened
  bool assigned = false;  ///< the take is an indeterminate one that may have taken something else, or nothing

  [[nodiscard]] bool taken() const { return take != kNobody; }
};

/// Reads the words of a container with distinct values.
class Items {
 public:
  Items(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) : trace_(trace), numbers_(numbers), pulse_(pulse) {}

  /// A ruling where there is nothing more to be said: the values repeat, or a value alone shows a violation.
  std::optional<Ruling> read();

  /// take(operation, index of its item, whether it put it in) for all puts and takes of items, in order of call.
  template <typename Take>
  void in_order(Take take) const {
    LargeVector<std::uint32_t> index(numbers_.size(), kNobody);  // into items_, by the value's number
    for (std::uint32_t k = 0; k < items_.size(); ++k) index[numbers_.find(value(items_[k]))] = k;
    std::size_t assigned = 0;
    for (const BoundOperation& bound : trace_.operations) {
      const std::uint32_t i = bound.operation;
      const bool puts = trace_.word(i) == static_cast<std::uint8_t>(ContainerWord::put);
      if (!puts && bound.indeterminate) {
        if (assigned < assigned_.size()) take(i, assigned_[assigned++], false);
        continue;
      }
      const ValueId value = puts ? trace_.history.input[i] : trace_.history.output[i];
      if (!puts && value == kNull) continue;
      const std::uint32_t item = index[numbers_.find(value)];
      if (item != kNobody && (!puts || items_[item].put == i)) take(i, item, puts);
    }
  }

  /// In order of the puts' calls. An indeterminate put of what was never taken is left out: it need not have happened.
  [[nodiscard]] const LargeVector<Item>& items() const { return items_; }
  /// Indices of items in order of the puts' returns.
  [[nodiscard]] LargeVector<std::uint32_t> by_return() const;
  /// Takes that found nothing, in order of call.
  [[nodiscard]] const LargeVector<std::uint32_t>& empties() const { return empties_; }
  /// Indices of items, the least value first.
  [[nodiscard]] std::vector<std::uint32_t> by_priority() const;
  /// Indeterminate takes, in order of call.
  [[nodiscard]] const LargeVector<std::uint32_t>& doubtful_takes() const { return doubtful_takes_; }
  /// The next of the doubtful takes has taken the item.
  void assign_next_doubtful_take(std::uint32_t item) {
    items_[item].take = doubtful_takes_[assigned_.size()];
    items_[item].assigned = true;
    assigned_.push_back(item);
  }

  /// Whether an indeterminate take may have taken something before the operation returned.
  [[nodiscard]] bool in_doubt(std::uint32_t operation) const {
    return !doubtful_takes_.empty() && trace_.call[doubtful_takes_.front()] <= trace_.ret[operation];
  }

  [[nodiscard]] std::int64_t put_call(const Item& item) const { return trace_.call[item.put]; }
  [[nodiscard]] std::int64_t put_return(const Item& item) const {
    return item.doubtful ? kAfterAll : trace_.ret[item.put];
  }
  /// Of an item that was taken.
  [[nodiscard]] std::int64_t take_call(const Item& item) const { return trace_.call[item.take]; }
  [[nodiscard]] std::int64_t take_return(const Item& item) const {
    return item.assigned ? kAfterAll : trace_.ret[item.take];
  }

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] std::string described(std::uint32_t operation) const { return trace_.history.describe(operation); }
  /// What the put put.
  [[nodiscard]] ValueId value(const Item& item) const { return trace_.history.input[item.put]; }
  [[nodiscard]] std::string shown(const Item& item) const { return trace_.history.values.to_json(value(item)); }
  /// Operations that show that the item was in from its put on until it was taken. Where it never was, none: any take
  /// with an unknown result could have been the one.
  [[nodiscard]] std::vector<std::uint32_t> core_with(std::vector<std::uint32_t> core, const Item& item) const;

 private:
  Item& item(ValueId value) {
    const std::uint32_t number = numbers_.add(value);
    if (number == items_.size()) items_.emplace_back();
    return items_[number];
  }
  void add_put(const BoundOperation& bound);
  void add_take(std::uint32_t operation);
  std::optional<Ruling> judge_values();

  const Trace& trace_;
  ValueNumbers& numbers_;
  Pulse& pulse_;
  LargeVector<Item> items_;                                           // by the value's number until all are read
  bool repeats_ = false;                                              // two puts of one value certainly happened
  LargeVector<std::pair<std::uint32_t, std::uint32_t>> taken_twice_;  // takes
  LargeVector<std::uint32_t> empties_;
  LargeVector<std::uint32_t> doubtful_takes_;
  LargeVector<std::uint32_t> assigned_;  // items, to the first of the doubtful takes
};

/// The times at which some value was surely in. O(n log n), O(n) but for sorting what is nearly sorted.
class Coverage {
 public:
  explicit Coverage(const Items& items) : Coverage(items, items.by_return()) {}
  /// `by_return` is items.by_return().
  Coverage(const Items& items, LargeVector<std::uint32_t> by_return);

  /// No where a take found nothing although at every moment some value was in; no answer where an indeterminate take
  /// may have taken that value.
  [[nodiscard]] std::optional<Ruling> refute_empties() const;

 private:
  /// From the return of a put to the call of a take, neither included.
  struct Segment {
    std::int64_t begin;
    std::int64_t end;
    bool endless;  // never taken

    [[nodiscard]] bool shorter_than(const Segment& other) const {
      return !endless && (other.endless || end < other.end);
    }
  };
  [[nodiscard]] Segment segment(const Item& item) const;
  [[nodiscard]] Ruling refusal(std::uint32_t empty) const;

  const Items& items_;
  LargeVector<std::uint32_t> by_return_;
  LargeVector<Segment> joined_;  // those of all items, apart from one another
};

/// Of the items that were added the one that was in the longest. O(log n) each. Items that an indeterminate take may
/// have taken are none of them.
class LastTaken {
 public:
  /// `by_return` is items.by_return(), and outlives this.
  LastTaken(const Items& items, const LargeVector<std::uint32_t>& by_return);

  void add(std::size_t item);
  /// One that was put in wholly before the take of `item` was called and was not taken before it returned, if there is.
  [[nodiscard]] const Item* overtaken_by(const Item& item) const;

 private:
  [[nodiscard]] std::int64_t taken_from(const Item& item) const {
    return item.taken() ? items_.take_call(item) : kAfterAll;
  }
  [[nodiscard]] const Item* later(const Item* one, const Item* other) const {
    return one == nullptr || (other != nullptr && taken_from(*one) < taken_from(*other)) ? other : one;
  }

  const Items& items_;
  const LargeVector<std::uint32_t>& by_return_;
  LargeVector<std::uint32_t> rank_;  // by item, from 1: its place in by_return
  LargeVector<const Item*> last_;    // by rank, a Fenwick tree of maxima
};

}  // namespace porpentine::detail
