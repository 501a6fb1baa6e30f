#include <unistd.h>
#include <algorithm>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "interrupt.h"
#include "json_documents.h"
#include "judge.h"
#include "judge_arguments.h"
#include "output.h"
#include "page.h"
#include "progress_line.h"
#include "report.h"
#include "whole_file.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine check history.jsonl
  porpentine check --model register:initial=0 --time-limit 30s run-*.jsonl.gz
  porpentine check --model cas-register --format edn --independent history.edn
  porpentine check --html history.html history.jsonl
  porpentine check --json history.jsonl | jq .failures
  porpentine check --model causal-delivery trace.jsonl
  zcat history.jsonl.gz | porpentine check --model kv -

Options of a model follow its name: mutex:fenced, register:initial=0:nil-read=any
('porpentine models' lists them). Without --model, the model is the one in the history's first line:
  {"porpentine": 1, "model": "register:initial=0"}

A history is reported as 'FILE: valid', 'FILE: invalid' or 'FILE: unknown (REASON)', and indented lines say
why. Errors go to standard error, and the other histories are judged all the same. Ctrl-C ends the check with
what was found so far; a second one ends the process.

Exit codes: 0 all valid, 1 a violation, 2 usage or input error, 3 unknown. 2 beats 1 beats 3 beats 0.)";

struct CheckArguments {
  std::vector<std::string> files;
  JudgeOptions options;
  std::string html;
  bool json = false;
  bool quiet = false;
};

void add_search(CLI::App& app, CheckOptions& checking) {
  add_parsed(app, "--engine", checking.engine, parse_engine,
             "Who decides: auto (the default: a monitor, which needs no\nsearch, where the values say enough), search "
             "or monitor\n"
             "(unknown where none applies)")
      ->type_name("ENGINE");
  add_parsed(
      app, "--order", checking.order, parse_order,
      "Order of the search: portfolio (both in turns, the\ndefault), breadth-first or depth-first; either of these\n"
      "two alone rules monitors out")
      ->type_name("ORDER");
  app.add_flag("--verify", checking.verify,
               "Replay the order that was found of every valid history,\nwhich takes a search");
}

void add_options(CLI::App& app, CheckArguments& arguments) {
  add_histories(app, arguments.files);
  add_judging_options(app, arguments.options);
  add_search(app, arguments.options.checking);
  app.add_flag("--json", arguments.json, "Print one JSON object, for several histories an array");
  app.add_option("--html", arguments.html,
                 "Also write a page with the verdict and a timeline of the\nhistory, of which there must be one then")
      ->check(not_empty)
      ->type_name("FILE");
  app.add_flag("--quiet", arguments.quiet, "Leave out the valid histories in the text; no progress line");
}

/// Prints the judgements one after the other, each as soon as it is there.
class Reporter {
 public:
  explicit Reporter(const CheckArguments& arguments)
      : arguments_(arguments), documents_(out_.stream(), arguments.files.size()) {}

  void report(const Judgement& judgement) {
    if (arguments_.json) {
      documents_.add([&](std::ostream& out) { write_json_report(out, judgement); });
    } else if (!judgement.error && !(arguments_.quiet && judgement.result.valid())) {
      out_.stream() << text_report(judgement);
    }
    out_.flush();
    if (judgement.error) print_error(judgement.error->to_string());
  }

 private:
  const CheckArguments& arguments_;
  Output out_{STDOUT_FILENO, "standard output"};
  JsonDocuments documents_;
};

ExitStatus run_check(const CheckArguments& arguments) {
  if (!arguments.html.empty() && arguments.files.size() > 1) {
    print_error("--html: a page shows one history, and there are " + std::to_string(arguments.files.size()));
    return ExitStatus::error;
  }
  if (!may_write(arguments.html, arguments.files.front())) return ExitStatus::error;
  const std::atomic<bool>& cancel = catch_interrupts();
  ProgressLine progress(!arguments.quiet);
  Reporter reporter(arguments);
  ExitStatus status = ExitStatus::valid;
  for (const std::string& file : arguments.files) {
    const Judgement judgement = judge(file, arguments.options, cancel, progress);
    status = worse(status, judgement.status());
    reporter.report(judgement);
    if (!arguments.html.empty() && !judgement.error) write_page(judgement, arguments.html);
  }
  return status;
}

}  // namespace

Command add_check_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "Decide whether histories are linearizable");
  const auto arguments = std::make_shared<CheckArguments>();
  add_options(*command, *arguments);
  command->footer(kFooter);
  return {command, [arguments] {
            if (!arguments->json) arguments->options.causal_detail = kCheckDetail;
            if (!arguments->html.empty()) {
              if (!arguments->json) arguments->options.causal_detail = kPageDetail;
              arguments->options.keep_history = arguments->options.find_orders = true;
              arguments->options.checking.cores = Cores::small;
            }
            return run_check(*arguments);
          }};
}

}  // namespace porpentine::cli
