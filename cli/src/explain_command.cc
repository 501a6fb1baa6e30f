#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <porpentine/history/excerpt.h>
#include <porpentine/history/writer.h>

#include "arguments.h"
#include "command.h"
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
stand in it as indeterminate ones where the core would say less without them.

Exit codes: those of 'porpentine check'.)";

struct ExplainArguments {
  std::string file;
  std::string output;
  JudgeOptions options;
  bool json = false;
};

/// A text in a column: what does not fit is cut, by characters of UTF-8, and shows that it was.
std::string fitted(const std::string& text, std::size_t width) {
  const std::string line = one_line(text);
  std::vector<std::size_t> begins;  // of characters
  for (std::size_t k = 0; k < line.size(); ++k) {
    if ((static_cast<unsigned char>(line[k]) & 0xc0U) != 0x80U) begins.push_back(k);
  }
  if (begins.size() <= width) return line + std::string(width - begins.size(), ' ');
  return line.substr(0, begins[width - 1]) + "…";
}

/// The core as a diagram: time runs down, with a column a process.
class Diagram {
 public:
  Diagram(const History& history, const Failure& failure) : history_(history), failure_(failure) {
    for (const std::uint32_t operation : failure.core) {
      events_.push_back({history.call[operation], false, operation});
      events_.push_back({history.ret[operation], true, operation});
      const std::uint32_t process = history.process[operation];
      if (std::find(processes_.begin(), processes_.end(), process) == processes_.end()) processes_.push_back(process);
    }
    std::sort(events_.begin(), events_.end());
    width_ = std::clamp<std::size_t>(kScreen / std::max<std::size_t>(processes_.size(), 1), kNarrowest, kWidest);
  }

  void print(std::ostream& out) const {
    std::size_t times = history_.time_unit.size();
    for (const Event& event : events_) times = std::max(times, std::to_string(event.time).size());
    const auto begin_row = [&](const std::string& first) {
      return "  " + std::string(times - std::min(times, first.size()), ' ') + first + "  ";
    };
    std::string header = begin_row(one_line(history_.time_unit));
    for (const std::uint32_t process : processes_) {
      header += fitted("process " + history_.describe_name(history_.processes[process]), width_) + " ";
    }
    out << trimmed(header);
    std::vector<bool> running(processes_.size(), false);
    for (const Event& event : events_) {
      std::string row = begin_row(std::to_string(event.time));
      for (std::size_t column = 0; column < processes_.size(); ++column) {
        row += fitted(cell(event, column, running), width_) + " ";
      }
      out << trimmed(row);
    }
  }

 private:
  static constexpr std::size_t kScreen = 96;
  static constexpr std::size_t kNarrowest = 24;
  static constexpr std::size_t kWidest = 40;

  struct Event {
    std::int64_t time;
    bool is_return;  // after the calls of the same time
    std::uint32_t operation;
    bool operator<(const Event& other) const {
      return std::tie(time, is_return, operation) < std::tie(other.time, other.is_return, other.operation);
    }
  };

  std::string cell(const Event& event, std::size_t column, std::vector<bool>& running) const {
    if (history_.process[event.operation] != processes_[column]) return running[column] ? "|" : "";
    running[column] = !event.is_return;
    if (event.is_return) return "]";
    return (event.operation == failure_.operation ? "[* " : "[ ") + history_.describe_call(event.operation);
  }
  static std::string trimmed(std::string row) {
    row.erase(row.find_last_not_of(' ') + 1);
    return row + "\n";
  }

  const History& history_;
  const Failure& failure_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> processes_;  // in order of their first events
  std::size_t width_ = 0;
};

void print_failure(std::ostream& out, const History& history, const Failure& failure) {
  out << "\n" << one_line(failure.message) << "\n";
  if (failure.core.empty()) {
    out << "\n  no core was found\n";
    return;
  }
  out << "\nThe core, operations that can't be ordered whatever the others did"
      << (failure.core_minimal ? "" : " (perhaps not the fewest)") << ":\n\n";
  Diagram(history, failure).print(out);
  if (std::find(failure.core.begin(), failure.core.end(), failure.operation) != failure.core.end()) {
    out << "\n  * can't be placed\n";
  }
  if (failure.stuck.empty()) return;
  const std::uint64_t before = failure.longest_prefix;
  out << "\nWhat orders of the " << before << (before == 1 ? " operation" : " operations") << " before it lead to:\n\n";
  for (const StuckConfiguration& stuck : failure.stuck) {
    out << "  the state " << one_line(stuck.state);
    // They had not returned by then: what they answered later does not count.
    for (const std::uint32_t added : stuck.added) out << ", after " << one_line(history.describe(added, false));
    out << "\n";
    for (const RefusedStep& step : stuck.refused) {
      out << "    " << one_line(history.describe_call(step.operation)) << " is refused: " << one_line(step.reason)
          << "\n";
    }
  }
}

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
    out.stream() << json_report(judgement) << "\n";
  } else if (status == ExitStatus::invalid && judgement.causal && judgement.causal->trace) {
    out.stream() << one_line(judgement.file) << ": invalid\n";
    print_causal_violations(out.stream(), *judgement.causal);
  } else if (status != ExitStatus::invalid || !judgement.history) {
    out.stream() << text_report(judgement);
  } else {
    out.stream() << one_line(judgement.file) << ": invalid\n";
    for (const Failure& failure : judgement.result.failures) print_failure(out.stream(), *judgement.history, failure);
  }
  out.flush();
  if (arguments.output.empty()) return status;
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
            arguments->options.checking.cores = Cores::small;
            return run_explain(*arguments);
          }};
}

}  // namespace porpentine::cli
