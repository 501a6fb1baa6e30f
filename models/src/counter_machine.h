// A counter: its sums are interned as they are met, for there may be endlessly many.
//
// Additions commute with one another, but not with reads. So each has a part of the state to itself, as far as 64
// parts go, and reads touch all of them.
//
// Where no operation adds a negative number the counter only rises: a sum beyond what a read saw is beyond it for good,
// and an addition with an unknown outcome of more than all that was read comes after all reads, where nobody notices
// it. Likewise where it only falls. In any case a read of more than all additions together can't be accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>

#include "dense_ids.h"
#include "wide_integer.h"

namespace porpentine::detail {

enum class CounterKind : std::uint8_t {
  nothing,  ///< accepted everywhere, changes nothing
  add,
  read,
};

struct CounterOperation {
  CounterKind kind = CounterKind::nothing;
  bool indeterminate = false;
  WideInteger number = {};
};

class CounterMachine final : public Machine {
 public:
  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return sums_.add({}); }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend class CounterBinder;

  struct What {
    bool reads = false;
    bool indeterminate = false;
    WideInteger number = {};
    bool operator==(const What&) const = default;
    friend std::uint64_t hash_of(const What& what) {
      const std::uint64_t flags = (what.reads ? 1 : 0) | (what.indeterminate ? 2 : 0);
      return mix(mix(static_cast<std::uint64_t>(what.number.high), what.number.low), flags);
    }
  };
  struct Sum {
    WideInteger number = {};
    bool operator==(const Sum&) const = default;
    friend std::uint64_t hash_of(const Sum& sum) {
      return mix(static_cast<std::uint64_t>(sum.number.high), sum.number.low);
    }
  };

  /// Whether the counter, once it is `sum`, can never be what was seen any more.
  [[nodiscard]] bool passed(const WideInteger& sum, const WideInteger& seen) const;

  DenseIds<What> labels_;
  std::vector<LabelTraits> traits_;
  DenseIds<Sum> sums_;
  bool rises_only_ = true;
  bool falls_only_ = true;
  WideInteger least_sum_ = {};  // of any additions
  WideInteger most_sum_ = {};
};

/// O(n).
Bound bind_counter(std::span<const CounterOperation> operations);

}  // namespace porpentine::detail
