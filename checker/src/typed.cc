#include <porpentine/checker/typed.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include <absl/container/flat_hash_map.h>

#include <porpentine/history/result.h>

namespace porpentine::detail {
namespace {

[[noreturn]] void reject(std::size_t operation, const std::string& what) {
  throw InputError({ErrorCode::order, "operation " + std::to_string(operation) + " " + what});
}

}  // namespace

std::vector<Interval> typed_intervals(std::span<const std::int64_t> processes, std::vector<Interval> intervals) {
  absl::flat_hash_map<std::int64_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    Interval& interval = intervals[i];
    interval.process = numbers.try_emplace(processes[i], static_cast<std::uint32_t>(numbers.size())).first->second;
    if (!interval.indeterminate && interval.ret < interval.call) reject(i, "returns before its call");
  }

  std::vector<std::size_t> order(intervals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = [&](std::size_t i) { return intervals[i].indeterminate ? intervals[i].call : intervals[i].ret; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(intervals[a].process, intervals[a].call, end(a), a) <
           std::tuple(intervals[b].process, intervals[b].call, end(b), b);
  });
  std::size_t running = 0;  // position in order of the process's last completed operation
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Interval& interval = intervals[order[i]];
    const Interval& last = intervals[order[running]];
    if (running < i && last.process == interval.process && !last.indeterminate && interval.call < last.ret) {
      reject(order[i], "is called by its process while operation " + std::to_string(order[running]) + " is running");
    }
    if (!interval.indeterminate || last.process != interval.process) running = i;
  }
  return intervals;
}

}  // namespace porpentine::detail
