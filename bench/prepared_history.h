// A history of a simulated system and the specification that judges it, ready for a benchmark.
#pragma once

#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>
#include <porpentine/models/specification.h>
#include <porpentine/simulate/workload.h>

#include <memory>
#include <string_view>

namespace porpentine::bench {

using namespace simulate;  // NOLINT: what benchmarks measure

struct PreparedHistory {
  History history;
  std::unique_ptr<Specification> model;
};

/// Throws where the history can't be read or the model has no such name: a mistake in the benchmark.
inline PreparedHistory prepare(const WorkloadOptions& options, std::string_view model) {
  History history = read_history_text(generate_text(options), {.format = Format::jsonl}).value();
  auto specification = make_specification(model, history.values).value();
  return {std::move(history), std::move(specification)};
}

inline PreparedHistory prepare(const WorkloadOptions& options) { return prepare(options, model_name(options.object)); }

}  // namespace porpentine::bench
