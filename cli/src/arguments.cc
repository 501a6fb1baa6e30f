#include "arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace porpentine::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 6> kDurations = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 7> kSizes = {{{"B", 1},
                                         {"KiB", 1024.0},
                                         {"MiB", 1024.0 * 1024},
                                         {"GiB", 1024.0 * 1024 * 1024},
                                         {"KB", 1e3},
                                         {"MB", 1e6},
                                         {"GB", 1e9}}};
constexpr double kTooLarge = 9223372036854775808.0;  // 2^63
constexpr std::uint64_t kMostJobs = 1024;

Error usage(std::string message) { return Error{ErrorCode::usage, std::move(message)}; }

std::optional<double> factor_of(std::string_view unit, std::span<const Unit> units) {
  for (const Unit& known : units) {
    if (known.name == unit) return known.factor;
  }
  return std::nullopt;
}

/// A number that is not negative, and a unit; the product, below 2^63.
Result<std::int64_t> parse_quantity(std::string_view text, std::span<const Unit> units, std::string_view expected) {
  double number = 0;
  const bool starts = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::optional<double> factor = factor_of(std::string_view(end, text.data() + text.size()), units);
  if (!starts || !factor || error == std::errc::invalid_argument) {
    return usage("'" + std::string(text) + "' is not " + std::string(expected));
  }
  const double product = number * *factor;
  if (error != std::errc() || product >= kTooLarge) return usage("'" + std::string(text) + "' is too large");
  return static_cast<std::int64_t>(product);
}

}  // namespace

std::string not_empty(const std::string& file) { return file.empty() ? "the name of a file is empty" : ""; }

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const Result<std::int64_t> count =
      parse_quantity(text, kDurations, "a time such as 30s (units: ns, us, ms, s, m, h)");
  if (!count) return count.error();
  return std::chrono::nanoseconds(*count);
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  const Result<std::int64_t> count =
      parse_quantity(text, kSizes, "a size such as 4GiB (units: B, KiB, MiB, GiB, KB, MB, GB)");
  if (!count) return count.error();
  return static_cast<std::uint64_t>(*count);
}

Result<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::result_out_of_range) return usage("'" + std::string(text) + "' is too large");
  if (error != std::errc() || end != text.data() + text.size()) {
    return usage("'" + std::string(text) + "' is not a whole number");
  }
  return count;
}

Result<unsigned> parse_jobs(std::string_view text) {
  const Result<std::uint64_t> count = parse_count(text);
  if (!count) return count.error();
  if (*count > kMostJobs) return usage("'" + std::string(text) + "' is too large (at most 1024)");
  return static_cast<unsigned>(*count);
}

void add_histories(CLI::App& app, std::vector<std::string>& files) {
  const auto assign = [&files](const std::vector<std::string>& names) {
    if (std::count(names.begin(), names.end(), "-") > 1) throw CLI::ValidationError("standard input is named twice");
    files = names;
  };
  app.add_option_function<std::vector<std::string>>("HISTORY", assign,
                                                    "Files; - is standard input, .gz and .zst are read as they are")
      ->required()
      ->check(not_empty)
      ->type_name("");
}

void add_reading_options(CLI::App& app, ReadOptions& options) {
  add_parsed(app, "--format", options.format, parse_format,
             "How the history is written: jsonl, edn, jepsen-log, kv-log,\ns2, or auto: by its content (the default)")
      ->type_name("FORMAT");
  app.add_flag("--independent", options.independent, "Values are [key, value] pairs (Jepsen's keyed histories)");
}

}  // namespace porpentine::cli
