#include <porpentine/checker/check.h>

#include <chrono>

#include <porpentine/checker/engine.h>

namespace porpentine {

CheckResult check(const Specification& model, const History& history, const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Interval> intervals(history.size());
  for (std::size_t i = 0; i < history.size(); ++i) {
    intervals[i] = {history.call[i], history.ret[i], history.process[i], is_indeterminate(history.outcome[i])};
  }
  Problem problem;
  problem.intervals = intervals;
  for (Partition& partition : model.partitions(history)) {
    problem.parts.push_back({partition.key, std::move(partition.operations)});
  }
  problem.bind = [&](std::span<const BoundOperation> operations) { return model.bind(history, operations); };
  problem.replay = [&] { return model.replay(history); };
  problem.describe = [&](std::uint32_t operation) { return history.describe(operation); };
  CheckResult result = solve(problem, options);
  result.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace porpentine
