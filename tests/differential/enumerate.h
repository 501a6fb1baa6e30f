// All histories of a few operations: every interval structure, every operation of an alphabet, every assignment to
// processes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "event.h"

namespace porpentine::differential {

struct Times {
  std::int64_t call;
  std::int64_t ret;
};

enum class Structures : std::uint8_t {
  all,         ///< every order of the calls and returns, with every tie
  precedence,  ///< one structure for every different "returned before the call of"
};

enum class Processes : std::uint8_t {
  all,  ///< every assignment in which no process does two things at once
  few,  ///< one where each operation has a process of its own, and one where processes are as few as can be
  own,  ///< each operation has a process of its own
};

/// Sequences of `count` intervals, sorted by call and return, whose times are 0 to the greatest without a gap.
inline std::vector<std::vector<Times>> structures_of(std::size_t count, Structures which) {
  std::vector<Times> grid;
  const auto end = static_cast<std::int64_t>(2 * count);
  for (std::int64_t call = 0; call < end; ++call) {
    for (std::int64_t ret = call; ret < end; ++ret) grid.push_back({call, ret});
  }
  std::vector<std::vector<Times>> found;
  std::set<std::vector<bool>> relations;
  const auto keep = [&](const std::vector<Times>& intervals) {
    std::uint64_t used = 0;
    for (const Times& times : intervals) used |= std::uint64_t{1} << times.call | std::uint64_t{1} << times.ret;
    if ((used & (used + 1)) != 0) return;
    std::vector<bool> relation;
    for (const Times& a : intervals) {
      for (const Times& b : intervals) relation.push_back(a.ret < b.call);
    }
    if (relations.insert(relation).second || which == Structures::all) found.push_back(intervals);
  };
  std::vector<Times> intervals;
  const auto extend = [&](const auto& self, std::size_t least) -> void {
    if (intervals.size() == count) return keep(intervals);
    for (std::size_t k = least; k < grid.size(); ++k) {
      intervals.push_back(grid[k]);
      self(self, k);
      intervals.pop_back();
    }
  };
  extend(extend, 0);
  return found;
}

/// Whether the process of `earlier` can go on with `later`, which stands behind it.
template <typename Op>
bool can_follow(const Event<Op>& earlier, const Event<Op>& later) {
  return earlier.ended == Ended::unknown || earlier.ret <= later.call;
}

/// Calls `visit(events)` for every assignment of the events, sorted by time, to processes.
template <typename Op, typename Visit>
void for_each_assignment(Events<Op>& events, Processes which, Visit visit) {
  if (which != Processes::all) {
    for (std::size_t i = 0; i < events.size(); ++i) events[i].process = static_cast<int>(i);
    visit(events);
    if (which == Processes::own) return;
    bool shared = false;
    std::vector<std::size_t> last;  // the last event of each process
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto free = std::find_if(last.begin(), last.end(),
                                     [&](std::size_t event) { return can_follow(events[event], events[i]); });
      shared |= free != last.end();
      events[i].process = static_cast<int>(free - last.begin());
      if (free == last.end()) {
        last.push_back(i);
      } else {
        *free = i;
      }
    }
    if (shared) visit(events);
    return;
  }
  std::vector<std::size_t> last;
  const auto assign = [&](const auto& self, std::size_t i) -> void {
    if (i == events.size()) return visit(events);
    for (std::size_t process = 0; process <= last.size(); ++process) {
      events[i].process = static_cast<int>(process);
      if (process == last.size()) {
        last.push_back(i);
        self(self, i + 1);
        last.pop_back();
      } else if (can_follow(events[last[process]], events[i])) {
        const std::size_t before = std::exchange(last[process], i);
        self(self, i + 1);
        last[process] = before;
      }
    }
  };
  assign(assign, 0);
}

/// Whether `intervals` is the structure to take, of those that differ in the return of interval `i` alone.
inline bool stands_for_any_return(const std::vector<Times>& intervals, std::size_t i, Structures structures) {
  if (structures == Structures::all) return intervals[i].call == intervals[i].ret;
  return std::none_of(intervals.begin(), intervals.end(),
                      [&](const Times& later) { return intervals[i].ret < later.call; });
}

/// Calls `visit(events)` for every history of `count` operations out of `alphabet`. An indeterminate operation has no
/// return, so of structures that differ in it alone only one is taken.
template <typename Op, typename Visit>
void for_each_history(std::size_t count, Structures structures, Processes processes,
                      const std::vector<Event<Op>>& alphabet, Visit visit) {
  for (const std::vector<Times>& intervals : structures_of(count, structures)) {
    Events<Op> events(count);
    const auto choose = [&](const auto& self, std::size_t i) -> void {
      if (i == count) return for_each_assignment(events, processes, visit);
      const bool unknown_too = stands_for_any_return(intervals, i, structures);
      for (const Event<Op>& symbol : alphabet) {
        if (symbol.ended == Ended::unknown && !unknown_too) continue;
        events[i] = symbol;
        events[i].call = intervals[i].call;
        events[i].ret = intervals[i].ret;
        self(self, i + 1);
      }
    };
    choose(choose, 0);
  }
}

}  // namespace porpentine::differential
