// A priority queue: the least number is taken out first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct PriorityQueueObject {
  struct Op {
    bool puts = true;
    int value = 0;  ///< that is put in, or that was taken; 0: none was there
  };
  using State = std::vector<int>;  ///< sorted

  int values = 4;  ///< values are 1 to `values`, at most 6
  /// Whether the numbers are written as ones that doubles can't tell apart, and as fractions.
  bool odd_numbers = false;

  [[nodiscard]] State initial() const { return {}; }
  /// Other names have another order.
  [[nodiscard]] bool renamable() const { return false; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    State after = state;
    if (op.puts) {
      after.push_back(op.value);
      std::sort(after.begin(), after.end());
      return {after};
    }
    const int least = state.empty() ? 0 : state.front();
    if (known && op.value != least) return {};
    if (!after.empty()) after.erase(after.begin());
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    const ValueId number = odd_numbers ? odd(op.value, names.table()) : names.value(op.value);
    return op.puts ? Encoded{"insert", number, kNull} : Encoded{"pop-min", kNull, number};
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(55), random.between(1, values)}; }

  /// The `i`th operation of a history, up to the tenth, has a value of its own.
  void distinguish(Op& op, int i, Random&) const { op.value = 7 * i % 10 + 1; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    if (!op.puts) op.value = state.empty() ? 0 : state.front();
    return next(state, op, process, true).front();
  }

  void corrupt(Op& op, Random& random) const { op.value = random.between(op.puts ? 1 : 0, values); }

 private:
  static ValueId odd(int number, ValueTable& table) {
    switch (number) {
      case 0:
        return kNull;
      case 1:
        return table.real(-0.5);
      case 2:
        return table.integer(9007199254740992);
      case 3:
        return table.integer(9007199254740993);
      case 4:
        return table.real(9007199254740994.0);
      case 5:
        return table.unsigned_integer(18446744073709551615U);
      default:
        return table.real(1e300);
    }
  }
};

}  // namespace porpentine::differential
