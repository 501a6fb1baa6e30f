#include "timeline.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include <porpentine/history/nearly_sorted.h>

namespace porpentine::detail {
namespace {

struct Entry {
  std::int64_t call;
  std::int64_t end;  // the return, or the call of one that never returned; known also where it is in doubt here
  std::uint32_t process;
  std::uint32_t operation;
  Label label;
  bool indeterminate;

  // The order in which a process did its operations, and the order of calls at once.
  bool operator<(const Entry& other) const {
    return std::tie(call, end, operation) < std::tie(other.call, other.end, other.operation);
  }
};

// For each entry the completed operation (its number) that its process finished at the very time of its call.
std::vector<std::uint32_t> tied_predecessors(const std::vector<Entry>& entries) {
  std::vector<std::uint32_t> predecessors;
  absl::flat_hash_map<std::uint32_t, std::pair<std::int64_t, std::uint32_t>> last;  // process -> return, number
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const auto found = last.find(entry.process);
    if (found != last.end() && found->second.first == entry.call) {
      predecessors.resize(entries.size(), kNone);
      predecessors[i] = found->second.second;
    }
    if (!entry.indeterminate) last[entry.process] = {entry.end, number++};
  }
  return predecessors;
}

// Whether any return ties with any call: only then a process's own order can say more than the times do.
bool any_tie(const std::vector<Entry>& calls, const std::vector<std::pair<std::int64_t, std::uint32_t>>& returns) {
  std::size_t i = 0;
  for (const auto& [time, number] : returns) {
    while (i < calls.size() && calls[i].call < time) ++i;
    if (i < calls.size() && calls[i].call == time) return true;
  }
  return false;
}

void assign_slots(Timeline& timeline) {
  std::vector<std::uint32_t> free;
  free.reserve(64);
  std::uint32_t called = 0;
  timeline.slot.resize(timeline.operation.size());
  for (std::uint32_t i = 0; i < timeline.returns.size(); ++i) {
    for (; called < timeline.called[i]; ++called) {
      if (free.empty()) free.push_back(timeline.slots++);
      timeline.slot[called] = free.back();
      free.pop_back();
    }
    free.push_back(timeline.slot[timeline.returns[i]]);
  }
}

struct Pending {  // an indeterminate operation before it has a group
  std::uint32_t operation;
  Label label;
  std::uint32_t call;
  std::uint32_t predecessor;
};

void make_groups(Timeline& timeline, const std::vector<Pending>& pending) {
  if (pending.empty()) return;
  std::vector<std::uint32_t> group_of(pending.size());
  std::vector<std::uint32_t> sizes;
  absl::flat_hash_map<Label, std::uint32_t> by_label;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(sizes.size());
    // One whose process orders it after another stays alone: it is not interchangeable until that one is placed.
    group_of[i] = pending[i].predecessor != kNone ? next : by_label.try_emplace(pending[i].label, next).first->second;
    if (group_of[i] == next) {
      sizes.push_back(0);
      timeline.groups.push_back({pending[i].label, 0, 0, pending[i].predecessor});
    }
    ++sizes[group_of[i]];
  }
  std::uint32_t begin = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    timeline.groups[g].begin = timeline.groups[g].end = begin;
    begin += sizes[g];
  }
  timeline.element_operation.resize(pending.size());
  timeline.element_call.resize(pending.size());
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const std::uint32_t element = timeline.groups[group_of[i]].end++;
    timeline.element_operation[element] = pending[i].operation;
    timeline.element_call[element] = pending[i].call;
  }
}

template <typename T>
std::size_t bytes(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

}  // namespace

std::size_t Timeline::memory() const {
  return bytes(operation) + bytes(label) + bytes(slot) + bytes(return_index) + bytes(predecessor) + bytes(returns) +
         bytes(called) + bytes(groups) + bytes(element_operation) + bytes(element_call);
}

Timeline make_timeline(std::span<const Interval> intervals, std::span<const BoundOperation> operations,
                       std::span<const Label> labels) {
  std::vector<Entry> entries;
  entries.reserve(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (labels[i] == kIrrelevant) continue;
    const Interval& interval = intervals[operations[i].operation];
    entries.push_back({interval.call, interval.indeterminate ? interval.call : interval.ret, interval.process,
                       operations[i].operation, labels[i], operations[i].indeterminate});
  }
  sort_nearly_sorted(entries);

  Timeline timeline;
  const auto completed_ones = static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.indeterminate; }));
  std::vector<std::pair<std::int64_t, std::uint32_t>> returns(completed_ones);
  timeline.operation.resize(completed_ones);
  timeline.label.resize(completed_ones);
  std::uint32_t number = 0;
  for (const Entry& entry : entries) {
    if (entry.indeterminate) continue;
    returns[number] = {entry.end, number};
    timeline.operation[number] = entry.operation;
    timeline.label[number] = entry.label;
    ++number;
  }
  sort_nearly_sorted(returns);

  std::vector<std::uint32_t> predecessors;
  if (any_tie(entries, returns)) predecessors = tied_predecessors(entries);

  timeline.returns.resize(returns.size());
  timeline.called.resize(returns.size());
  timeline.return_index.resize(returns.size());
  std::vector<Pending> pending;
  std::size_t next = 0;
  std::uint32_t completed = 0;
  const auto call = [&](std::uint32_t before_return) {
    const std::uint32_t predecessor = predecessors.empty() ? kNone : predecessors[next];
    if (predecessor != kNone) {
      timeline.awaited.resize(returns.size());
      timeline.awaited[predecessor] = true;
    }
    if (entries[next].indeterminate) {
      pending.push_back({entries[next].operation, entries[next].label, before_return, predecessor});
    } else {
      if (predecessor != kNone) {
        timeline.predecessor.resize(returns.size(), kNone);
        timeline.predecessor[completed] = predecessor;
      }
      ++completed;
    }
    ++next;
  };
  for (std::uint32_t i = 0; i < returns.size(); ++i) {
    while (next < entries.size() && entries[next].call <= returns[i].first) call(i);
    timeline.returns[i] = returns[i].second;
    timeline.return_index[returns[i].second] = i;
    timeline.called[i] = completed;
  }
  // What is called after the last return is indeterminate and constrains nothing.
  assign_slots(timeline);
  make_groups(timeline, pending);
  return timeline;
}

std::vector<std::uint32_t> in_order_of_return(std::span<const Interval> intervals,
                                              std::span<const BoundOperation> operations) {
  std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> returns;  // return, call, operation
  returns.reserve(operations.size());
  for (const BoundOperation& bound : operations) {
    const Interval& interval = intervals[bound.operation];
    if (!bound.indeterminate) returns.emplace_back(interval.ret, interval.call, bound.operation);
  }
  sort_nearly_sorted(returns);
  std::vector<std::uint32_t> order;
  order.reserve(returns.size());
  for (const auto& entry : returns) order.push_back(std::get<2>(entry));
  return order;
}

}  // namespace porpentine::detail
