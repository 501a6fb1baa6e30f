// One key of a key-value store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct KvObject {
  enum class F : std::uint8_t { get, put, append, erase, cas };
  using Text = std::optional<std::string>;  ///< nothing: the key is absent; "#": the number 1, not a text
  struct Op {
    F f = F::get;
    Text value = {};  ///< get: what was seen; put, append: the input; cas: the new value
    Text old = {};
    bool matched = false;
  };
  using State = Text;

  [[nodiscard]] State initial() const { return std::nullopt; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    switch (op.f) {
      case F::get:
        return unchanged_if(!known || op.value == state, state);
      case F::put:
        return {op.value};
      case F::append:
        return state == "#" ? std::vector<State>{} : std::vector<State>{state.value_or("") + *op.value};
      case F::erase:
        return {State{}};
      default: {
        const bool matches = state == op.old;
        if (known && matches != op.matched) return {};
        return {matches ? op.value : state};
      }
    }
  }

  [[nodiscard]] Encoded encode(const Op& op, bool, const Names& names) const {
    const auto written = [&](const Text& text) {
      if (!text) return kNull;
      return text == "#" ? names.value(1) : names.text(*text);
    };
    const ValueId value = written(op.value);
    switch (op.f) {
      case F::get:
        return {"get", kNull, value};
      case F::put:
        return {"put", value, kNull};
      case F::append:
        return {"append", value, kNull};
      case F::erase:
        return {"delete", kNull, kNull};
      default:
        return {"cas", names.array({written(op.old), value}), op.matched ? kTrue : kFalse};
    }
  }

  [[nodiscard]] Op invocation(Random& random) const {
    const auto letter = [&] { return std::string(1, "abc"[random.below(3)]); };
    switch (random.below(10)) {
      case 0:
      case 1:
        return {F::put, random.chance(90) ? letter() : random.chance(70) ? Text("#") : Text()};
      case 2:
      case 3:
        return {F::append, letter()};
      case 4:
        return {F::erase};
      case 5:
        return {F::cas, letter(), random.chance(80) ? Text(letter()) : Text()};
      default:
        return {F::get};
    }
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    if (op.f == F::get) op.value = state;
    op.matched = op.f == F::cas && state == op.old;
    const std::vector<State> after = next(state, op, process, false);
    if (after.empty()) return std::nullopt;
    return after.front();
  }

  void corrupt(Op& op, Random& random) const {
    op.matched = !op.matched;
    if (op.f == F::cas || op.f == F::erase) return;
    if (op.f == F::get && random.chance(30)) {
      op.value = std::nullopt;
    } else if (op.value && op.value->size() > 1 && random.chance(50)) {
      op.value->pop_back();
    } else {
      op.value = std::string(1, "abc"[random.below(3)]);
    }
  }
};

}  // namespace porpentine::differential
