// Several cells that one operation may span: an unsplit key-value store, registers under transactions.
//
// The state is a PersistentArray of the cells' states. A label is a sequence of labels of cells, which happen at once,
// in order: a read of a transaction sees its own earlier writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/persistent_array.h>

#include "cell_machine.h"
#include "dense_ids.h"

namespace porpentine::detail {

class ProductMachine final : public Machine {
 public:
  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return PersistentArray::kZeros; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend class ProductBinder;

  struct Part {
    std::uint32_t cell;
    Label label;  // of that cell
    bool operator==(const Part&) const = default;
  };

  [[nodiscard]] std::span<const Part> parts(Label label) const {
    return std::span(parts_).subspan(begin_[label], begin_[label + 1] - begin_[label]);
  }
  StateId step_uncached(StateId state, Label label);

  std::vector<std::unique_ptr<CellMachine>> cells_;
  std::vector<Part> parts_;
  std::vector<std::size_t> begin_{0};  // of each label's parts, and their end
  std::vector<LabelTraits> traits_;
  PersistentArray states_;
  DenseIds<std::uint64_t> steps_;  // state and label, of labels that write
  std::vector<StateId> after_;
};

/// Takes the operations one after the other, then binds them.
class ProductBinder {
 public:
  ProductBinder(const ValueTable& values, ValueId initial) : values_(values), initial_(initial) {}

  void begin_operation(bool indeterminate) { operations_.push_back({actions_.size(), indeterminate}); }
  /// One more thing that the operation does. What a transaction writes counts as certain, also where the
  /// transaction isn't: it happens as a whole or not at all.
  void add(ValueId key, const CellOperation& action);

  Bound bind() &&;

 private:
  using Part = ProductMachine::Part;

  struct Operation {
    std::size_t begin;  // of its actions
    bool indeterminate;
  };
  struct Action {
    std::uint32_t cell;
    std::uint32_t index;  // among the cell's
  };

  [[nodiscard]] std::span<const Action> actions(std::size_t operation) const;
  void bind_cells();
  Label label(std::size_t operation);
  [[nodiscard]] bool irrelevant(std::span<const Part> parts, bool indeterminate) const;
  [[nodiscard]] LabelTraits traits(std::span<const Part> parts) const;

  const ValueTable& values_;
  ValueId initial_;
  DenseIds<ValueId> keys_;
  std::vector<std::vector<CellOperation>> by_cell_;
  std::vector<std::vector<Label>> cell_labels_;  // by cell, by index
  std::vector<Operation> operations_;
  std::vector<Action> actions_;
  std::unique_ptr<ProductMachine> machine_ = std::make_unique<ProductMachine>();
  IdTable labels_;
  std::vector<bool> indeterminate_;  // by label
};

}  // namespace porpentine::detail
