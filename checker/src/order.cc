// Orders: making one complete, and refuting one by the definition of linearizability.

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "decision.h"

namespace porpentine::detail {
namespace {

/// Operations in the order in which their processes did them.
class ProcessOrder {
 public:
  struct Entry {
    std::uint32_t process;
    std::int64_t call;
    std::int64_t end;  ///< the return, or the call of an indeterminate one
    std::uint32_t operation;
    bool indeterminate;
    std::size_t position;  ///< in the order that is looked at

    bool operator<(const Entry& other) const {
      return std::tie(process, call, end, operation) < std::tie(other.process, other.call, other.end, other.operation);
    }
  };

  ProcessOrder(const Problem& problem, std::span<const BoundOperation> operations,
               std::span<const std::uint32_t> order) {
    absl::flat_hash_map<std::uint32_t, std::size_t> positions;
    positions.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) positions.emplace(order[i], i);
    for (const BoundOperation& bound : operations) {
      const Interval& interval = problem.intervals[bound.operation];
      const auto position = positions.find(bound.operation);
      entries_.push_back({interval.process, interval.call, interval.indeterminate ? interval.call : interval.ret,
                          bound.operation, bound.indeterminate,
                          position == positions.end() ? kNowhere : position->second});
    }
    std::sort(entries_.begin(), entries_.end());
  }

  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// The earliest position of what entry `i`'s process called at the very time at which it returned.
  [[nodiscard]] std::size_t position_after(std::size_t i) const {
    std::size_t earliest = kNowhere;
    for (std::size_t j = i + 1; j < entries_.size(); ++j) {
      if (entries_[j].process != entries_[i].process || entries_[j].call > entries_[i].end) break;
      earliest = std::min(earliest, entries_[j].position);
    }
    return earliest;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<std::uint32_t> complete_order(const Problem& problem, std::span<const BoundOperation> operations,
                                          std::vector<std::uint32_t> order) {
  // What is missing goes before the first operation that was called after its return, by the clock or by its
  // process. Everything that must stand before it stands before that one, too.
  std::vector<std::int64_t> latest_call;
  latest_call.reserve(order.size());
  for (const std::uint32_t operation : order) {
    const std::int64_t call = problem.intervals[operation].call;
    latest_call.push_back(latest_call.empty() ? call : std::max(latest_call.back(), call));
  }
  const ProcessOrder by_process(problem, operations, order);
  std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t, std::uint32_t>> missing;  // position, return, call
  for (std::size_t i = 0; i < by_process.entries().size(); ++i) {
    const ProcessOrder::Entry& entry = by_process.entries()[i];
    if (entry.indeterminate || entry.position != ProcessOrder::kNowhere) continue;
    const auto later = std::upper_bound(latest_call.begin(), latest_call.end(), entry.end) - latest_call.begin();
    missing.emplace_back(std::min(static_cast<std::size_t>(later), by_process.position_after(i)), entry.end, entry.call,
                         entry.operation);
  }
  if (missing.empty()) return order;
  std::sort(missing.begin(), missing.end());
  std::vector<std::uint32_t> complete;
  complete.reserve(order.size() + missing.size());
  auto next = missing.begin();
  for (std::size_t i = 0; i <= order.size(); ++i) {
    for (; next != missing.end() && std::get<0>(*next) == i; ++next) complete.push_back(std::get<3>(*next));
    if (i < order.size()) complete.push_back(order[i]);
  }
  return complete;
}

std::optional<std::string> refute_order(const Problem& problem, std::span<const BoundOperation> operations,
                                        std::span<const std::uint32_t> order) {
  const ProcessOrder by_process(problem, operations, order);
  absl::flat_hash_map<std::uint32_t, bool> indeterminate;
  std::size_t placed = 0;
  for (std::size_t i = 0; i < by_process.entries().size(); ++i) {
    const ProcessOrder::Entry& entry = by_process.entries()[i];
    indeterminate.emplace(entry.operation, entry.indeterminate);
    placed += entry.position != ProcessOrder::kNowhere ? 1 : 0;
    if (entry.indeterminate) continue;
    if (entry.position == ProcessOrder::kNowhere) return problem.describe(entry.operation) + " is not in the order";
    if (by_process.position_after(i) < entry.position) {
      return problem.describe(entry.operation) + " stands behind an operation that its process called later";
    }
  }
  if (placed != order.size()) return std::string("an operation stands in the order twice, or does not belong there");

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
