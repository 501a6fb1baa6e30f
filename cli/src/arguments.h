// What the subcommands' options have in common, and how their values are read.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <porpentine/checker/option_names.h>
#include <porpentine/checker/options.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>

namespace porpentine::cli {

/// Why this is no name of a file; empty where it may be one.
std::string not_empty(const std::string& file);

/// "30s", "1.5m": a number and one of ns, us, ms, s, m, h.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
/// "4GiB", "1.5GB": a number and one of B, KiB, MiB, GiB, KB, MB, GB.
Result<std::uint64_t> parse_bytes(std::string_view text);
/// Digits alone.
Result<std::uint64_t> parse_count(std::string_view text);
/// Digits alone, at most 1024.
Result<unsigned> parse_jobs(std::string_view text);

/// An option whose value `parse` turns into a Result; what it refuses is a usage error that names the option.
template <typename Target, typename Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, Target& target, Parse parse, std::string description) {
  const auto assign = [&target, parse, name](const std::string& text) {
    auto value = parse(text);
    if (!value) throw CLI::ValidationError(name, value.error().message);
    target = std::move(*value);
  };
  return app.add_option_function<std::string>(name, assign, std::move(description));
}

/// The positional HISTORY...; a second "-" among them is a usage error.
void add_histories(CLI::App& app, std::vector<std::string>& files);

/// --format and --independent.
void add_reading_options(CLI::App& app, ReadOptions& options);

}  // namespace porpentine::cli
