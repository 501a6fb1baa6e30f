#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <porpentine/history/excerpt.h>
#include <porpentine/history/writer.h>

#include "arguments.h"
#include "command.h"
#include "explanation.h"
#include "interrupt.h"
#include "judge.h"
#include "judge_arguments.h"
#include "output.h"
#include "progress_line.h"
#include "report.h"
#include "whole_file.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine explain history.jsonl
  porpentine explain --model register history.jsonl -o core.jsonl && porpentine check core.jsonl

For every violation it shows the core: few operations that can't be ordered, whatever the outcomes of all others
were, such that none of them is superfluous. Time runs down, with a column a process; [ is a call, ] a return.

FILE gets these operations as a history of its own, which is invalid by itself and ready for a bug report. Others
stand in it as indeterminate ones where the core would say less without them. Of a causal trace it gets the events
that the first violation takes, none of which can be left out.

Exit codes: those of 'porpentine check'.)";

struct ExplainArguments {
  std::string file;
  std::string output;
  JudgeOptions options;
  bool json = false;
};

/// The cores of all violations as a history.
void write_cores(Judgement judgement, const std::string& file) {
  History& history = *judgement.history;
  std::vector<std::uint32_t> kept;
  for (const Failure& failure : judgement.result.failures) {
    kept.insert(kept.end(), failure.core.begin(), failure.core.end());
    for (const std::uint32_t operation : failure.context) {
      kept.push_back(operation);
      forget_outcome(history, operation);
    }
  }
  std::sort(kept.begin(), kept.end());
  keep_operations(history, kept);
  history.model = judgement.model;
  write_whole(file, [&](std::ostream& out) { write_jsonl(history, out); });
}

/// The core of the first violation of a trace as a trace.
void write_causal_core(CausalJudgement& judgement, const std::string& file) {
  CausalTrace& trace = *judgement.trace;
  const std::vector<std::uint32_t> core = causal_core(trace, judgement.result.violations.front());
  std::vector<CausalEvent> events;
  events.reserve(core.size());
  for (const std::uint32_t k : core) events.push_back(trace.events[k]);
  trace.events = std::move(events);
  write_whole(file, [&](std::ostream& out) { write_causal_trace(trace, out); });
}

ExitStatus run_explain(const ExplainArguments& arguments) {
  if (!may_write(arguments.output, arguments.file)) return ExitStatus::error;
  const std::atomic<bool>& cancel = catch_interrupts();
  ProgressLine progress(true);
  Judgement judgement = judge(arguments.file, arguments.options, cancel, progress);
  const ExitStatus status = judgement.status();
  if (judgement.error) {
    print_error(judgement.error->to_string());
    return status;
  }
  Output out(STDOUT_FILENO, "standard output");
  if (arguments.json) {
    write_json_report(out.stream(), judgement);
    out.stream() << "\n";
  } else {
    print_explanation(out.stream(), judgement);
  }
  out.flush();
  if (arguments.output.empty()) return status;
  if (judgement.causal && judgement.causal->trace && !judgement.causal->result.violations.empty()) {
    write_causal_core(*judgement.causal, arguments.output);
    return status;
  }
  const bool any = std::any_of(judgement.result.failures.begin(), judgement.result.failures.end(),
                               [](const Failure& failure) { return !failure.core.empty(); });
  if (any && judgement.history) {
    write_cores(std::move(judgement), arguments.output);
  } else {
    print_error(arguments.output + ": not written, since there is no core");
  }
  return status;
}

}  // namespace

Command add_explain_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain", "Show the few operations that prove a violation");
  const auto arguments = std::make_shared<ExplainArguments>();
  command
      ->add_option("HISTORY", arguments->file, "File to read; - is standard input, .gz and .zst are read as they are")
      ->required()
      ->check(not_empty)
      ->type_name("");
  command->add_option("-o,--output", arguments->output, "File for the cores, as a history")
      ->check(not_empty)
      ->type_name("FILE");
  add_judging_options(*command, arguments->options);
  command->add_flag("--json", arguments->json, "Print the JSON object of 'porpentine check --json'");
  command->footer(kFooter);
  return {command, [arguments] {
            arguments->options.keep_history = true;
            if (!arguments->json) arguments->options.causal_detail = kExplainDetail;
            arguments->options.checking.cores = Cores::small;
            return run_explain(*arguments);
          }};
}

}  // namespace porpentine::cli
