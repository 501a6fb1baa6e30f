// A counter.
#pragma once

#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct CounterObject {
  struct Op {
    bool adds = false;
    int number = 0;  ///< that is added, or was read
  };
  using State = int;

  int least = -3;  ///< that is ever added
  int most = 3;

  [[nodiscard]] State initial() const { return 0; }
  [[nodiscard]] bool renamable() const { return false; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    if (op.adds) return {state + op.number};
    return unchanged_if(!known || op.number == state, state);
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    const ValueId number = names.table().integer(op.number);
    return op.adds ? Encoded{"add", number} : Encoded{"read", kNull, number};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    if (random.chance(40)) return {};
    return {true, random.between(least, most)};
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    if (!op.adds) op.number = state;
    return next(state, op, process, false).front();
  }

  void corrupt(Op& op, Random& random) const { op.number += random.between(1, 2) * (random.chance(50) ? 1 : -1); }
};

}  // namespace porpentine::differential
