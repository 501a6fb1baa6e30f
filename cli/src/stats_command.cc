#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <iomanip>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <porpentine/history/causal_trace.h>
#include <porpentine/history/json_writer.h>
#include <porpentine/history/message_text.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/statistics.h>

#include "arguments.h"
#include "causal_judgement.h"
#include "command.h"
#include "json_documents.h"
#include "output.h"
#include "report.h"
#include "whole_file.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine stats history.jsonl
  porpentine stats --json run-*.jsonl | jq '.[] | {file, max_concurrency}'

"concurrency" is the number of operations that were running at one moment, of those that are known to have
succeeded; where it never exceeds 1, every system that works at all passes. Indeterminate operations are those
of which nobody knows whether they took effect: each of them may make the check harder.

Exit codes: 0 all histories were read, 2 usage or input error.)";

struct StatsArguments {
  std::vector<std::string> files;
  ReadOptions reading;
  bool json = false;
};

/// What is told of one history.
struct Summary {
  std::string file;
  std::string time_unit;
  HistoryStatistics statistics;
};

/// What is told of a causal trace.
struct TraceSummary {
  std::string file;
  std::uint64_t actors = 0;
  std::uint64_t channels = 0;
  CausalStatistics statistics;
  std::array<std::uint64_t, kCausalEventTypes> of_type{};

  [[nodiscard]] std::uint64_t of(CausalEventType type) const { return of_type[static_cast<std::size_t>(type)]; }
};

/// The time between the first call and the last event; it may not fit a signed integer.
std::uint64_t duration(const HistoryStatistics& statistics) {
  return static_cast<std::uint64_t>(statistics.last_event) - static_cast<std::uint64_t>(statistics.first_call);
}

void print_functions(std::ostream& out, const std::vector<HistoryStatistics::Function>& functions) {
  std::size_t width = 8;
  for (const HistoryStatistics::Function& function : functions) width = std::max(width, function.name.size());
  const int column = static_cast<int>(std::min<std::size_t>(width, 40));
  out << "  " << std::left << std::setw(column) << "f" << std::right << std::setw(12) << "ok" << std::setw(12) << "fail"
      << std::setw(15) << "indeterminate" << '\n';
  for (const HistoryStatistics::Function& function : functions) {
    out << "  " << std::left << std::setw(column) << harmless(function.name) << std::right << std::setw(12)
        << function.ok << std::setw(12) << function.fail << std::setw(15) << function.info << '\n';
  }
}

void print_row(std::ostream& out, const char* label, const std::string& value) {
  out << "  " << std::left << std::setw(20) << label << value << '\n';
}

void print_note(std::ostream& out, const std::string& note) {
  if (!note.empty()) out << "  note: " << note << '\n';
}

void print_table(std::ostream& out, const Summary& summary) {
  const HistoryStatistics& statistics = summary.statistics;
  out << harmless(summary.file) << ":\n";
  print_row(out, "operations",
            std::to_string(statistics.operations) + " (" + std::to_string(statistics.ok) + " ok, " +
                std::to_string(statistics.fail) + " failed, " + std::to_string(statistics.info) + " indeterminate)");
  print_row(out, "processes", std::to_string(statistics.processes));
  print_row(out, "keys", std::to_string(statistics.keys));
  print_row(out, "annotations", std::to_string(statistics.annotations));
  print_row(out, "duration", std::to_string(duration(statistics)) + " " + harmless(summary.time_unit));
  print_row(out, "most concurrency", std::to_string(statistics.max_concurrency));
  print_row(out, "overlapping pairs", std::to_string(statistics.overlapping_pairs));
  if (!statistics.functions.empty()) print_functions(out, statistics.functions);
  print_note(out, emptiness(statistics));
}

std::string to_json(const Summary& summary) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().name("file").string(summary.file);
  write_statistics(json, summary.statistics, summary.time_unit);
  json.end_object();
  return text;
}

