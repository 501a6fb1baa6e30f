// A queue. The state is an array of the values by the position at which they were put in, from `head` to `tail`; what
// lies outside is 0, so that equal queues at equal positions are one state.
//
// A value that must be taken is refused where it would stay: after more loose values than operations may have taken
// unseen, or after a value that is taken only later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <porpentine/models/persistent_array.h>

#include "container_machine.h"
#include "dense_ids.h"

namespace porpentine::detail {

class QueueMachine final : public ContainerMachine {
 public:
  explicit QueueMachine(ContainerBinding binding) : ContainerMachine(std::move(binding)) { states_.add({}); }

  [[nodiscard]] std::size_t memory() const override;

 private:
  struct State {
    PersistentArray::Root values = PersistentArray::kZeros;  // one more than the class
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    std::uint32_t loose = 0;                                // how many of the values are
    std::int64_t taken_from = ContainerBinding::kEarliest;  // the latest of all values that were ever put in

    bool operator==(const State&) const = default;
    friend std::uint64_t hash_of(const State& state) {
      return mix(std::uint64_t{state.values} << 32 | state.head, state.tail);
    }
  };

  [[nodiscard]] bool is_empty(StateId state) const override { return states_[state].head == states_[state].tail; }
  StateId put(StateId state, std::uint32_t value) override;
  StateId take(StateId state, std::uint32_t value) override {
    return !is_empty(state) && head(state) == value ? without_head(state) : kRefused;
  }
  StateId lose(StateId state) override { return is_spare(head(state)) ? without_head(state) : kRefused; }

  [[nodiscard]] std::uint32_t head(StateId state) const {
    return values_.get(states_[state].values, states_[state].head) - 1;
  }
  StateId without_head(StateId state);

  PersistentArray values_;
  DenseIds<State> states_;
};

}  // namespace porpentine::detail
