// A priority queue. The state is an array of counts by rank, so that the first that is not 0 is the least number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <porpentine/models/persistent_array.h>

#include "container_machine.h"

namespace porpentine::detail {

class PriorityQueueMachine final : public ContainerMachine {
 public:
  explicit PriorityQueueMachine(ContainerBinding binding) : ContainerMachine(std::move(binding)) {}

  [[nodiscard]] std::size_t memory() const override { return ContainerMachine::memory() + counts_.memory(); }

 private:
  [[nodiscard]] bool is_empty(StateId state) const override { return state == PersistentArray::kZeros; }
  StateId put(StateId state, std::uint32_t rank) override {
    return counts_.set(state, rank, counts_.get(state, rank) + 1);
  }
  StateId take(StateId state, std::uint32_t rank) override {
    return counts_.first_nonzero(state) == rank ? without_one(state, rank) : kRefused;
  }
  StateId lose(StateId state) override {
    const std::uint32_t least = *counts_.first_nonzero(state);
    return is_spare(least) ? without_one(state, least) : kRefused;
  }
  StateId without_one(StateId state, std::uint32_t rank) {
    return counts_.set(state, rank, counts_.get(state, rank) - 1);
  }

  PersistentArray counts_;
};

}  // namespace porpentine::detail
