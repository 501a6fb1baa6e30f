#include "command.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "memory.h"
#include "output.h"

namespace porpentine::cli {
namespace {

constexpr const char* kDescription = "Decides whether what a concurrent system did is linearizable.";

constexpr const char* kFooter = R"(Examples:
  porpentine check history.jsonl
      The model stands in the history's header line: {"porpentine": 1, "model": "kv"}
  porpentine check --model register:initial=0 --time-limit 30s run-*.jsonl.gz
  porpentine explain history.jsonl
      The few operations that prove a violation.
  porpentine check --html history.html history.jsonl
      A page with the verdict and a timeline, to be opened in a browser.
  porpentine stats history.jsonl
      How much concurrency and doubt the history holds: what a pass would prove.
  porpentine convert history.edn -o history.jsonl
  porpentine models log
      What the model "log" is called with, and an example of a line.

'porpentine SUBCOMMAND --help' tells more.

Exit codes:
  0  every history is valid
  1  a violation: a history is not linearizable
  2  the command was used wrongly, or an input is not a history
  3  unknown: a limit was reached, or the check was cancelled, before there was a verdict
Where several histories differ, 2 beats 1 beats 3 beats 0.)";

/// The next file that is opened would take the place of a standard descriptor that is closed. What stands there instead
/// fails when it is used, as a closed one does.
void occupy_standard_descriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

ExitStatus print(const std::string& text) {
  Output out(STDOUT_FILENO, "standard output");
  out.stream() << text;
  out.flush();
  return ExitStatus::valid;
}

ExitStatus usage_error(const CLI::App& app, const std::string& message) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::vector<std::string> unexpected = app.remaining();
  if (!chosen.empty()) {
    print_error(message + " (see 'porpentine " + chosen.front()->get_name() + " --help')");
  } else if (!unexpected.empty()) {
    print_error("'" + unexpected.front() + "' is not a subcommand (see 'porpentine --help')");
  } else {
    print_error(message + " (see 'porpentine --help')");
  }
  return ExitStatus::error;
}

ExitStatus parse_and_run(int argc, char** argv) {
  CLI::App app(kDescription, "porpentine");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", "porpentine " PORPENTINE_VERSION, "Print the version and exit");
  app.get_formatter()->column_width(28);
  const std::vector<Command> commands = {add_check_command(app), add_explain_command(app), add_render_command(app),
                                         add_stats_command(app), add_convert_command(app), add_models_command(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion&) {
    return print(app.version() + "\n");
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error.what());
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return ExitStatus::error;
}

}  // namespace

ExitStatus run_command(int argc, char** argv) {
  occupy_standard_descriptors();
  return_large_blocks();
  // A pipe that was closed and a file that grew too large are failed writes, reported as any other.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return ExitStatus::error;
}

}  // namespace porpentine::cli
