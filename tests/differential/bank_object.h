// A bank of three accounts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct BankObject {
  enum class Answer : std::uint8_t { no, yes, silent };
  using Balances = std::array<int, 3>;
  struct Op {
    bool reads = true;
    std::size_t from = 0;
    std::size_t to = 0;
    int amount = 0;
    Answer answer = Answer::silent;  ///< silent: it was done
    Balances shown = {};
  };
  using State = Balances;

  static constexpr const char* kModel = R"(bank:accounts={"a":3,"b":0,"2":1})";

  [[nodiscard]] State initial() const { return {3, 0, 1}; }
  [[nodiscard]] bool renamable() const { return false; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    if (op.reads) return unchanged_if(!known || op.shown == state, state);
    const bool done = state[op.from] >= op.amount;
    if (known && done != (op.answer != Answer::no)) return {};
    State after = state;
    if (done) {
      after[op.from] -= op.amount;
      after[op.to] += op.amount;
    }
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    ValueTable& table = names.table();
    const auto object = [&](const std::vector<ValueId>& members) { return table.object(members); };
    if (op.reads) {
      return {"read", kNull,
              object({table.string("a"), table.integer(op.shown[0]), table.string("b"), table.integer(op.shown[1]),
                      table.string("2"), table.integer(op.shown[2])})};
    }
    const std::array<ValueId, 3> accounts{table.string("a"), table.string("b"), table.integer(2)};
    const ValueId transfer = object({table.string("from"), accounts[op.from], table.string("to"), accounts[op.to],
                                     table.string("amount"), table.integer(op.amount)});
    const ValueId output = op.answer == Answer::silent ? kNull : table.boolean(op.answer == Answer::yes);
    return {"transfer", transfer, output};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    Op op;
    op.reads = random.chance(35);
    op.from = static_cast<std::size_t>(random.below(3));
    op.to = static_cast<std::size_t>(random.below(3));
    op.amount = random.below(4);
    return op;
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    if (op.reads) op.shown = state;
    const bool done = state[op.from] >= op.amount;
    op.answer = !done ? Answer::no : random.chance(30) ? Answer::silent : Answer::yes;
    return next(state, op, process, false).front();
  }

  void corrupt(Op& op, Random& random) const {
    if (op.reads) {
      const int moved = random.between(1, 2);
      op.shown[static_cast<std::size_t>(random.below(3))] -= moved;
      if (random.chance(80)) op.shown[static_cast<std::size_t>(random.below(3))] += moved;
    } else if (random.chance(50)) {
      op.answer = op.answer == Answer::no ? Answer::yes : Answer::no;
    } else {
      op.amount = random.below(5);
    }
  }
};

}  // namespace porpentine::differential
