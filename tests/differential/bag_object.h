// A bag: what is put in is taken out in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct BagObject {
  struct Op {
    bool puts = true;
    int value = 0;  ///< that is put in, or that was taken; 0: none was there
  };
  using State = std::vector<int>;  ///< sorted

  int values = 4;  ///< values are 1 to `values`
  /// Whether dequeues may find it empty; else those that would have failed.
  bool may_be_empty = true;

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    if (op.puts) {
      State after = state;
      after.insert(std::upper_bound(after.begin(), after.end(), op.value), op.value);
      return {after};
    }
    if (state.empty()) return unchanged_if(!known || op.value == 0, state);
    std::vector<State> afters;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (known && state[i] != op.value) continue;
      State after = state;
      after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
      afters.push_back(after);
      if (known) break;
    }
    return afters;
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    if (op.puts) return {"enqueue", names.value(op.value), kNull};
    return {"dequeue", kNull, names.value(op.value)};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(55), random.between(1, values)}; }

  /// The `i`th operation of a history, up to the tenth, has a value of its own.
  void distinguish(Op& op, int i, Random&) const { op.value = 7 * i % 10 + 1; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    if (!op.puts && state.empty() && !may_be_empty) return std::nullopt;
    if (!op.puts) op.value = state.empty() ? 0 : random.pick(state);
    return next(state, op, process, true).front();
  }

  void corrupt(Op& op, Random& random) const { op.value = random.between(op.puts || !may_be_empty ? 1 : 0, values); }
};

}  // namespace porpentine::differential
