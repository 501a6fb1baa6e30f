// A register with compare-and-set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct RegisterObject {
  enum class F : std::uint8_t { read, write, cas };
  enum class Answer : std::uint8_t { mismatch, match, silent };
  struct Op {
    F f = F::read;
    int value = 0;  ///< read: what was seen, 0 for null; write: what is written; cas: the new value
    int old = 0;
    Answer answer = Answer::silent;
  };
  using State = int;

  int first = 0;
  bool nil_says_nothing = false;
  int values = 3;          ///< values are 1 to `values`
  bool mismatches = true;  ///< whether a cas may be seen to fail; else it is known not to have happened

  [[nodiscard]] State initial() const { return first; }
  [[nodiscard]] bool renamable() const { return first == 0; }

  [[nodiscard]] std::vector<State> next(State state, const Op& op, int, bool known) const {
    switch (op.f) {
      case F::read: {
        const bool says_nothing = !known || (nil_says_nothing && op.value == 0);
        return unchanged_if(says_nothing || op.value == state, state);
      }
      case F::write:
        return {op.value};
      default: {
        const bool matches = state == op.old;
        if (!known) return {matches ? op.value : state};
        if (matches == (op.answer == Answer::mismatch)) return {};
        return {matches ? op.value : state};
      }
    }
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    switch (op.f) {
      case F::read:
        return {"read", kNull, names.value(op.value)};
      case F::write:
        return {"write", names.value(op.value), kNull};
      default: {
        const ValueId output = op.answer == Answer::silent ? kNull : op.answer == Answer::match ? kTrue : kFalse;
        return {"cas", names.array({names.value(op.old), names.value(op.value)}), output};
      }
    }
  }

  [[nodiscard]] Op invocation(Random& random) const {
    const int kind = random.below(10);
    if (kind < 4) return {F::read};
    if (kind < 7) return {F::write, random.between(1, values)};
    return {F::cas, random.between(1, values), random.between(1, values)};
  }

  /// The `i`th operation of a history writes a value of its own.
  void distinguish(Op& op, int i, Random& random) const {
    op.value = i + 1;
    op.old = random.between(std::max(0, i - 3), i);
  }

  [[nodiscard]] std::optional<State> perform(State state, Op& op, int, Random& random) const {
    if (op.f == F::read) {
      op.value = nil_says_nothing && random.chance(20) ? 0 : state;
      return state;
    }
    if (op.f == F::write) return op.value;
    const bool matches = state == op.old;
    if (!matches && !mismatches) return std::nullopt;
    op.answer = !matches ? Answer::mismatch : random.chance(50) ? Answer::match : Answer::silent;
    return matches ? op.value : state;
  }

  void corrupt(Op& op, Random& random) const {
    if (op.f == F::cas && mismatches) {
      op.answer = op.answer == Answer::mismatch ? Answer::match : Answer::mismatch;
    } else {
      op.value = random.between(op.f == F::write ? 1 : 0, values);
    }
  }
};

}  // namespace porpentine::differential
