// A log to which values are appended.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct LogObject {
  enum class F : std::uint8_t { append, batch, read, tail, scan };
  static constexpr int kSilent = -1;
  struct Op {
    F f = F::read;
    std::vector<int> values = {};  ///< append, batch: the input; read: what was seen, 0 for nothing yet; scan: the run
    int offset = 0;  ///< read, scan: the input; append, batch, tail: the output, kSilent where an append told none
  };
  using State = std::vector<int>;

  int silent_percent = 10;  ///< of the appends that tell no offset

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    const auto length = static_cast<int>(state.size());
    switch (op.f) {
      case F::append:
      case F::batch: {
        if (known && op.offset != length && op.offset != kSilent) return {};
        State longer = state;
        longer.insert(longer.end(), op.values.begin(), op.values.end());
        return {longer};
      }
      case F::read: {
        const int seen = op.offset < length ? state[static_cast<std::size_t>(op.offset)] : 0;
        return unchanged_if(!known || seen == op.values.front(), state);
      }
      case F::tail:
        return unchanged_if(!known || op.offset == length, state);
      default:
        return unchanged_if(!known || shows(state, op), state);
    }
  }

  [[nodiscard]] Encoded encode(const Op& op, bool known, const Names& names) const {
    ValueTable& table = names.table();
    const ValueId offset = op.offset == kSilent ? kNull : table.integer(op.offset);
    switch (op.f) {
      case F::append:
        return {"append", names.value(op.values.front()), offset};
      case F::batch: {
        std::vector<ValueId> values;
        for (const int value : op.values) values.push_back(names.value(value));
        return {"append-batch", names.array(values), offset};
      }
      case F::read:
        return {"read", offset, known ? names.value(op.values.front()) : kNull};
      case F::tail:
        return {"tail", kNull, offset};
      default: {
        std::vector<ValueId> run;
        for (std::size_t i = 0; i < op.values.size(); ++i) {
          const ValueId place = table.integer(op.offset + static_cast<int>(i));
          run.push_back(names.array({place, names.value(op.values[i])}));
        }
        return {"scan", offset, names.array(run)};
      }
    }
  }

  [[nodiscard]] Op invocation(Random& random) const {
    const auto value = [&] { return random.between(1, 4); };
    switch (random.below(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return {F::append, {value()}};
      case 4:
        return {F::batch, {value(), value()}};
      case 5:
        return {F::batch, std::vector<int>(static_cast<std::size_t>(random.below(2)), value())};
      case 6:
      case 7:
        return {F::tail, {}};
      case 8:
      case 9:
        return {F::scan, {}, random.below(4)};
      default:
        return {F::read, {0}, random.below(4)};
    }
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    const auto length = static_cast<int>(state.size());
    if (op.f == F::read) {
      op.values = {op.offset < length ? state[static_cast<std::size_t>(op.offset)] : 0};
    } else if (op.f == F::scan) {
      const int available = std::max(length - op.offset, 0);
      const int shown = available == 0 ? 0 : random.between(1, available);
      op.values.assign(state.end() - available, state.end() - available + shown);
    } else {
      op.offset = op.f != F::tail && random.chance(silent_percent) ? kSilent : length;
    }
    return next(state, op, process, false).front();
  }

  void corrupt(Op& op, Random& random) const {
    if (op.f == F::read) {
      op.values = {random.between(0, 4)};
    } else if (op.f == F::scan) {
      if (!op.values.empty() && random.chance(50)) {
        op.values.pop_back();
      } else {
        op.values.push_back(random.between(1, 4));
      }
    } else {
      op.offset = random.below(5);
    }
  }

 private:
  /// A scan may end early, but is empty only where nothing is there yet.
  static bool shows(const State& state, const Op& op) {
    const auto offset = static_cast<std::size_t>(op.offset);
    if (op.values.empty()) return offset >= state.size();
    for (std::size_t i = 0; i < op.values.size(); ++i) {
      if (offset + i >= state.size() || state[offset + i] != op.values[i]) return false;
    }
    return true;
  }
};

}  // namespace porpentine::differential
