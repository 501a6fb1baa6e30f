// Testing what a machine promises of its labels, at every step that a search takes.

#include <stdexcept>
#include <string>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "decision.h"

namespace porpentine::detail {
namespace {

class PromiseTester final : public Machine {
 public:
  explicit PromiseTester(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return machine_->labels(); }
  [[nodiscard]] StateId initial() override { return machine_->initial(); }
  [[nodiscard]] bool viable(StateId state, Label label) override { return machine_->viable(state, label); }
  [[nodiscard]] bool has_tokens() const override { return machine_->has_tokens(); }
  [[nodiscard]] Token token(StateId state) const override { return machine_->token(state); }
  [[nodiscard]] std::size_t memory() const override { return machine_->memory(); }
  [[nodiscard]] std::span<const StateId> successors(StateId state, Label label) override {
    return machine_->successors(state, label);
  }

  [[nodiscard]] StateId step(StateId state, Label label) override {
    const StateId next = machine_->step(state, label);
    const LabelTraits& traits = labels()[label];
    if (next == kRefused) {
      if (traits.overwrites) broken("overwrites: a state refuses the operation");
      return next;
    }
    if (traits.bounded && !machine_->viable(state, label))
      broken("viable: it was false where the operation is accepted");
    if (next == kSeveral) {
      if (traits.read_only || traits.overwrites) broken("read_only: the operation has several next states");
      return next;
    }
    if (traits.read_only && next != state) broken("read_only: the operation changed the state");
    if (traits.overwrites && overwritten_.try_emplace(label, next).first->second != next) {
      broken("overwrites: the operation leads to different states");
    }
    if (machine_->has_tokens()) {
      if (traits.needs != kNoToken && machine_->token(state) != traits.needs) broken("needs: it was accepted without");
      if (traits.makes != kNoToken && next != state && machine_->token(next) != traits.makes) {
        broken("makes: the state shows another token");
      }
    }
    const Label neighbour = std::exchange(last_.try_emplace(state, label).first->second, label);
    if ((traits.touches & labels()[neighbour].touches) == 0) test_commutes(state, label, neighbour);
    for (Label other = 0; other < labels().size() && other < kFewLabels; ++other) {
      if (labels()[other].bounded && !machine_->viable(state, other) && machine_->viable(next, other)) {
        broken("viable: it was false, and is true after an operation");
      }
    }
    return next;
  }

 private:
  static constexpr Label kFewLabels = 64;

  [[noreturn]] static void broken(const std::string& what) {
    throw std::logic_error("the model breaks its promise of " + what);
  }
  [[nodiscard]] StateId both(StateId state, Label first, Label second) {
    const StateId between = machine_->step(state, first);
    return between == kRefused || between == kSeveral ? between : machine_->step(between, second);
  }
  void test_commutes(StateId state, Label a, Label b) {
    if (both(state, a, b) != both(state, b, a)) broken("touches: operations without a common part don't commute");
  }

  std::unique_ptr<Machine> machine_;
  absl::flat_hash_map<Label, StateId> overwritten_;
  absl::flat_hash_map<StateId, Label> last_;
};

}  // namespace

std::unique_ptr<Machine> test_promises_of(std::unique_ptr<Machine> machine) {
  return std::make_unique<PromiseTester>(std::move(machine));
}

}  // namespace porpentine::detail
