// One cell: a register, or one key of a key-value store.
//
// A value that no operation of the binding observes (none reads it, no cas compares with it) can't be told from
// another such value: all of them are one state, OTHER. That makes writes of them one label, so that the search
// treats them as interchangeable, and most of them irrelevant: see CellBinder::useless.
//
// Where nothing appends, a state is the dense number of a value, `step` compares two integers, and states show
// themselves as tokens. Where something appends, states are TextStates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>

#include "dense_ids.h"
#include "text_states.h"

namespace porpentine::detail {

enum class CellKind : std::uint8_t {
  nothing,      ///< accepted everywhere, changes nothing
  read,         ///< showed `first`
  write,        ///< of `first`
  cas,          ///< from `first` to `second`: seen to succeed
  mismatch,     ///< a cas from `first` that was seen to fail
  cas_unknown,  ///< a cas from `first` to `second` with an unknown outcome
  append,       ///< of the text `first`
};

struct CellOperation {
  CellKind kind = CellKind::nothing;
  bool indeterminate = false;
  ValueId first = kNull;
  ValueId second = kNull;
};

/// What a label stands for, in states (of an append: the ValueId of its text).
struct CellLabel {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  CellKind kind = CellKind::nothing;
  bool indeterminate = false;
  bool operator==(const CellLabel&) const = default;
  friend std::uint64_t hash_of(const CellLabel& label) {
    return mix(std::uint64_t{label.first} << 32 | label.second,
               static_cast<std::uint64_t>(label.kind) * 2 + (label.indeterminate ? 1 : 0));
  }
};

class CellMachine final : public Machine {
 public:
  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  /// Always 0.
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] bool has_tokens() const override { return texts_ == nullptr; }
  [[nodiscard]] Token token(StateId state) const override { return state; }
  [[nodiscard]] std::size_t memory() const override;

  /// Whether the label writes something that nobody can notice, but for what it overwrites.
  [[nodiscard]] bool unnoticed(Label label) const {
    return labels_[label].kind == CellKind::write && labels_[label].first == unnoticed_;
  }

 private:
  friend class CellBinder;

  const ValueTable* values_ = nullptr;
  std::vector<CellLabel> labels_;
  std::vector<LabelTraits> traits_;
  std::unique_ptr<TextStates> texts_;  // null where nothing appends
  StateId unnoticed_ = kRefused;       // OTHER, where no mismatch can notice it
};

struct BoundCell {
  std::unique_ptr<CellMachine> machine;
  std::vector<Label> labels;
};

/// `values` must outlive the machine. O(n), and O(t log n) comparisons of texts where something appends.
BoundCell bind_cell(const ValueTable& values, std::span<const CellOperation> operations, ValueId initial);

}  // namespace porpentine::detail
