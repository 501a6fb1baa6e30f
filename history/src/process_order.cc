#include "process_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace porpentine {

Failure check_processes(const History& history) {
  std::vector<std::uint32_t> order(history.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    const auto rank = [&](std::uint32_t i) {
      return std::tuple(history.process[i], history.call[i], history.ret[i], i);
    };
    return rank(left) < rank(right);
  });
  std::optional<std::uint32_t> running;  // the one that returns last, of those of the process that have a return
  for (const std::uint32_t i : order) {
    if (running && history.process[*running] != history.process[i]) running.reset();
    if (running && history.call[i] < history.ret[*running]) {
      const std::string process = history.values.to_json(history.processes[history.process[i]]);
      return error_at(
          history.line[i], ErrorCode::order,
          "second call of process " + process + " while " + history.describe(*running) + " is still running",
          history.describe(i));
    }
    if (!is_indeterminate(history.outcome[i])) running = i;
  }
  return {};
}

}  // namespace porpentine