void print_table(std::ostream& out, const TraceSummary& summary) {
  out << harmless(summary.file) << ":\n";
  print_row(out, "events", std::to_string(summary.statistics.events) + " of a causal trace");
  print_row(out, "actors", std::to_string(summary.actors));
  print_row(out, "channels", std::to_string(summary.channels));
  for (std::size_t type = 0; type < kCausalEventTypes; ++type) {
    if (summary.of_type[type] == 0) continue;
    const std::string label = "  " + std::string(to_string(static_cast<CausalEventType>(type)));
    print_row(out, label.c_str(), std::to_string(summary.of_type[type]));
  }
  print_note(out, emptiness(summary.statistics));
}

std::string to_json(const TraceSummary& summary) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().name("file").string(summary.file);
  json.name("events").number(summary.statistics.events).name("actors").number(summary.actors);
  json.name("channels").number(summary.channels).name("types").begin_object();
  for (std::size_t type = 0; type < kCausalEventTypes; ++type) {
    json.name(to_string(static_cast<CausalEventType>(type))).number(summary.of_type[type]);
  }
  json.end_object();
  if (const std::string nothing = emptiness(summary.statistics); !nothing.empty()) json.name("note").string(nothing);
  json.end_object();
  return text;
}

using AnySummary = std::variant<Summary, TraceSummary>;

AnySummary summary_of(const std::string& file, const History& history) {
  return Summary{file, history.time_unit, statistics(history)};
}
AnySummary summary_of(const std::string& file, const CausalTrace& trace) {
  TraceSummary summary;
  summary.file = file;
  summary.actors = trace.names.actors.size();
  summary.channels = trace.names.channels.size();
  for (const CausalEvent& event : trace.events) {
    ++summary.statistics.events;
    ++summary.of_type[static_cast<std::size_t>(event.type)];
  }
  summary.statistics.records = summary.of(CausalEventType::send);
  summary.statistics.deliveries = summary.of(CausalEventType::deliver);
  summary.statistics.drains = summary.of(CausalEventType::drain);
  return summary;
}

Result<AnySummary> summarize(const std::string& file, const ReadOptions& options) {
  const std::atomic<bool> never = false;
  const Result<Whole> whole = read_whole(file, "", options, never);
  if (!whole) return whole.error();
  return std::visit([&](const auto& recorded) { return summary_of(file, recorded); }, *whole);
}

/// Prints what came of one history; whether it could be read.
bool tell(const Result<AnySummary>& summary, const std::string& file, JsonDocuments* documents, Output& out) {
  if (documents != nullptr) {
    documents->add([&](std::ostream& to) {
      to << (summary ? std::visit([](const auto& one) { return to_json(one); }, *summary)
                     : json_error(file, summary.error()));
    });
  } else if (summary) {
    std::visit([&](const auto& one) { print_table(out.stream(), one); }, *summary);
  }
  out.flush();
  if (!summary) print_error(summary.error().to_string());
  return summary.has_value();
}

ExitStatus run_stats(const StatsArguments& arguments) {
  Output out(STDOUT_FILENO, "standard output");
  JsonDocuments documents(out.stream(), arguments.files.size());
  ExitStatus status = ExitStatus::valid;
  for (const std::string& file : arguments.files) {
    const Result<AnySummary> summary = summarize(file, arguments.reading);
    if (!tell(summary, file, arguments.json ? &documents : nullptr, out)) status = ExitStatus::error;
  }
  return status;
}

}  // namespace

Command add_stats_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("stats", "Tell how much concurrency and doubt histories hold");
  const auto arguments = std::make_shared<StatsArguments>();
  add_histories(*command, arguments->files);
  add_reading_options(*command, arguments->reading);
  command->add_flag("--json", arguments->json, "Print one JSON object, for several histories an array");
  command->footer(kFooter);
  return {command, [arguments] { return run_stats(*arguments); }};
}

}  // namespace porpentine::cli
