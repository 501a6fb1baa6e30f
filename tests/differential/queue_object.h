// A queue, first in, first out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct QueueObject {
  struct Op {
    bool puts = true;
    int value = 0;  ///< that is put in, or that was taken; 0: none was there
  };
  using State = std::vector<int>;  ///< the oldest first

  int values = 4;  ///< values are 1 to `values`

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    State after = state;
    if (op.puts) {
      after.push_back(op.value);
      return {after};
    }
    const int oldest = state.empty() ? 0 : state.front();
    if (known && op.value != oldest) return {};
    if (!after.empty()) after.erase(after.begin());
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    if (op.puts) return {"enqueue", names.value(op.value), kNull};
    return {"dequeue", kNull, names.value(op.value)};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(55), random.between(1, values)}; }

  /// The `i`th operation of a history, up to the tenth, has a value of its own.
  void distinguish(Op& op, int i, Random&) const { op.value = 7 * i % 10 + 1; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    if (!op.puts) op.value = state.empty() ? 0 : state.front();
    return next(state, op, process, true).front();
  }

  void corrupt(Op& op, Random& random) const { op.value = random.between(op.puts ? 1 : 0, values); }
};

}  // namespace porpentine::differential
