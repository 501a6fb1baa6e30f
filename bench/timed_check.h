// Times a check of a generated history, and looks at its verdict. With manual time, what it took to tell where a
// history fails is left out.
#pragma once

#include <benchmark/benchmark.h>
#include <porpentine/checker/check.h>
#include <porpentine/simulate/workload.h>

#include <cstdint>
#include <string_view>

#include "prepared_history.h"

namespace porpentine::bench {

inline void time_check(benchmark::State& state, const WorkloadOptions& options, std::string_view model,
                       const CheckOptions& how) {
  const PreparedHistory prepared = prepare(options, model);
  CheckResult result;
  for (auto _ : state) {
    result = check(*prepared.model, prepared.history, how);
    state.SetIterationTime(result.elapsed_s - result.explain_s);
  }
  const Verdict expected = options.fault == Fault::none ? Verdict::valid : Verdict::invalid;
  if (result.verdict != expected) state.SkipWithError("wrong verdict");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(prepared.history.size()));
  state.counters["configurations"] = static_cast<double>(result.statistics.configurations);
  state.counters["peak_bytes"] = static_cast<double>(result.statistics.peak_memory);
}

inline void time_check(benchmark::State& state, const WorkloadOptions& options, const CheckOptions& how) {
  time_check(state, options, model_name(options.object), how);
}

}  // namespace porpentine::bench
