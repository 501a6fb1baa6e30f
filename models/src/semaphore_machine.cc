#include "semaphore_machine.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace porpentine::detail {

StateId SemaphoreMachine::step(StateId state, Label label) {
  const What& what = labels_[label];
  const std::uint64_t held = held_[state];
  const std::uint64_t most = what.acquires ? permits_ - held : held;
  if (what.count > most) return kRefused;
  return held_.add(what.acquires ? held + what.count : held - what.count);
}

bool SemaphoreMachine::viable(StateId, Label label) { return labels_[label].count <= permits_; }

LabelTraits SemaphoreMachine::traits(const What& what) {
  LabelTraits traits;
  traits.bounded = what.count > permits_;
  if (has_tokens_) {
    const StateId all_held = held_.add(permits_);
    traits.needs = what.acquires ? 0 : all_held;
    traits.makes = what.acquires ? all_held : 0;
  }
  return traits;
}

std::size_t SemaphoreMachine::memory() const {
  return labels_.memory() + held_.memory() + traits_.capacity() * sizeof(LabelTraits);
}

Bound bind_semaphore(std::uint64_t permits, std::span<const SemaphoreOperation> operations) {
  auto machine = std::make_unique<SemaphoreMachine>(permits);
  machine->has_tokens_ = std::all_of(operations.begin(), operations.end(),
                                     [&](const SemaphoreOperation& operation) { return operation.count == permits; });
  Bound bound;
  bound.labels.reserve(operations.size());
  for (const SemaphoreOperation& operation : operations) {
    const SemaphoreMachine::What what{operation.acquires, operation.indeterminate, operation.count};
    const IdTable::Found found = machine->labels_.find_or_add(what);
    if (found.added) machine->traits_.push_back(machine->traits(what));
    bound.labels.push_back(found.id);
  }
  bound.machine = std::move(machine);
  return bound;
}

}  // namespace porpentine::detail
