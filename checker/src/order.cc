// Orders: making one complete, and refuting one by the definition of linearizability.

#include <algorithm>
#include <limits>

#include <absl/container/flat_hash_map.h>

#include "decision.h"

namespace porpentine::detail {

std::vector<std::uint32_t> complete_order(const Problem& problem, std::span<const BoundOperation> operations,
                                          std::vector<std::uint32_t> order) {
  std::vector<std::uint32_t> placed = order;
  std::sort(placed.begin(), placed.end());
  // What is missing goes before the first operation that was called at its return or later. Everything that
  // returned before its call stands before that one, too.
  std::vector<std::pair<std::size_t, std::uint32_t>> missing;  // position, operation
  std::vector<std::int64_t> latest_call;
  latest_call.reserve(order.size());
  for (const std::uint32_t operation : order) {
    const std::int64_t call = problem.intervals[operation].call;
    latest_call.push_back(latest_call.empty() ? call : std::max(latest_call.back(), call));
  }
  for (const BoundOperation& bound : operations) {
    if (bound.indeterminate || std::binary_search(placed.begin(), placed.end(), bound.operation)) continue;
    const std::int64_t ret = problem.intervals[bound.operation].ret;
    const auto position = std::lower_bound(latest_call.begin(), latest_call.end(), ret) - latest_call.begin();
    missing.emplace_back(static_cast<std::size_t>(position), bound.operation);
  }
  if (missing.empty()) return order;
  std::sort(missing.begin(), missing.end(), [&](const auto& a, const auto& b) {
    const Interval& x = problem.intervals[a.second];
    const Interval& y = problem.intervals[b.second];
    return std::tie(a.first, x.ret, x.call, a.second) < std::tie(b.first, y.ret, y.call, b.second);
  });
  std::vector<std::uint32_t> complete;
  complete.reserve(order.size() + missing.size());
  auto next = missing.begin();
  for (std::size_t i = 0; i <= order.size(); ++i) {
    for (; next != missing.end() && next->first == i; ++next) complete.push_back(next->second);
    if (i < order.size()) complete.push_back(order[i]);
  }
  return complete;
}

std::optional<std::string> refute_order(const Problem& problem, std::span<const BoundOperation> operations,
                                        std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> placed(order.begin(), order.end());
  std::sort(placed.begin(), placed.end());
  const auto repeated = std::adjacent_find(placed.begin(), placed.end());
  if (repeated != placed.end()) return problem.describe(*repeated) + " stands in the order twice";
  absl::flat_hash_map<std::uint32_t, bool> indeterminate;
  for (const BoundOperation& bound : operations) {
    indeterminate.emplace(bound.operation, bound.indeterminate);
    if (!bound.indeterminate && !std::binary_search(placed.begin(), placed.end(), bound.operation)) {
      return problem.describe(bound.operation) + " is not in the order";
    }
  }

  std::int64_t earliest_return = std::numeric_limits<std::int64_t>::max();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (problem.intervals[*it].call > earliest_return) {
      return problem.describe(*it) + " stands before an operation that had returned when it was called";
    }
    if (!indeterminate.at(*it)) earliest_return = std::min(earliest_return, problem.intervals[*it].ret);
  }

  const std::unique_ptr<Replay> replay = problem.replay();
  for (const std::uint32_t operation : order) {
    if (auto reason = replay->apply({operation, indeterminate.at(operation)})) {
      return problem.describe(operation) + " is refused where the order puts it: " + *reason;
    }
  }
  return std::nullopt;
}

}  // namespace porpentine::detail
