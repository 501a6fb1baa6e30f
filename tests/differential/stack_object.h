// A stack, last in, first out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct StackObject {
  struct Op {
    bool pushes = true;
    int value = 0;  ///< that is pushed, or that was popped; 0: none was there
  };
  using State = std::vector<int>;  ///< the top last

  int values = 4;  ///< values are 1 to `values`

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    State after = state;
    if (op.pushes) {
      after.push_back(op.value);
      return {after};
    }
    const int top = state.empty() ? 0 : state.back();
    if (known && op.value != top) return {};
    if (!after.empty()) after.pop_back();
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    if (op.pushes) return {"push", names.value(op.value), kNull};
    return {"pop", kNull, names.value(op.value)};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(55), random.between(1, values)}; }

  /// The `i`th operation of a history, up to the tenth, has a value of its own.
  void distinguish(Op& op, int i, Random&) const { op.value = 7 * i % 10 + 1; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    if (!op.pushes) op.value = state.empty() ? 0 : state.back();
    return next(state, op, process, true).front();
  }

  void corrupt(Op& op, Random& random) const { op.value = random.between(op.pushes ? 1 : 0, values); }
};

}  // namespace porpentine::differential
