// A lock: plain, owned, reentrant or with fencing tokens.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct MutexObject {
  enum class Kind : std::uint8_t { plain, owned, reentrant, fenced };
  struct Op {
    bool acquires = true;
    int token = 0;
  };
  struct State {
    int depth = 0;       ///< how often it is held
    int owner = 0;       ///< while it is held, and where owners count
    int last_token = -1000;  ///< the least that the last one can have been; lower than any at first
    auto operator<=>(const State&) const = default;
  };

  Kind kind = Kind::plain;

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(State state, const Op& op, int process, bool known) const {
    const bool owners_count = kind == Kind::owned || kind == Kind::reentrant;
    if (op.acquires) {
      const bool again = kind == Kind::reentrant && state.depth > 0 && state.owner == process;
      if (state.depth > 0 && !again) return {};
      ++state.depth;
      state.owner = owners_count ? process : 0;
      if (kind == Kind::fenced) {
        if (known && op.token <= state.last_token) return {};
        state.last_token = known ? op.token : state.last_token + 1;
      }
      return {state};
    }
    if (state.depth == 0 || (owners_count && state.owner != process)) return {};
    if (--state.depth == 0) state.owner = 0;
    return {state};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    const bool has_token = op.acquires && kind == Kind::fenced;
    return {op.acquires ? "acquire" : "release", kNull, has_token ? names.table().integer(op.token) : kNull};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(50)}; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    op.token = std::max(state.last_token, 0) + random.between(1, 2);
    const std::vector<State> after = next(state, op, process, true);
    if (after.empty()) return std::nullopt;
    return after.front();
  }

  void corrupt(Op& op, Random& random) const {
    if (kind == Kind::fenced && random.chance(70)) {
      op.token = random.between(1, 4);
    } else {
      op.acquires = !op.acquires;
    }
  }
};

}  // namespace porpentine::differential
