// Causal traces: judging, and what is said about them.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/history/json_writer.h>

namespace porpentine::cli {

inline constexpr const char* kCausalModel = "causal-delivery";

struct CausalJudgement {
  CausalNames names;
  std::optional<CausalTrace> trace;  ///< where it was to be kept
  CausalResult result;
};

/// Reads and judges at once. An Error for bad input.
Result<CausalJudgement> judge_causal(CausalTraceReader& reader, const std::string& file, bool keep,
                                     const CheckOptions& options);

/// What stands behind "FILE: ".
[[nodiscard]] std::string causal_text(const CausalJudgement& judgement);

/// Members of the JSON object, behind "valid", "model" and "engine".
void write_causal_json(JsonWriter& json, const CausalJudgement& judgement);

/// The violations with the events that prove them. The trace was kept.
void print_causal_violations(std::ostream& out, const CausalJudgement& judgement);

}  // namespace porpentine::cli
