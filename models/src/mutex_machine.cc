#include "mutex_machine.h"

#include <algorithm>

namespace porpentine::detail {

Label MutexMachine::add(const MutexOperation& operation) {
  const bool owners_count = settings_.owned || settings_.reentrant;
  const What what{operation.acquires, operation.indeterminate, operation.token.has_value(),
                  owners_count ? operation.process + 1 : 1, operation.token.value_or(WideInteger{})};
  const IdTable::Found found = labels_.find_or_add(what);
  if (found.added) traits_.push_back(traits(what));
  if (what.has_token) beyond_tokens_ = std::max(beyond_tokens_, what.token.next());
  return found.id;
}

LabelTraits MutexMachine::traits(const What& what) {
  LabelTraits traits;
  traits.bounded = what.has_token;
  if (has_tokens()) {
    State held;
    held.holder = what.holder;
    held.depth = 1;
    traits.needs = what.acquires ? 0 : states_.add(held);
    traits.makes = what.acquires ? states_.add(held) : 0;
  }
  return traits;
}

StateId MutexMachine::step(StateId state, Label label) {
  State next = states_[state];
  const What& what = labels_[label];
  const bool accepted = what.acquires ? acquire(next, what) : release(next, what);
  return accepted ? states_.add(next) : kRefused;
}

bool MutexMachine::acquire(State& state, const What& what) const {
  if (state.holder != 0) return settings_.reentrant && state.holder == what.holder && acquire_again(state, what);
  if (what.has_token && state.fenced && what.token <= state.least_token) return false;
  state.holder = what.holder;
  state.depth = 1;
  state.token_known = settings_.reentrant && what.has_token;
  if (what.has_token) {
    state.fenced = true;
    state.least_token = what.token;
  } else if (state.fenced) {
    // Numbers beyond all tokens refuse all of them alike.
    state.least_token = std::min(state.least_token.next(), beyond_tokens_);
  }
  return true;
}

/// Who acquires again is shown the token of the first time.
bool MutexMachine::acquire_again(State& state, const What& what) const {
  ++state.depth;
  if (!what.has_token) return true;
  if (state.token_known) return what.token == state.least_token;
  if (state.fenced && what.token < state.least_token) return false;
  state.fenced = true;
  state.token_known = true;
  state.least_token = what.token;
  return true;
}

bool MutexMachine::release(State& state, const What& what) {
  if (state.holder != what.holder) return false;
  if (--state.depth > 0) return true;
  state.holder = 0;
  state.token_known = false;
  return true;
}

bool MutexMachine::viable(StateId state, Label label) {
  const State& from = states_[state];
  const WideInteger& token = labels_[label].token;
  if (!from.fenced || token > from.least_token) return true;
  return settings_.reentrant && from.holder == labels_[label].holder && token == from.least_token;
}

std::size_t MutexMachine::memory() const {
  return labels_.memory() + states_.memory() + traits_.capacity() * sizeof(LabelTraits);
}

}  // namespace porpentine::detail
