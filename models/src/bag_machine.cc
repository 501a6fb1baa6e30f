#include "bag_machine.h"

#include <optional>

namespace porpentine::detail {

StateId BagMachine::lose(StateId state) {
  const auto first = counts_.first_nonzero(state);
  if (!first || *first >= spare_classes()) return kRefused;
  const auto second = counts_.first_nonzero(state, *first + 1);
  return second && *second < spare_classes() ? kSeveral : take(state, *first);
}

std::span<const StateId> BagMachine::successors(StateId state, Label) {
  successors_.clear();
  for (auto value = counts_.first_nonzero(state); value && *value < spare_classes();
       value = counts_.first_nonzero(state, *value + 1)) {
    successors_.push_back(take(state, *value));
  }
  return successors_;
}

std::size_t BagMachine::memory() const {
  return ContainerMachine::memory() + counts_.memory() + successors_.capacity() * sizeof(StateId);
}

}  // namespace porpentine::detail
