#include "stack_machine.h"

#include <algorithm>

namespace porpentine::detail {

StateId StackMachine::put(StateId state, std::uint32_t value) {
  Burden burden = burdens_[state];
  const ContainerBinding::Class& put = class_of(value);
  if (burden.any_must && put.loose) ++burden.loose_above;
  if (burden.loose_above > loses() || put.taken_from > burden.taken_by) return kRefused;
  burden.any_must = burden.any_must || !put.spare;
  burden.taken_by = std::min(burden.taken_by, put.taken_by);
  const IdTable::Found found = states_.find_or_add({state, value});
  if (found.added) burdens_.push_back(burden);
  return found.id;
}

std::size_t StackMachine::memory() const {
  return ContainerMachine::memory() + states_.memory() + burdens_.capacity() * sizeof(Burden);
}

}  // namespace porpentine::detail
