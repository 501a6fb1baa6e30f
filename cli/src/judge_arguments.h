// The options of those subcommands that judge histories.
#pragma once

#include <CLI/CLI.hpp>

#include "judge.h"

namespace porpentine::cli {

/// --model, --format, --independent, the limits and --jobs.
void add_judging_options(CLI::App& app, JudgeOptions& options);

}  // namespace porpentine::cli
