// What a monitor works on: the operations of one partition in order of their calls, and their times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <porpentine/history/history.h>
#include <porpentine/history/large_vector.h>
#include <porpentine/models/specification.h>
#include <porpentine/models/vocabulary.h>

namespace porpentine::detail {

// No operation is called before kBeforeAll or returns after kAfterAll. Times may have these very values: what was
// called at kBeforeAll overlaps with everything that returns at it, and the other way round.
inline constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kAfterAll = std::numeric_limits<std::int64_t>::max();

inline constexpr std::uint32_t kNobody = 0xffffffff;

struct Trace {
  const History& history;
  const Vocabulary& vocabulary;
  std::span<const BoundOperation> operations;  ///< in order of call
  // By the history's operation. `a` was before `b` exactly where ret[a] < call[b]: also within a process.
  std::span<const std::int64_t> call;
  std::span<const std::int64_t> ret;  ///< of what is not indeterminate

  [[nodiscard]] std::uint8_t word(std::uint32_t operation) const {
    return vocabulary.words[history.function[operation]];
  }
  [[nodiscard]] std::int64_t return_of(const BoundOperation& bound) const {
    return bound.indeterminate ? kAfterAll : ret[bound.operation];
  }
};

/// Makes Traces, one after the other, in memory that it keeps. The order that a process gives to its own operations
/// where their times tie is put into the times, which then are no longer the history's but ranks.
class Tracer {
 public:
  explicit Tracer(const History& history) : history_(history) {}

  /// False where the processes' own orders can't be told by times, because two of them have tied operations at one
  /// moment: then no monitor applies. Valid until the next call.
  bool prepare(std::span<const BoundOperation> operations);

  [[nodiscard]] std::span<const BoundOperation> operations() const { return operations_; }
  [[nodiscard]] std::span<const std::int64_t> call() const {
    return tied_ ? std::span<const std::int64_t>(ranks_of_calls_) : history_.call;
  }
  [[nodiscard]] std::span<const std::int64_t> ret() const {
    return tied_ ? std::span<const std::int64_t>(ranks_of_returns_) : history_.ret;
  }
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Event {
    std::int64_t time;
    std::uint32_t position;  // in operations_
    bool is_return;
  };

  template <typename Less>
  void sort(Less less);
  [[nodiscard]] bool processes_tie();
  bool rank();
  bool rank_moment(std::span<const Event> events, std::int64_t& rank);
  void set(const Event& event, std::int64_t rank);

  const History& history_;
  std::span<const BoundOperation> operations_;
  LargeVector<BoundOperation> sorted_;
  struct Last {  // what a process did last
    std::int64_t call;
    std::int64_t ret;
    std::uint32_t partition = 0;  // counted from 1: it says nothing of another one
  };
  LargeVector<Last> last_;  // by process
  std::uint32_t partition_ = 0;
  bool tied_ = false;
  LargeVector<std::int64_t> ranks_of_calls_;
  LargeVector<std::int64_t> ranks_of_returns_;
};

/// Numbers the values of one partition 0, 1, 2, ... without hashing; the memory is kept from one to the next.
class ValueNumbers {
 public:
  explicit ValueNumbers(std::size_t values) : numbers_(values, kNoNumber) {}

  static constexpr std::uint32_t kNoNumber = 0xffffffff;

  std::uint32_t add(ValueId value) {
    std::uint32_t& number = numbers_[value];
    if (number == kNoNumber) {
      number = static_cast<std::uint32_t>(values_.size());
      values_.push_back(value);
    }
    return number;
  }
  [[nodiscard]] std::uint32_t find(ValueId value) const { return numbers_[value]; }
  [[nodiscard]] ValueId operator[](std::uint32_t number) const { return values_[number]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  void clear() {
    for (const ValueId value : values_) numbers_[value] = kNoNumber;
    values_.clear();
  }
  [[nodiscard]] std::size_t memory() const {
    return numbers_.capacity() * sizeof(numbers_[0]) + values_.capacity() * sizeof(values_[0]);
  }

 private:
  LargeVector<std::uint32_t> numbers_;
  LargeVector<ValueId> values_;
};

}  // namespace porpentine::detail
