// A semaphore.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct SemaphoreObject {
  struct Op {
    bool acquires = true;
    int count = 1;
  };
  using State = int;  ///< permits that are free

  int permits = 1;

  [[nodiscard]] State initial() const { return permits; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& free, const Op& op, int, bool) const {
    const int after = op.acquires ? free - op.count : free + op.count;
    if (after < 0 || after > permits) return {};
    return {after};
  }

  /// One permit is what an operation without an input is about.
  [[nodiscard]] Encoded encode(const Op& op, bool known, const Names& names) const {
    const bool silent = op.count == 1 && known;
    return {op.acquires ? "acquire" : "release", silent ? kNull : names.table().integer(op.count)};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    return {random.chance(55), random.between(1, std::max(1, permits - 1))};
  }

  [[nodiscard]] std::optional<State> perform(const State& free, Op& op, int process, Random&) const {
    const std::vector<State> after = next(free, op, process, true);
    if (after.empty()) return std::nullopt;
    return after.front();
  }

  void corrupt(Op& op, Random& random) const {
    if (permits > 1 && random.chance(50)) {
      op.count = random.between(1, permits + 1);
    } else {
      op.acquires = !op.acquires;
    }
  }
};

}  // namespace porpentine::differential
