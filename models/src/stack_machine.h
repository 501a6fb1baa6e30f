// A stack. A state is the value on top and the state below it, interned: equal stacks are one state, and a step is
// one look into a table.
//
// A value is refused where nobody would get down to one that must be taken: where it would be one more loose value
// above that than operations may have taken unseen, or where it is taken only later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "container_machine.h"
#include "dense_ids.h"

namespace porpentine::detail {

class StackMachine final : public ContainerMachine {
 public:
  explicit StackMachine(ContainerBinding binding) : ContainerMachine(std::move(binding)) {
    states_.add({});
    burdens_.emplace_back();
  }

  [[nodiscard]] std::size_t memory() const override;

 private:
  struct State {
    StateId below = kRefused;  // of the empty stack: no state
    std::uint32_t top = 0;

    bool operator==(const State&) const = default;
    friend std::uint64_t hash_of(const State& state) { return mix(state.below, state.top); }
  };
  /// What lies on the lowest value that must be taken, and how soon all of it must be gone.
  struct Burden {
    bool any_must = false;
    std::uint32_t loose_above = 0;
    std::int64_t taken_by = ContainerBinding::kLatest;  // the first of the values
  };

  [[nodiscard]] bool is_empty(StateId state) const override { return state == 0; }
  StateId put(StateId state, std::uint32_t value) override;
  StateId take(StateId state, std::uint32_t value) override {
    return !is_empty(state) && states_[state].top == value ? states_[state].below : kRefused;
  }
  StateId lose(StateId state) override { return is_spare(states_[state].top) ? states_[state].below : kRefused; }

  DenseIds<State> states_;
  std::vector<Burden> burdens_;  // by state
};

}  // namespace porpentine::detail
