// The subcommands: each registers its options with the parser and hands back what runs it.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "exit_status.h"

namespace porpentine::cli {

/// A subcommand and what to do once the arguments are parsed.
struct Command {
  CLI::App* app = nullptr;
  std::function<ExitStatus()> run;
};

Command add_check_command(CLI::App& app);
Command add_explain_command(CLI::App& app);
Command add_render_command(CLI::App& app);
Command add_stats_command(CLI::App& app);
Command add_convert_command(CLI::App& app);
Command add_models_command(CLI::App& app);

/// Parses the arguments and runs the subcommand that they name. Errors are printed; nothing is thrown.
ExitStatus run_command(int argc, char** argv);

}  // namespace porpentine::cli
