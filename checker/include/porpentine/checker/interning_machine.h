// The part of a typed machine that is no template: what each state leads to is asked once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>

namespace porpentine::detail {

/// A machine whose transitions are computed on first use and remembered.
class InterningMachine : public Machine {
 public:
  InterningMachine();
  ~InterningMachine() override;

  [[nodiscard]] StateId step(StateId state, Label label) final;
  [[nodiscard]] std::span<const StateId> successors(StateId state, Label label) final;
  [[nodiscard]] std::size_t memory() const override;

 protected:
  /// Appends the ids of the states that `label` leads to from `state`; none: refused.
  virtual void compute(StateId state, Label label, std::vector<StateId>& next) = 0;

 private:
  struct Cache;
  std::unique_ptr<Cache> cache_;
};

}  // namespace porpentine::detail
