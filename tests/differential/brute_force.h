// Linearizability by its definition, for histories of a few operations.
//
// Nothing here is shared with the search or with the models of the library: real-time order is read off the times,
// and every order of the known operations and any of the indeterminate ones is tried on a reference object.
//
// A reference object R is a small value with
//     using Op; using State;                                  State has < and ==
//     State initial() const;
//     std::vector<State> next(const State&, const Op&, int process, bool known) const;
//                                                             no state: refused; known: the output was observed
//     std::string describe(const Op&, bool known) const;
// There is one object for each key of a history.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "event.h"

namespace porpentine::differential {

/// Tries every order, one operation after the other, and turns back where operations already placed and state have
/// both been met before.
template <typename R>
class BruteForce {
 public:
  using Op = typename R::Op;
  using State = std::map<int, typename R::State>;

  BruteForce(const R& object, const Events<Op>& events) : object_(object), events_(events), before_(events.size()) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].ended == Ended::ok) required_ |= bit(i);
      for (std::size_t j = 0; j < events.size(); ++j) {
        if (precedes(events, j, i)) before_[i] |= bit(j);
      }
    }
  }

  bool linearizable() { return place(0, State{}); }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }

  bool place(std::uint64_t placed, const State& state) {
    if ((required_ & ~placed) == 0) return true;
    if (!met_.emplace(placed, state).second) return false;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Event<Op>& event = events_[i];
      const bool possible = event.ended != Ended::fail && (placed & bit(i)) == 0 && (before_[i] & ~placed) == 0;
      if (possible && place_one(placed, state, i)) return true;
    }
    return false;
  }

  bool place_one(std::uint64_t placed, const State& state, std::size_t i) {
    const Event<Op>& event = events_[i];
    const auto part = state.find(event.key);
    const auto current = part == state.end() ? object_.initial() : part->second;
    for (const auto& next : object_.next(current, event.op, event.process, event.ended == Ended::ok)) {
      State changed = state;
      changed[event.key] = next;
      if (place(placed | bit(i), changed)) return true;
    }
    return false;
  }

  const R& object_;
  const Events<Op>& events_;
  std::vector<std::uint64_t> before_;
  std::uint64_t required_ = 0;
  std::set<std::pair<std::uint64_t, State>> met_;
};

/// At most 64 events.
template <typename R>
bool linearizable(const R& object, const Events<typename R::Op>& events) {
  return BruteForce<R>(object, events).linearizable();
}

/// Whether `order`, indices into `events`, is a linearization of them.
template <typename R>
bool is_linearization(const R& object, const Events<typename R::Op>& events, const std::vector<std::size_t>& order) {
  std::vector<bool> placed(events.size(), false);
  std::set<std::map<int, typename R::State>> states{{}};
  for (const std::size_t i : order) {
    const auto& event = events[i];
    if (placed[i] || event.ended == Ended::fail) return false;
    for (std::size_t j = 0; j < events.size(); ++j) {
      if (precedes(events, j, i) && !placed[j]) return false;
    }
    placed[i] = true;
    std::set<std::map<int, typename R::State>> after;
    for (const auto& state : states) {
      const auto part = state.find(event.key);
      const auto current = part == state.end() ? object.initial() : part->second;
      for (const auto& next : object.next(current, event.op, event.process, event.ended == Ended::ok)) {
        auto changed = state;
        changed[event.key] = next;
        after.insert(std::move(changed));
      }
    }
    states = std::move(after);
    if (states.empty()) return false;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].ended == Ended::ok && !placed[i]) return false;
  }
  return true;
}

/// What was known when the operations marked in `returned` had returned and the time was `now`: the others that had
/// been called by then (at `now` counts) are indeterminate, and later ones are absent.
template <typename Op>
Events<Op> known_at(const Events<Op>& events, const std::vector<bool>& returned, std::int64_t now) {
  Events<Op> prefix;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].ended == Ended::fail || events[i].call > now) continue;
    prefix.push_back(events[i]);
    if (!returned[i]) prefix.back().ended = Ended::unknown;
  }
  return prefix;
}

/// Where a history stops being linearizable: at a time, with those that return at that time, in some order.
template <typename R>
class FirstFailure {
 public:
  using Op = typename R::Op;

  /// `events` are not linearizable.
  FirstFailure(const R& object, const Events<Op>& events) : object_(object), events_(events) {
    std::set<std::int64_t> times;
    for (const Event<Op>& event : events) {
      if (event.ended == Ended::ok) times.insert(event.ret);
    }
    for (const std::int64_t time : times) {
      time_ = time;
      if (!linearizable(object_,
                        known_at(events_, returned_by([&](std::size_t i) { return events_[i].ret <= time; }), time_))) {
        break;
      }
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].ended != Ended::ok) continue;
      if (events[i].ret < time_) ++before_;
      if (events[i].ret == time_) tied_.push_back(i);
    }
  }

  /// Whether the history can first have failed at the return of `operation`, after `longest_prefix` returns: those
  /// before its time and some of those at its time, in an order that no process contradicts.
  [[nodiscard]] bool accepts(std::size_t operation, std::uint64_t longest_prefix) const {
    if (std::find(tied_.begin(), tied_.end(), operation) == tied_.end() || longest_prefix < before_) return false;
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << tied_.size(); ++subset) {
      const auto count = static_cast<std::uint64_t>(std::popcount(subset));
      if (before_ + count == longest_prefix && fails_after(operation, subset)) return true;
    }
    return false;
  }

  [[nodiscard]] std::int64_t time() const { return time_; }
  /// Operations that returned before that time, and those that return at it.
  [[nodiscard]] std::uint64_t before() const { return before_; }
  [[nodiscard]] const std::vector<std::size_t>& tied() const { return tied_; }

 private:
  template <typename Predicate>
  [[nodiscard]] std::vector<bool> returned_by(Predicate has_returned) const {
    std::vector<bool> returned(events_.size(), false);
    for (std::size_t i = 0; i < events_.size(); ++i) returned[i] = events_[i].ended == Ended::ok && has_returned(i);
    return returned;
  }

  [[nodiscard]] bool fails_after(std::size_t operation, std::uint64_t subset) const {
    std::vector<bool> returned = returned_by([&](std::size_t i) { return events_[i].ret < time_; });
    for (std::size_t k = 0; k < tied_.size(); ++k) {
      if ((subset >> k & 1) != 0) returned[tied_[k]] = true;
    }
    if (returned[operation] || !process_order_kept(returned)) return false;
    if (!linearizable(object_, known_at(events_, returned, time_))) return false;
    returned[operation] = true;
    return process_order_kept(returned) && !linearizable(object_, known_at(events_, returned, time_));
  }

  [[nodiscard]] bool process_order_kept(const std::vector<bool>& returned) const {
    for (const std::size_t a : tied_) {
      for (const std::size_t b : tied_) {
        if (returned[b] && !returned[a] && earlier_in_process(events_, a, b)) return false;
      }
    }
    return true;
  }

  const R& object_;
  const Events<Op>& events_;
  std::int64_t time_ = 0;
  std::uint64_t before_ = 0;
  std::vector<std::size_t> tied_;
};

}  // namespace porpentine::differential
