// A semaphore: the state is the number of permits that are held, interned as it is met.
//
// Where every operation is about all permits at once it is a lock, and its two states are tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>

#include "dense_ids.h"

namespace porpentine::detail {

struct SemaphoreOperation {
  bool acquires = false;
  bool indeterminate = false;
  std::uint64_t count = 1;  ///< at least 1
};

class SemaphoreMachine final : public Machine {
 public:
  explicit SemaphoreMachine(std::uint64_t permits) : permits_(permits) { held_.add(0); }

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] bool has_tokens() const override { return has_tokens_; }
  [[nodiscard]] Token token(StateId state) const override { return state; }
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend Bound bind_semaphore(std::uint64_t permits, std::span<const SemaphoreOperation> operations);

  struct What {
    bool acquires = false;
    bool indeterminate = false;
    std::uint64_t count = 1;
    bool operator==(const What&) const = default;
    friend std::uint64_t hash_of(const What& what) {
      return mix(what.count, (what.acquires ? 1U : 0U) | (what.indeterminate ? 2U : 0U));
    }
  };

  [[nodiscard]] LabelTraits traits(const What& what);

  std::uint64_t permits_;
  DenseIds<What> labels_;
  std::vector<LabelTraits> traits_;
  DenseIds<std::uint64_t> held_;
  bool has_tokens_ = false;
};

/// O(n).
Bound bind_semaphore(std::uint64_t permits, std::span<const SemaphoreOperation> operations);

}  // namespace porpentine::detail
