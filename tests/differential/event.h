// What a differential test compares on: one operation of a history, with an input and an output in plain C++.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace porpentine::differential {

enum class Ended : std::uint8_t { ok, fail, unknown };

/// `Op` is the reference object's own record of function, input and output; the output counts only where the
/// operation ended ok.
template <typename Op>
struct Event {
  Op op;
  Ended ended = Ended::ok;
  int process = 0;
  int key = 0;  ///< 0: none
  std::int64_t call = 0;
  std::int64_t ret = 0;  ///< meaningless where `ended` is unknown
};

template <typename Op>
using Events = std::vector<Event<Op>>;

/// Symbols of an alphabet to enumerate: operations without a place in time.
template <typename Op>
Event<Op> known(Op op, int key = 0) {
  return {op, Ended::ok, 0, key, 0, 0};
}

template <typename Op>
Event<Op> unknown(Op op, int key = 0) {
  return {op, Ended::unknown, 0, key, 0, 0};
}

template <typename Op>
Event<Op> failed(Op op, int key = 0) {
  return {op, Ended::fail, 0, key, 0, 0};
}

/// Whether operation `a` stands before `b` in the one process that does both. A process does one thing after the
/// other, so times tell, and the place in the history where times tie.
template <typename Op>
bool earlier_in_process(const Events<Op>& events, std::size_t a, std::size_t b) {
  const auto position = [&](std::size_t i) {
    const Event<Op>& event = events[i];
    return std::tuple(event.call, event.ended == Ended::unknown ? event.call : event.ret, i);
  };
  return events[a].process == events[b].process && position(a) < position(b);
}

/// Whether `a` must stand before `b` in every linearization that holds both.
template <typename Op>
bool precedes(const Events<Op>& events, std::size_t a, std::size_t b) {
  if (events[a].ended != Ended::ok) return false;
  return events[a].ret < events[b].call || earlier_in_process(events, a, b);
}

}  // namespace porpentine::differential
