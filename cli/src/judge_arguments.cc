#include "judge_arguments.h"

#include <memory>
#include <string>

#include <porpentine/models/specification.h>

#include "arguments.h"

namespace porpentine::cli {
namespace {

/// A model that does not exist is the command line's fault, not the histories'.
Result<std::string> parse_model(const std::string& name) {
  ValueTable values;
  const Result<std::unique_ptr<Specification>> model = make_specification(name, values);
  if (!model) return Error{ErrorCode::usage, model.error().message};
  return name;
}

void add_limits(CLI::App& app, JudgeOptions& options) {
  CheckOptions& checking = options.checking;
  add_parsed(app, "--time-limit", checking.time_limit, parse_duration,
             "Time that the check of each history may take, such as 30s\n(units: ns, us, ms, s, m, h; default: none)")
      ->type_name("TIME");
  add_parsed(app, "--memory-limit", options.memory_limit, parse_bytes,
             "Memory that the process may take, such as 4GiB (units: B,\n"
             "KiB, MiB, GiB, KB, MB, GB; default: 80% of the machine's)")
      ->type_name("SIZE");
  add_parsed(app, "--step-limit", checking.step_limit, parse_count,
             "Steps of the model that the check of each history may\ntake (default: none)")
      ->type_name("N");
}

}  // namespace

void add_judging_options(CLI::App& app, JudgeOptions& options) {
  add_parsed(app, "--model", options.model, parse_model, "The model, with its options: NAME[:OPTION[=VALUE]]...")
      ->type_name("MODEL");
  add_reading_options(app, options.reading);
  add_limits(app, options);
  add_parsed(app, "--jobs", options.checking.jobs, parse_jobs, "Threads (default: 0, as many as there are processors)")
      ->type_name("N");
}

}  // namespace porpentine::cli
