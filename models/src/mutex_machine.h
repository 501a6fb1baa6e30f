// A lock. Its states are few and interned as they are met.
//
// Where tokens fence, an acquire whose token nobody saw took some token greater than all before it: at least the last
// one plus one, for tokens are integers. The state holds that least number. It loses no order: whatever a
// greater one accepts later, the least one accepts too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>

#include "dense_ids.h"
#include "wide_integer.h"

namespace porpentine::detail {

struct MutexSettings {
  bool owned = false;      ///< only the holder releases
  bool reentrant = false;  ///< the holder may acquire again, and releases as often; implies owned
  bool fenced = false;     ///< acquire returns a token
};

struct MutexOperation {
  bool acquires = false;
  bool indeterminate = false;
  std::uint32_t process = 0;
  std::optional<WideInteger> token = {};  ///< that was seen
};

class MutexMachine final : public Machine {
 public:
  explicit MutexMachine(const MutexSettings& settings) : settings_(settings) { states_.add({}); }

  /// The label of an operation; all of them, before anything else.
  Label add(const MutexOperation& operation);

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] bool has_tokens() const override { return !settings_.reentrant && !settings_.fenced; }
  [[nodiscard]] Token token(StateId state) const override { return state; }
  [[nodiscard]] std::size_t memory() const override;

 private:
  struct State {
    std::uint32_t holder = 0;  // one more than the process; 1 for whomever where owners don't count; 0: free
    std::uint32_t depth = 0;
    bool fenced = false;           // whether a token was ever seen
    bool token_known = false;      // whether the holder's token was seen; only kept where it may acquire again
    WideInteger least_token = {};  // the least that the last token can have been, where one was ever seen
    bool operator==(const State&) const = default;
    friend std::uint64_t hash_of(const State& state) {
      const std::uint64_t flags = (state.fenced ? 1 : 0) | (state.token_known ? 2 : 0);
      return mix(mix(std::uint64_t{state.holder} << 32 | state.depth, flags),
                 mix(static_cast<std::uint64_t>(state.least_token.high), state.least_token.low));
    }
  };
  struct What {
    bool acquires = false;
    bool indeterminate = false;
    bool has_token = false;
    std::uint32_t holder = 0;
    WideInteger token = {};
    bool operator==(const What&) const = default;
    friend std::uint64_t hash_of(const What& what) {
      const std::uint64_t flags = (what.acquires ? 1 : 0) | (what.indeterminate ? 2 : 0) | (what.has_token ? 4 : 0);
      return mix(mix(what.holder, flags), mix(static_cast<std::uint64_t>(what.token.high), what.token.low));
    }
  };

  [[nodiscard]] bool acquire(State& state, const What& what) const;
  [[nodiscard]] bool acquire_again(State& state, const What& what) const;
  [[nodiscard]] static bool release(State& state, const What& what);
  [[nodiscard]] LabelTraits traits(const What& what);

  MutexSettings settings_;
  DenseIds<What> labels_;
  std::vector<LabelTraits> traits_;
  DenseIds<State> states_;
  WideInteger beyond_tokens_ = {};  // greater than every token that was seen
};

}  // namespace porpentine::detail
