// A set of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct SetObject {
  enum class F : std::uint8_t { add, remove, contains, read };
  enum class Answer : std::uint8_t { no, yes, silent };
  struct Op {
    F f = F::read;
    int value = 0;
    Answer answer = Answer::silent;
    std::set<int> shown = {};
  };
  using State = std::set<int>;

  bool whole_reads = true;
  int told_percent = 60;  ///< of the additions and removals, whose answer is recorded

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    if (op.f == F::read) return unchanged_if(!known || op.shown == state, state);
    if (known && op.answer != Answer::silent && op.answer != answer_in(state, op)) return {};
    State after = state;
    if (op.f == F::add) after.insert(op.value);
    if (op.f == F::remove) after.erase(op.value);
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool known, const Names& names) const {
    if (op.f == F::read) {
      std::vector<ValueId> values;
      for (auto value = op.shown.rbegin(); value != op.shown.rend(); ++value) values.push_back(names.value(*value));
      return {"read", kNull, known ? names.array(values) : kNull};
    }
    const char* const f = op.f == F::add ? "add" : op.f == F::remove ? "remove" : "contains";
    const ValueId output = op.answer == Answer::silent ? kNull : names.table().boolean(op.answer == Answer::yes);
    return {f, names.value(op.value), output};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    const int value = random.between(1, 3);
    switch (random.below(whole_reads ? 8 : 6)) {
      case 0:
      case 1:
      case 2:
        return {F::add, value};
      case 3:
        return {F::remove, value};
      case 4:
      case 5:
        return {F::contains, value};
      default:
        return {F::read};
    }
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    if (op.f == F::read) {
      op.shown = state;
    } else if (op.f == F::contains || random.chance(told_percent)) {
      op.answer = answer_in(state, op);
    }
    return next(state, op, process, false).front();
  }

  void corrupt(Op& op, Random& random) const {
    if (op.f == F::read) {
      const int value = random.between(1, 3);
      if (op.shown.erase(value) == 0) op.shown.insert(value);
    } else if (op.answer != Answer::silent && random.chance(70)) {
      op.answer = op.answer == Answer::yes ? Answer::no : Answer::yes;
    } else {
      op.value = random.between(1, 3);
    }
  }

 private:
  static Answer answer_in(const State& state, const Op& op) {
    const bool there = state.count(op.value) != 0;
    return (op.f == F::add ? !there : there) ? Answer::yes : Answer::no;
  }
};

}  // namespace porpentine::differential
