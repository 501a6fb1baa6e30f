// A bag, an unordered queue. The state is an array of counts by class of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <porpentine/models/persistent_array.h>

#include "container_machine.h"

namespace porpentine::detail {

class BagMachine final : public ContainerMachine {
 public:
  explicit BagMachine(ContainerBinding binding) : ContainerMachine(std::move(binding)) {}

  [[nodiscard]] std::span<const StateId> successors(StateId state, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  [[nodiscard]] bool is_empty(StateId state) const override { return state == PersistentArray::kZeros; }
  StateId put(StateId state, std::uint32_t value) override {
    return counts_.set(state, value, counts_.get(state, value) + 1);
  }
  StateId take(StateId state, std::uint32_t value) override {
    const std::uint32_t count = counts_.get(state, value);
    return count == 0 ? kRefused : counts_.set(state, value, count - 1);
  }
  /// Any of the spare values.
  StateId lose(StateId state) override;

  PersistentArray counts_;
  std::vector<StateId> successors_;
};

}  // namespace porpentine::detail
