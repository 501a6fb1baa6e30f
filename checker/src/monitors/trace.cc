#include "trace.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <porpentine/history/nearly_sorted.h>

namespace porpentine::detail {

bool Tracer::prepare(std::span<const BoundOperation> operations) {
  operations_ = operations;
  ++partition_;
  const auto called_before = [&](const BoundOperation& a, const BoundOperation& b) {
    return history_.call[a.operation] < history_.call[b.operation];
  };
  if (!std::is_sorted(operations_.begin(), operations_.end(), called_before)) sort(called_before);
  tied_ = processes_tie();
  return !tied_ || rank();
}

template <typename Less>
void Tracer::sort(Less less) {
  LargeVector<BoundOperation> sorted(operations_.begin(), operations_.end());
  sort_nearly_sorted(sorted, less);
  sorted_ = std::move(sorted);
  operations_ = sorted_;
}

bool Tracer::processes_tie() {
  last_.resize(history_.processes.size());
  for (const BoundOperation& bound : operations_) {
    Last& last = last_[history_.process[bound.operation]];
    const std::int64_t call = history_.call[bound.operation];
    if (last.partition == partition_ && (last.ret == call || last.call == call)) return true;
    last = {call, bound.indeterminate ? call : history_.ret[bound.operation], partition_};
  }
  return false;
}

bool Tracer::rank() {
  // The order in which a process did its operations, also where their calls tie.
  sort([&](const BoundOperation& a, const BoundOperation& b) {
    const auto key = [&](const BoundOperation& bound) {
      return std::tuple(history_.call[bound.operation], history_.ret[bound.operation], bound.operation);
    };
    return key(a) < key(b);
  });
  LargeVector<Event> events;
  events.reserve(2 * operations_.size());
  for (std::uint32_t position = 0; position < operations_.size(); ++position) {
    const BoundOperation& bound = operations_[position];
    events.push_back({history_.call[bound.operation], position, false});
    if (!bound.indeterminate) events.push_back({history_.ret[bound.operation], position, true});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.time, a.position, a.is_return) < std::tie(b.time, b.position, b.is_return);
  });
  ranks_of_calls_.resize(history_.size());
  ranks_of_returns_.resize(history_.size());
  ++partition_;  // last_ begins anew
  std::int64_t rank = 0;
  for (std::size_t begin = 0; begin < events.size();) {
    std::size_t end = begin + 1;
    while (end < events.size() && events[end].time == events[begin].time) ++end;
    if (!rank_moment(std::span(events).subspan(begin, end - begin), rank)) return false;
    begin = end;
  }
  sort([&](const BoundOperation& a, const BoundOperation& b) {
    return ranks_of_calls_[a.operation] < ranks_of_calls_[b.operation];
  });
  return true;
}

// All calls of a moment overlap with all its returns, but for those of a process that does one thing after the other.
bool Tracer::rank_moment(std::span<const Event> events, std::int64_t& rank) {
  const auto process_of = [&](const Event& event) { return history_.process[operations_[event.position].operation]; };
  std::uint32_t busy = kNobody;  // the process with tied operations
  for (const Event& event : events) {
    const std::uint32_t process = process_of(event);
    Last& last = last_[process];
    if (event.is_return) {
      last = {event.time, event.time, partition_};
    } else if (last.partition == partition_ && last.ret == event.time) {
      if (busy != kNobody && busy != process) return false;
      busy = process;
    }
  }
  for (const Event& event : events) {
    if (!event.is_return && process_of(event) != busy) set(event, rank);
  }
  for (const Event& event : events) {
    if (process_of(event) == busy) set(event, ++rank);
  }
  ++rank;
  for (const Event& event : events) {
    if (event.is_return && process_of(event) != busy) set(event, rank);
  }
  ++rank;
  return true;
}

void Tracer::set(const Event& event, std::int64_t rank) {
  LargeVector<std::int64_t>& ranks = event.is_return ? ranks_of_returns_ : ranks_of_calls_;
  ranks[operations_[event.position].operation] = rank;
}

std::size_t Tracer::memory() const {
  return sorted_.capacity() * sizeof(BoundOperation) +
         (ranks_of_calls_.capacity() + ranks_of_returns_.capacity()) * sizeof(std::int64_t) +
         last_.capacity() * sizeof(Last);
}

}  // namespace porpentine::detail
