#include "product_machine.h"

#include <algorithm>
#include <utility>

namespace porpentine::detail {

StateId ProductMachine::step(StateId state, Label label) {
  if (traits_[label].read_only) return step_uncached(state, label);
  const IdTable::Found found = steps_.find_or_add(std::uint64_t{state} << 32 | label);
  if (found.added) after_.push_back(step_uncached(state, label));
  return after_[found.id];
}

StateId ProductMachine::step_uncached(StateId state, Label label) {
  for (const Part& part : parts(label)) {
    const StateId before = states_.get(state, part.cell);
    const StateId after = cells_[part.cell]->step(before, part.label);
    if (after == kRefused) return kRefused;
    if (after != before) state = states_.set(state, part.cell, after);
  }
  return state;
}

bool ProductMachine::viable(StateId state, Label label) {
  const Part& part = parts(label).front();
  return cells_[part.cell]->viable(states_.get(state, part.cell), part.label);
}

std::size_t ProductMachine::memory() const {
  std::size_t bytes = parts_.capacity() * sizeof(Part) + begin_.capacity() * sizeof(std::size_t) +
                      traits_.capacity() * sizeof(LabelTraits) + states_.memory() + steps_.memory() +
                      after_.capacity() * sizeof(StateId);
  for (const auto& cell : cells_) bytes += sizeof(CellMachine) + cell->memory();
  return bytes;
}

void ProductBinder::add(ValueId key, const CellOperation& action) {
  if (action.kind == CellKind::nothing) return;
  const IdTable::Found cell = keys_.find_or_add(key);
  if (cell.added) by_cell_.emplace_back();
  actions_.push_back({cell.id, static_cast<std::uint32_t>(by_cell_[cell.id].size())});
  by_cell_[cell.id].push_back(action);
}

Bound ProductBinder::bind() && {
  bind_cells();
  Bound bound;
  bound.labels.reserve(operations_.size());
  for (std::size_t i = 0; i < operations_.size(); ++i) bound.labels.push_back(label(i));
  bound.machine = std::move(machine_);
  return bound;
}

void ProductBinder::bind_cells() {
  for (const std::vector<CellOperation>& operations : by_cell_) {
    BoundCell bound = bind_cell(values_, operations, initial_);
    machine_->cells_.push_back(std::move(bound.machine));
    cell_labels_.push_back(std::move(bound.labels));
  }
}

std::span<const ProductBinder::Action> ProductBinder::actions(std::size_t operation) const {
  const std::size_t begin = operations_[operation].begin;
  const std::size_t end = operation + 1 < operations_.size() ? operations_[operation + 1].begin : actions_.size();
  return std::span(actions_).subspan(begin, end - begin);
}

Label ProductBinder::label(std::size_t operation) {
  ProductMachine& machine = *machine_;
  const std::size_t begin = machine.parts_.size();
  std::uint64_t hash = 0;
  for (const Action& action : actions(operation)) {
    const Label of_cell = cell_labels_[action.cell][action.index];
    if (of_cell == kIrrelevant) continue;
    machine.parts_.push_back({action.cell, of_cell});
    hash = mix(hash, mix(action.cell, of_cell));
  }
  const std::span<const Part> parts = std::span<const Part>(machine.parts_).subspan(begin);
  const bool indeterminate = operations_[operation].indeterminate;
  const bool left_out = irrelevant(parts, indeterminate);
  const auto same = [&](Label label) {
    const auto other = machine.parts(label);
    return indeterminate_[label] == indeterminate && std::equal(other.begin(), other.end(), parts.begin(), parts.end());
  };
  const IdTable::Found found =
      left_out ? IdTable::Found{kIrrelevant, false} : labels_.find_or_add(mix(hash, indeterminate ? 1 : 2), same);
  if (!found.added) {
    machine.parts_.resize(begin);
    return found.id;
  }
  machine.traits_.push_back(traits(parts));
  machine.begin_.push_back(machine.parts_.size());
  indeterminate_.push_back(indeterminate);
  return found.id;
}

/// An operation with nothing to say can be left out; and so can an indeterminate one that only writes what nobody
/// notices, in all of its cells: in each of them what comes next and notices the state overwrites it.
bool ProductBinder::irrelevant(std::span<const Part> parts, bool indeterminate) const {
  if (parts.empty()) return true;
  return indeterminate && std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
           return machine_->cells_[part.cell]->unnoticed(part.label);
         });
}

LabelTraits ProductBinder::traits(std::span<const Part> parts) const {
  LabelTraits traits;
  traits.read_only = true;
  traits.touches = 0;
  for (const Part& part : parts) {
    const LabelTraits& of_cell = machine_->cells_[part.cell]->labels()[part.label];
    traits.read_only = traits.read_only && of_cell.read_only;
    traits.touches |= std::uint64_t{1} << (part.cell % 64);
    traits.bounded = parts.size() == 1 && of_cell.bounded;
  }
  return traits;
}

}  // namespace porpentine::detail
