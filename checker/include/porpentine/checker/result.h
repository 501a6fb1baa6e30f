// What a check found out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <porpentine/history/value.h>

namespace porpentine {

/// `unknown` means that a limit was reached. It is never a pass.
enum class Verdict : std::uint8_t { valid, invalid, unknown };

/// Why a verdict is unknown. `not_applicable`: a monitor was asked for, and none applies.
enum class Limit : std::uint8_t { none, time, memory, steps, cancelled, not_applicable };

/// "valid", "invalid", "unknown"
const char* to_string(Verdict verdict);
/// "none", "time-limit", "memory-limit", "step-limit", "cancelled", "not-applicable"
const char* to_string(Limit limit);

/// The model's answer to an operation that can't happen in some state.
struct RefusedStep {
  std::uint32_t operation = 0;
  std::string reason;  ///< in words that follow "where": `the register holds 3`
};

/// Where an order of everything before a failure ends.
struct StuckConfiguration {
  /// What was placed after Failure::order: operations that may or may not have happened.
  std::vector<std::uint32_t> added = {};
  std::string state;                      ///< as a person would write it
  std::vector<RefusedStep> refused = {};  ///< what was tried next, the failing operation among it
};

/// `first` had returned before `second` was called; in ties as their process orders them.
struct PrecedingPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Why a partition is not linearizable.
struct Failure {
  ValueId key = kNull;
  std::uint32_t operation = 0;  ///< the first that can't be placed: the history before its return is linearizable
  /// How many operations with a known outcome returned before it (in this partition): the longest prefix that is
  /// linearizable; where the message says that it may be an earlier operation, what is known of it.
  std::uint64_t longest_prefix = 0;
  std::string message;  ///< one line
  /// Indices of few operations that can't be ordered whatever the outcomes of all others were. Empty where a limit, or
  /// the budget for explaining, ended the search for them.
  std::vector<std::uint32_t> core = {};
  std::vector<PrecedingPair> core_order = {};  ///< of the core, with none of the core in between
  bool core_minimal = false;  ///< whether an order exists as soon as the outcome of any one of the core is forgotten
  /// Others that such an order takes, their own outcomes forgotten: the core and these, as indeterminate ones, are a
  /// history by themselves with the same core.
  std::vector<std::uint32_t> context = {};
  /// An order of the longest prefix up to where the failing operation was tried. Empty where none was looked for, in
  /// long partitions that a monitor refuted, or a limit was in the way.
  std::vector<std::uint32_t> order = {};
  std::vector<StuckConfiguration> stuck = {};  ///< a few of those that such orders lead to
};

struct PartitionResult {
  ValueId key = kNull;
  Verdict verdict = Verdict::unknown;
  Limit limit = Limit::none;
  bool by_monitor = false;  ///< decided without a search
  std::uint64_t operations = 0;
  std::uint64_t indeterminate = 0;
  /// Operations returned before the furthest moment that the search reached; says how far an unknown came.
  std::uint64_t reached = 0;
  /// Of an unknown: how many of its completed operations ran at once, at most; 0 where it was never looked at.
  std::uint32_t max_concurrency = 0;
  std::vector<std::uint32_t> linearization;  ///< see CheckOptions::linearization; indices in order
};

/// How far an unknown came and what made it hard, in words.
std::string describe_progress(const PartitionResult& partition, const ValueTable& values);

struct SearchStatistics {
  std::uint64_t configurations = 0;  ///< entered while deciding; failures are located and worded on top of that
  std::uint64_t steps = 0;           ///< of the model
  std::uint64_t peak_memory = 0;     ///< bytes accounted at once
};

struct CheckResult {
  Verdict verdict = Verdict::valid;         ///< invalid beats unknown beats valid
  Limit limit = Limit::none;                ///< of the first unknown partition
  std::vector<PartitionResult> partitions;  ///< in order of their first operation
  std::vector<Failure> failures;            ///< one for each invalid partition, by the return of its operation
  SearchStatistics statistics;
  double elapsed_s = 0;  ///< seconds, wall clock, explain_s included
  double explain_s = 0;  ///< of that, after the last partition had its verdict, for locating and wording failures

  [[nodiscard]] bool valid() const { return verdict == Verdict::valid; }
  /// Whether monitors decided all of it.
  [[nodiscard]] bool by_monitor() const {
    return !partitions.empty() && std::all_of(partitions.begin(), partitions.end(),
                                              [](const PartitionResult& part) { return part.by_monitor; });
  }
};

}  // namespace porpentine
