#include "queue_machine.h"

#include <algorithm>

namespace porpentine::detail {

StateId QueueMachine::put(StateId state, std::uint32_t value) {
  State next = states_[state];
  const ContainerBinding::Class& put = class_of(value);
  const bool stays = next.loose > loses() || next.taken_from > put.taken_by;
  if (!put.spare && stays) return kRefused;
  if (put.loose) ++next.loose;
  next.taken_from = std::max(next.taken_from, put.taken_from);
  next.values = values_.set(next.values, next.tail, value + 1);
  ++next.tail;
  return states_.add(next);
}

StateId QueueMachine::without_head(StateId state) {
  State next = states_[state];
  if (is_loose(head(state))) --next.loose;
  next.values = values_.set(next.values, next.head, 0);
  ++next.head;
  return states_.add(next);
}

std::size_t QueueMachine::memory() const { return ContainerMachine::memory() + values_.memory() + states_.memory(); }

}  // namespace porpentine::detail
