#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include <porpentine/history/json_writer.h>

#include "json_documents.h"
#include "report.h"

namespace porpentine::cli {
namespace {

/// A history that could not be read to its end has counts that nobody knows.
struct Counts {
  explicit Counts(const Judgement& judgement) : known(judgement.history || judgement.following) {
    if (judgement.history) {
      statistics = porpentine::statistics(*judgement.history);
    } else if (judgement.following) {
      statistics = statistics_of(*judgement.following);
    }
  }
  bool known;
  HistoryStatistics statistics = {};
};

void write_verdict(JsonWriter& json, const Judgement& judgement) {
  json.name("valid");
  switch (judgement.result.verdict) {
    case Verdict::valid:
      json.raw("true");
      break;
    case Verdict::invalid:
      json.raw("false");
      break;
    case Verdict::unknown:
      json.string("unknown");
      break;
  }
  json.name("model");
  if (judgement.model.empty()) {
    json.raw("null");
  } else {
    json.string(judgement.model);
  }
  json.name("engine").string(judgement.causal || judgement.result.by_monitor() ? "monitor" : "search");
}

void write_count(JsonWriter& json, const Counts& counts, const char* name, std::uint64_t HistoryStatistics::*field) {
  json.name(name);
  if (counts.known) {
    json.number(counts.statistics.*field);
  } else {
    json.raw("null");
  }
}

void write_partitions(JsonWriter& json, const CheckResult& result) {
  std::uint64_t valid = 0;
  std::uint64_t invalid = 0;
  std::uint64_t unknown = 0;
  for (const PartitionResult& partition : result.partitions) {
    ++(partition.verdict == Verdict::valid ? valid : partition.verdict == Verdict::invalid ? invalid : unknown);
  }
  json.name("partitions").begin_object();
  json.name("total").number(result.partitions.size());
  json.name("valid").number(valid);
  json.name("invalid").number(invalid);
  json.name("unknown").number(unknown);
  json.end_object();
}

void write_failure(JsonWriter& json, const History& history, const Failure& failure) {
  json.begin_object();
  json.name("key").raw(history.values.to_json(failure.key));
  json.name("operation").number(failure.operation);
  json.name("line").number(history.line[failure.operation]);
  json.name("message").string(failure.message);
  json.name("longest_prefix").number(failure.longest_prefix);
  json.name("core").begin_array();
  for (const std::uint32_t operation : failure.core) json.number(operation);
  json.end_array();
  json.end_object();
}

/// Of a history that was not kept.
void write_failure(JsonWriter& json, const StreamFailure& failure) {
  json.begin_object();
  json.name("key").raw(failure.key);
  json.name("operation").number(failure.operation);
  json.name("line").number(failure.line);
  json.name("message").string(failure.message);
  json.name("longest_prefix").number(failure.longest_prefix);
  json.name("core").begin_array();
  json.end_array();
  json.end_object();
}

void write_failures(JsonWriter& json, const Judgement& judgement) {
  json.name("failures").begin_array();
  if (!judgement.history && judgement.following && judgement.following->failure) {
    write_failure(json, *judgement.following->failure);
  }
  for (const Failure& failure : judgement.result.failures) write_failure(json, *judgement.history, failure);
  json.end_array();
}

void write_statistics(JsonWriter& json, const Counts& counts, const Judgement& judgement) {
  const CheckResult& result = judgement.result;
  json.name("stats").begin_object();
  if (judgement.history) {
    json.name("max_concurrency").number(counts.statistics.max_concurrency);
  } else {
    json.name("max_concurrency").raw("null");
  }
  write_count(json, counts, "overlapping_pairs", &HistoryStatistics::overlapping_pairs);
  json.name("states").number(result.statistics.configurations);
  json.name("steps").number(result.statistics.steps);
  json.name("explain_s").seconds(result.explain_s);
  json.end_object();
}

void write_note(JsonWriter& json, const Judgement& judgement, const HistoryStatistics& statistics) {
  const std::string nothing = judgement.result.valid() ? emptiness(statistics) : "";
  if (!nothing.empty()) json.name("note").string(nothing);
}

/// `spill` empties what was written so far, which may get long.
void write_judgement(JsonWriter& json, const Judgement& judgement, const std::function<void()>& spill) {
  write_verdict(json, judgement);
  if (judgement.causal) return write_causal_json(json, *judgement.causal, spill);
  const Counts counts(judgement);
  write_count(json, counts, "operations", &HistoryStatistics::operations);
  write_count(json, counts, "ok", &HistoryStatistics::ok);
  write_count(json, counts, "info", &HistoryStatistics::info);
  write_count(json, counts, "fail", &HistoryStatistics::fail);
  write_partitions(json, judgement.result);
  if (judgement.result.verdict == Verdict::unknown) json.name("reason").string(to_string(judgement.result.limit));
  write_note(json, judgement, counts.statistics);
  write_failures(json, judgement);
  write_statistics(json, counts, judgement);
  json.name("elapsed_s").seconds(judgement.result.elapsed_s);
}

}  // namespace

void write_statistics(JsonWriter& json, const HistoryStatistics& statistics, const std::string& time_unit) {
  json.name("operations").number(statistics.operations).name("ok").number(statistics.ok);
  json.name("info").number(statistics.info).name("fail").number(statistics.fail);
  json.name("processes").number(statistics.processes).name("keys").number(statistics.keys);
  json.name("annotations").number(statistics.annotations);
  json.name("first_call").signed_number(statistics.first_call);
  json.name("last_event").signed_number(statistics.last_event);
  json.name("time_unit").string(time_unit);
  json.name("max_concurrency").number(statistics.max_concurrency);
  json.name("overlapping_pairs").number(statistics.overlapping_pairs);
  json.name("functions").begin_array();
  for (const HistoryStatistics::Function& function : statistics.functions) {
    json.begin_object().name("f").string(function.name);
    json.name("ok").number(function.ok).name("fail").number(function.fail).name("info").number(function.info);
    json.end_object();
  }
  json.end_array();
  if (const std::string nothing = emptiness(statistics); !nothing.empty()) json.name("note").string(nothing);
}

void write_json_report(std::ostream& out, const Judgement& judgement) {
  if (judgement.error) {
    out << json_error(judgement.file, *judgement.error);
    return;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().name("file").string(judgement.file);
  write_judgement(json, judgement, [&] {
    out << text;
    text.clear();
  });
  json.end_object();
  out << text;
}

}  // namespace porpentine::cli
