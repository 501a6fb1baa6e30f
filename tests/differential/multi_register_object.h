// Several registers that transactions read and write all at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct MultiRegisterObject {
  static constexpr int kRegisters = 3;
  struct Micro {
    bool is_write = false;
    int where = 0;
    int value = 0;  ///< read: what was seen, 0 for null
  };
  struct Op {
    std::vector<Micro> micros;
  };
  using State = std::array<int, kRegisters>;

  int first = 0;
  bool nil_says_nothing = false;

  [[nodiscard]] State initial() const { return {first, first, first}; }
  [[nodiscard]] bool renamable() const { return first == 0; }

  [[nodiscard]] std::vector<State> next(State state, const Op& op, int, bool known) const {
    for (const Micro& micro : op.micros) {
      int& cell = state[static_cast<std::size_t>(micro.where)];
      const bool says_nothing = !known || (nil_says_nothing && micro.value == 0);
      if (micro.is_write) {
        cell = micro.value;
      } else if (!says_nothing && micro.value != cell) {
        return {};
      }
    }
    return {state};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    ValueTable& table = names.table();
    std::vector<ValueId> input;
    std::vector<ValueId> output;
    bool long_word = op.micros.size() % 2 == 0;
    for (const Micro& micro : op.micros) {
      const char* word = micro.is_write ? (long_word ? "write" : "w") : (long_word ? "read" : "r");
      long_word = !long_word;
      const ValueId f = table.string(word);
      const ValueId where = names.key(micro.where + 1);
      const ValueId value = names.value(micro.value);
      input.push_back(names.array({f, where, micro.is_write ? value : kNull}));
      output.push_back(names.array({f, where, value}));
    }
    return {"txn", names.array(input), names.array(output)};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    Op op;
    for (int count = random.pick(std::array{1, 1, 1, 2, 2, 3}); count > 0; --count) {
      const bool is_write = random.chance(50);
      op.micros.push_back({is_write, random.below(kRegisters), is_write ? random.between(1, 2) : 0});
    }
    return op;
  }

  [[nodiscard]] std::optional<State> perform(State state, Op& op, int, Random& random) const {
    for (Micro& micro : op.micros) {
      int& cell = state[static_cast<std::size_t>(micro.where)];
      if (micro.is_write) {
        cell = micro.value;
      } else {
        micro.value = nil_says_nothing && random.chance(20) ? 0 : cell;
      }
    }
    return state;
  }

  void corrupt(Op& op, Random& random) const {
    Micro& micro = random.pick(op.micros);
    micro.value = random.between(micro.is_write ? 1 : 0, 2);
  }
};

}  // namespace porpentine::differential
