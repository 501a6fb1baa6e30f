#include <porpentine/history/statistics.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

#include <porpentine/history/nearly_sorted.h>

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
  sort_nearly_sorted(times.calls);
  sort_nearly_sorted(times.returns);
  return times;
}

bool any_tie(const SortedTimes& times) {
  auto call = times.calls.begin();
  for (const std::int64_t time : times.returns) {
    while (call != times.calls.end() && *call < time) ++call;
    if (call == times.calls.end()) return false;
    if (*call == time) return true;
  }
  return false;
}

/// What closed intervals say of a process whose next operation is called when one returns: that they overlap. They
/// don't.
struct Touches {
  std::vector<std::int64_t> times;  ///< sorted, one for each operation that is called at its process's last return
  std::uint64_t pairs = 0;          ///< of operations of one process that share a moment
};

/// The operations that returned, process after process.
std::vector<std::uint32_t> ok_by_process(const History& history) {
  std::vector<std::size_t> begin(history.processes.size() + 1, 0);
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history.outcome[i] == Outcome::ok) ++begin[history.process[i] + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> order(begin.back());
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.outcome[i] == Outcome::ok) order[begin[history.process[i]]++] = i;
  }
  return order;
}

Touches find_touches(const History& history, const SortedTimes& times) {
  Touches touches;
  if (!any_tie(times)) return touches;
  std::vector<std::uint32_t> order = ok_by_process(history);
  sort_nearly_sorted(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(history.process[a], history.call[a], history.ret[a], a) <
           std::tie(history.process[b], history.call[b], history.ret[b], b);
  });
  std::uint64_t chain = 0;  // operations before this one that touch the moment of its call
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint32_t last = order[i - 1];
    const std::uint32_t next = order[i];
    const bool touch = history.process[last] == history.process[next] && history.ret[last] == history.call[next];
    const bool instant = history.call[last] == history.ret[last];
    chain = !touch ? 0 : instant ? chain + 1 : 1;
    touches.pairs += chain;
    if (touch) touches.times.push_back(history.call[next]);
  }
  std::sort(touches.times.begin(), touches.times.end());
  return touches;
}

// At each call, those that were called before and have not returned strictly before it are running. No sum
// overflows: there are less than 2^32 operations, and so less than 2^63 pairs.
void count_overlaps(const SortedTimes& times, const Touches& touches, HistoryStatistics& statistics) {
  std::size_t returned = 0;
  auto touch = touches.times.begin();
  for (std::size_t called = 0; called < times.calls.size(); ++called) {
    const std::int64_t now = times.calls[called];
    while (times.returns[returned] < now) ++returned;
    std::uint64_t running = called + 1 - returned;
    statistics.overlapping_pairs += running - 1;
    if (called + 1 < times.calls.size() && times.calls[called + 1] == now) continue;  // more are called now
    for (; touch != touches.times.end() && *touch <= now; ++touch) --running;
    statistics.max_concurrency = std::max(statistics.max_concurrency, running);
  }
  statistics.overlapping_pairs -= touches.pairs;
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
  const SortedTimes times = sorted_times(history, statistics.ok);
  count_overlaps(times, find_touches(history, times), statistics);
  return statistics;
}

}  // namespace porpentine
