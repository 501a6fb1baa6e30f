// One history from its file to its verdict.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>
#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>
#include <porpentine/models/specification.h>

#include "causal_judgement.h"
#include "exit_status.h"
#include "follow.h"
#include "memory.h"
#include "progress_line.h"

namespace porpentine::cli {

struct JudgeOptions {
  std::string model;  ///< empty: the one in the history's header
  ReadOptions reading;
  CheckOptions checking;                                ///< its memory limit is set for each history, from memory_limit
  std::uint64_t memory_limit = default_memory_limit();  ///< of the process
  bool keep_history = false;                            ///< or trace, also where it could be judged while it comes
  CausalDetail causal_detail;                           ///< what is kept of violations of causal delivery
  bool find_orders = false;                             ///< of what is valid, under a budget of their own
};

/// What came of one history: an input error, or a verdict.
struct Judgement {
  std::string file;
  std::optional<Error> error;
  /// None where a limit was reached while it was read, or where it was too long to keep.
  std::shared_ptr<History> history;
  std::optional<Following> following;            ///< what was found while it came, where there is no history
  std::string model;                             ///< empty where none was known
  std::shared_ptr<Specification> specification;  ///< of that name, where the history was checked
  CheckResult result;                            ///< meaningful where there is no error; of a trace, the verdict is
  std::optional<CausalJudgement> causal;         ///< of a causal trace, instead of what there is of a history
  bool verified = false;

  /// What came of a causal trace.
  void take(CausalJudgement judged);
  [[nodiscard]] ExitStatus status() const;
};

/// What finding the orders of a history may take, under a limit for checking it.
[[nodiscard]] std::uint64_t steps_for_orders(std::optional<std::uint64_t> step_limit, std::uint64_t operations);

/// Reads, validates and checks. Nothing is thrown: what goes wrong is the judgement's error.
Judgement judge(const std::string& file, const JudgeOptions& options, const std::atomic<bool>& cancel,
                ProgressLine& progress);

}  // namespace porpentine::cli
