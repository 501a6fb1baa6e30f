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
  struct Kind {
    bool owned = false;
    bool reentrant = false;  ///< implies owned
    bool fenced = false;
  };
  struct Op {
    bool acquires = true;
    int token = 0;
  };
  struct State {
    int depth = 0;            ///< how often it is held
    int owner = 0;            ///< while it is held, and where owners count
    int last_token = -1000;   ///< the least that the last one can have been; lower than any at first
    bool token_seen = false;  ///< whether that is the token of the present hold for certain
    auto operator<=>(const State&) const = default;
  };

  Kind kind = {};

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(State state, const Op& op, int process, bool known) const {
    const bool owners_count = kind.owned || kind.reentrant;
    if (!op.acquires) {
      if (state.depth == 0 || (owners_count && state.owner != process)) return {};
      if (--state.depth == 0) state.owner = 0;
      if (state.depth == 0) state.token_seen = false;
      return {state};
    }
    const bool again = state.depth > 0;
    if (again && !(kind.reentrant && state.owner == process)) return {};
    ++state.depth;
    state.owner = owners_count ? process : 0;
    return kind.fenced ? with_token(state, op.token, again, known) : std::vector{state};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    const bool has_token = op.acquires && kind.fenced;
    return {op.acquires ? "acquire" : "release", kNull, has_token ? names.table().integer(op.token) : kNull};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(50)}; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    const bool again = state.depth > 0 && state.token_seen;
    op.token = again ? state.last_token : std::max(state.last_token, 0) + random.between(1, 2);
    const std::vector<State> after = next(state, op, process, true);
    if (after.empty()) return std::nullopt;
    return after.front();
  }

  void corrupt(Op& op, Random& random) const {
    if (kind.fenced && random.chance(70)) {
      op.token = random.between(1, 4);
    } else {
      op.acquires = !op.acquires;
    }
  }

 private:
  /// Tokens rise from hold to hold; a hold that is acquired again keeps its own.
  static std::vector<State> with_token(State state, int token, bool again, bool known) {
    if (!known) {
      if (!again) ++state.last_token;
      return {state};
    }
    const int least = again ? state.last_token : state.last_token + 1;
    if (token < least || (again && state.token_seen && token != state.last_token)) return {};
    state.last_token = token;
    state.token_seen = true;
    return {state};
  }
};

}  // namespace porpentine::differential
