// The dynamic entry: monitors first, and the search for what they leave.

#include <porpentine/checker/check.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <porpentine/checker/engine.h>
#include <porpentine/history/large_vector.h>

#include "decision.h"
#include "monitors/monitor.h"

namespace porpentine {
namespace detail {
namespace {

std::vector<Interval> intervals_of(const History& history) {
  std::vector<Interval> intervals(history.size());
  for (std::size_t i = 0; i < history.size(); ++i) {
    intervals[i] = {history.call[i], history.ret[i], history.process[i], is_indeterminate(history.outcome[i])};
  }
  return intervals;
}

/// Without parts. It refers to its arguments.
Problem problem_of(const Specification& model, const History& history, std::span<const Interval> intervals) {
  Problem problem;
  problem.intervals = intervals;
  problem.bind = [&](std::span<const BoundOperation> operations) { return model.bind(history, operations); };
  problem.replay = [&] { return model.replay(history); };
  problem.describe = [&](std::uint32_t operation) { return history.describe(operation); };
  return problem;
}

class Check {
 public:
  Check(const Specification& model, const History& history, const CheckOptions& options)
      : model_(model), history_(history), options_(options), limits_(options), partitions_(model.partitions(history)) {}

  CheckResult run() {
    result_.partitions.resize(partitions_.size());
    for (std::size_t part = 0; part < partitions_.size(); ++part) describe(part);
    ask_monitors();
    if (!left_.empty()) search();
    conclude();
    return std::move(result_);
  }

 private:
  void describe(std::size_t part) {
    PartitionResult& result = result_.partitions[part];
    result.key = partitions_[part].key;
    result.operations = partitions_[part].operations.size();
    for (const std::uint32_t operation : partitions_[part].operations) {
      result.indeterminate += is_indeterminate(history_.outcome[operation]) ? 1 : 0;
    }
  }

  /// What no monitor decides, or refutes without saying where, is left to the search.
  void ask_monitors() {
    // An order comes from the search alone, and so do steps that promises could be tested at.
    const bool search_wanted = options_.engine == Engine::search || options_.verify || options_.linearization ||
                               options_.test_promises || options_.order != SearchOrder::portfolio;
    if (!search_wanted || options_.engine == Engine::monitor) {
      monitor_ = std::make_unique<Monitor>(history_, model_.vocabulary(history_));
    }
    LargeVector<BoundOperation> operations;
    for (std::size_t part = 0; part < partitions_.size(); ++part) {
      Ruling ruling;
      if (monitor_ && monitor_->exists()) {
        bind(partitions_[part], operations);
        ruling = monitor_->rule(operations, limits_);
      }
      take(part, std::move(ruling));
    }
  }

  void bind(const Partition& partition, LargeVector<BoundOperation>& operations) const {
    operations.resize(partition.operations.size());
    std::transform(partition.operations.begin(), partition.operations.end(), operations.begin(),
                   [&](std::uint32_t operation) {
                     return BoundOperation{operation, is_indeterminate(history_.outcome[operation])};
                   });
  }

  void take(std::size_t part, Ruling ruling) {
    PartitionResult& result = result_.partitions[part];
    result.by_monitor = ruling.answer == Answer::yes || ruling.answer == Answer::no;
    switch (ruling.answer) {
      case Answer::yes:
        result.verdict = Verdict::valid;
        break;
      case Answer::stopped:
        result.limit = limits_.reached();
        break;
      case Answer::no:
        left_.push_back({part, std::move(ruling)});
        break;
      case Answer::not_applicable:
        if (options_.engine == Engine::monitor) {
          result.limit = Limit::not_applicable;
        } else {
          left_.push_back({part, std::nullopt});
        }
        break;
    }
  }

  void search() {
    const std::vector<Interval> intervals = intervals_of(history_);
    Problem problem = problem_of(model_, history_, intervals);
    problem.parts.reserve(left_.size());
    for (const Left& left : left_) {
      Partition& partition = partitions_[left.part];
      problem.parts.push_back({partition.key, std::move(partition.operations), {}});
      if (left.refuted_by) problem.parts.back().refuted_by = suspect(*left.refuted_by, intervals);
    }
    problem.monitor = monitor_ && monitor_->exists() ? monitor_.get() : nullptr;
    CheckResult searched = solve(problem, options_for_search());
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const bool by_monitor = left_[k].refuted_by.has_value();
      result_.partitions[left_[k].part] = std::move(searched.partitions[k]);
      result_.partitions[left_[k].part].by_monitor = by_monitor;
    }
    result_.failures = std::move(searched.failures);
    result_.statistics = searched.statistics;
    result_.explain_s = searched.explain_s;
  }

  /// With the time that the monitors left, and their partitions counted as done.
  [[nodiscard]] CheckOptions options_for_search() const {
    CheckOptions options = options_;
    if (options.time_limit) *options.time_limit -= limits_.elapsed();
    if (options.progress) {
      Progress done;
      for (const PartitionResult& part : result_.partitions) {
        done.partitions += 1;
        done.operations += part.operations;
        if (part.verdict != Verdict::valid) continue;
        done.partitions_done += 1;
        done.operations_done += part.operations;
      }
      options.progress = [this, done](const Progress& searched) {
        options_.progress({done.partitions_done + searched.partitions_done, done.partitions,
                           done.operations_done + searched.operations_done, done.operations});
      };
    }
    return options;
  }

  void conclude() {
    for (const PartitionResult& part : result_.partitions) {
      if (part.verdict == Verdict::invalid) result_.verdict = Verdict::invalid;
      if (part.verdict != Verdict::unknown) continue;
      if (result_.verdict == Verdict::valid) result_.verdict = Verdict::unknown;
      if (result_.limit == Limit::none) result_.limit = part.limit;
    }
    result_.statistics.peak_memory = std::max(result_.statistics.peak_memory, limits_.peak_memory());
    result_.elapsed_s = limits_.elapsed_s();
  }

  struct Left {
    std::size_t part;
    std::optional<Ruling> refuted_by;  // where a monitor did
  };

  const Specification& model_;
  const History& history_;
  const CheckOptions& options_;
  Limits limits_;
  std::vector<Partition> partitions_;
  std::unique_ptr<Monitor> monitor_;
  std::vector<Left> left_;
  CheckResult result_;
};

}  // namespace
}  // namespace detail

CheckResult check(const Specification& model, const History& history, const CheckOptions& options) {
  return detail::Check(model, history, options).run();
}

void find_orders(const Specification& model, const History& history, CheckResult& result, const CheckOptions& options) {
  const std::vector<Interval> intervals = detail::intervals_of(history);
  Problem problem = detail::problem_of(model, history, intervals);
  std::vector<Partition> partitions = model.partitions(history);
  std::vector<std::size_t> sought;
  for (std::size_t part = 0; part < partitions.size(); ++part) {
    const PartitionResult& found = result.partitions[part];
    if (found.verdict != Verdict::valid || !found.linearization.empty()) continue;
    problem.parts.push_back({partitions[part].key, std::move(partitions[part].operations), {}});
    sought.push_back(part);
  }
  if (sought.empty()) return;
  CheckOptions searching = options;
  searching.linearization = true;
  CheckResult searched = solve(problem, searching);
  for (std::size_t k = 0; k < sought.size(); ++k) {
    result.partitions[sought[k]].linearization = std::move(searched.partitions[k].linearization);
  }
}

}  // namespace porpentine
