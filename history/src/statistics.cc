#include <porpentine/history/statistics.h>

#include <algorithm>
#include <cstddef>

namespace porpentine {
namespace {

/// The calls and returns of the operations that returned, each sorted: all that overlap is about.
struct SortedTimes {
  std::vector<std::int64_t> calls;
  std::vector<std::int64_t> returns;
};

SortedTimes sorted_times(const History& history, std::uint64_t ok) {
  SortedTimes times;
  times.calls.reserve(ok);
  times.returns.reserve(ok);
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history.outcome[i] != Outcome::ok) continue;
    times.calls.push_back(history.call[i]);
    times.returns.push_back(history.ret[i]);
  }
  std::sort(times.calls.begin(), times.calls.end());
  std::sort(times.returns.begin(), times.returns.end());
  return times;
}

// At each call, those that were called before and have not returned strictly before it are running. No sum
// overflows: there are less than 2^32 operations, and so less than 2^63 pairs.
void count_overlaps(const SortedTimes& times, HistoryStatistics& statistics) {
  std::size_t returned = 0;
  for (std::size_t called = 0; called < times.calls.size(); ++called) {
    while (times.returns[returned] < times.calls[called]) ++returned;
    const std::uint64_t running = called - returned;
    statistics.overlapping_pairs += running;
    statistics.max_concurrency = std::max(statistics.max_concurrency, running + 1);
  }
}

void count_functions(const History& history, HistoryStatistics& statistics) {
  auto& functions = statistics.functions;
  functions.resize(history.functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i].name = history.functions[i];
  for (std::size_t i = 0; i < history.size(); ++i) {
    auto& function = functions[history.function[i]];
    const Outcome outcome = history.outcome[i];
    ++(outcome == Outcome::ok ? function.ok : outcome == Outcome::fail ? function.fail : function.info);
  }
  for (const auto& function : functions) {
    statistics.ok += function.ok;
    statistics.fail += function.fail;
    statistics.info += function.info;
  }
  std::stable_sort(functions.begin(), functions.end(), [](const auto& left, const auto& right) {
    return left.ok + left.fail + left.info > right.ok + right.fail + right.info;
  });
}

std::uint64_t count_keys(const History& history) {
  std::vector<bool> seen(history.values.size());
  seen[kNull] = true;
  std::uint64_t keys = 0;
  for (const ValueId key : history.key) {
    if (seen[key]) continue;
    seen[key] = true;
    ++keys;
  }
  return keys;
}

void find_span(const History& history, HistoryStatistics& statistics) {
  if (history.size() == 0) return;
  statistics.first_call = *std::min_element(history.call.begin(), history.call.end());
  statistics.last_event = std::max(*std::max_element(history.call.begin(), history.call.end()),
                                   *std::max_element(history.ret.begin(), history.ret.end()));
}

}  // namespace

HistoryStatistics statistics(const History& history) {
  HistoryStatistics statistics;
  statistics.operations = history.size();
  statistics.processes = history.processes.size();
  statistics.annotations = history.annotations.size();
  statistics.keys = count_keys(history);
  count_functions(history, statistics);
  find_span(history, statistics);
  count_overlaps(sorted_times(history, statistics.ok), statistics);
  return statistics;
}

}  // namespace porpentine
