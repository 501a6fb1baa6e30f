// Causal traces: judging, and what is said about them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/history/json_writer.h>

namespace porpentine::cli {

inline constexpr const char* kCausalModel = "causal-delivery";

/// What the text of `check`, that of `explain`, and the page tell.
inline constexpr CausalDetail kCheckDetail{.violations = 10, .missing = 3};
inline constexpr CausalDetail kExplainDetail{.violations = 10, .missing = 10};
inline constexpr CausalDetail kPageDetail{.violations = 1000, .missing = 50};

struct CausalJudgement {
  CausalNames names;
  std::optional<CausalTrace> trace;  ///< where it was to be kept
  CausalResult result;
};

/// Reads and judges, at once unless the trace is to be kept. An Error for bad input.
Result<CausalJudgement> judge_causal(CausalTraceReader& reader, const std::string& file, bool keep,
                                     CheckOptions options, CausalDetail detail);

/// Why a trace that is valid proves little; empty where it proves what it can.
[[nodiscard]] std::string emptiness(const CausalStatistics& statistics);

/// What stands behind "FILE: ".
[[nodiscard]] std::string causal_text(const CausalJudgement& judgement);

/// Members of the JSON object, behind "valid", "model" and "engine". `spill` is called now and then to empty what was
/// written.
void write_causal_json(JsonWriter& json, const CausalJudgement& judgement, const std::function<void()>& spill);

/// The violations with the events that prove them. The trace was kept.
void print_causal_violations(std::ostream& out, const CausalJudgement& judgement);

}  // namespace porpentine::cli
