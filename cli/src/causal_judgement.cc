#include "causal_judgement.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include <porpentine/history/message_text.h>

#include "memory.h"
#include "output.h"

namespace porpentine::cli {
namespace {

constexpr std::size_t kMostShown = 10;

std::string count(std::uint64_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string seconds(double value) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%.3f s", value);
  return text.data();
}

/// The first of several is marked: what follows may be its consequence.
std::string message_of(const CausalJudgement& judgement, std::size_t number) {
  const auto& violations = judgement.result.violations;
  const std::string mark = number == 0 && violations.size() > 1 ? " (the first)" : "";
  return "line " + std::to_string(violations[number].line) + mark + ": " +
         describe(violations[number], judgement.names);
}

std::string left_out(std::size_t all) {
  return all <= kMostShown ? "" : "  ... and " + std::to_string(all - kMostShown) + " more violations\n";
}

std::string describe_event(const CausalEvent& event, const CausalNames& names) {
  std::string text = shortened(names.actors[event.actor]);
  text += event.type == CausalEventType::send      ? " sends "
          : event.type == CausalEventType::deliver ? " delivers "
                                                   : " observes ";
  text += shortened(names.channels[event.channel]) + "@" + std::to_string(event.offset);
  return text;
}

/// The event of that line. Events are in order of lines.
const CausalEvent& event_at(const CausalTrace& trace, std::uint64_t line) {
  return *std::lower_bound(trace.events.begin(), trace.events.end(), line,
                           [](const CausalEvent& event, std::uint64_t wanted) { return event.line < wanted; });
}

void print_lines(std::ostream& out, const CausalTrace& trace, const std::vector<std::uint64_t>& lines) {
  std::size_t width = 0;
  for (const std::uint64_t line : lines) width = std::max(width, std::to_string(line).size());
  for (const std::uint64_t line : lines) {
    const std::string number = std::to_string(line);
    out << "    line " << std::string(width - number.size(), ' ') << number << "  "
        << harmless(describe_event(event_at(trace, line), trace.names)) << "\n";
  }
}

void print_violation(std::ostream& out, const CausalJudgement& judgement, std::size_t number) {
  const CausalTrace& trace = *judgement.trace;
  const CausalViolation& violation = judgement.result.violations[number];
  const CausalNames& names = trace.names;
  const auto place = [&](std::uint32_t channel, std::uint64_t offset) {
    return harmless(shortened(names.channels[channel])) + "@" + std::to_string(offset);
  };
  out << "\n" << harmless(message_of(judgement, number)) << "\n";
  if (violation.kind != CausalViolationKind::causal) return;
  const std::string who = harmless(shortened(names.actors[violation.actor]));
  const std::uint64_t told = std::min(violation.missing.size(), kExplainDetail.missing);
  for (std::size_t k = 0; k < told; ++k) {
    const MissingAncestor& missing = violation.missing[k];
    out << "\n  " << place(missing.channel, missing.offset) << " precedes "
        << place(violation.channel, violation.offset) << ", and " << who << " had not delivered it:\n";
    std::vector<std::uint64_t> lines = missing.because;
    lines.push_back(violation.line);
    print_lines(out, trace, lines);
  }
  if (violation.missing_in_all > told) out << "\n  ... and " << violation.missing_in_all - told << " more\n";
}

void write_violation(JsonWriter& json, const CausalViolation& violation, const CausalNames& names, bool first) {
  json.begin_object();
  json.name("kind").string(to_string(violation.kind));
  json.name("line").number(violation.line);
  if (violation.actor != kNoIndex) json.name("actor").string(names.actors[violation.actor]);
  if (violation.channel != kNoIndex) {
    json.name("ch").string(names.channels[violation.channel]);
    json.name("offset").number(violation.offset);
  }
  if (violation.kind == CausalViolationKind::causal) {
    json.name("missing").begin_array();
    for (const MissingAncestor& missing : violation.missing) {
      json.begin_object().name("ch").string(names.channels[missing.channel]).name("offset").number(missing.offset);
      json.name("because").begin_array();
      for (const std::uint64_t line : missing.because) json.number(line);
      json.end_array().end_object();
    }
    json.end_array();
  }
  json.name("message").string(describe(violation, names));
  if (first) json.name("first").raw("true");
  json.end_object();
}

}  // namespace

Result<CausalJudgement> judge_causal(CausalTraceReader& reader, const std::string& file, bool keep,
                                     CheckOptions options, CausalDetail detail) {
  CausalJudgement judgement;
  if (keep) {
    const std::uint64_t before = resident_memory();
    Result<CausalTrace> trace = read_causal_trace(reader, file);
    if (!trace && trace.error().code != ErrorCode::limit) return std::move(trace).error();
    if (!trace) {
      judgement.result.verdict = Verdict::unknown;
      judgement.result.limit = options.cancel != nullptr && *options.cancel ? Limit::cancelled : Limit::memory;
      return judgement;
    }
    if (options.memory_limit) {
      const std::uint64_t taken = std::max(resident_memory(), before) - before;
      *options.memory_limit -= std::min(taken, *options.memory_limit - 1);
    }
    judgement.result = judge_causal_trace(*trace, options, detail);
    judgement.names = trace->names;
    judgement.trace = std::move(*trace);
    return judgement;
  }
  Result<CausalResult> result = judge_causal_trace(reader, file, options, detail);
  if (!result) return std::move(result).error();
  judgement.result = std::move(*result);
  judgement.names = reader.names();
  return judgement;
}

std::string emptiness(const CausalStatistics& statistics) {
  if (statistics.deliveries == 0) return "nothing was delivered: there was nothing to contradict";
  if (statistics.drains == 0) return "the trace has no drain: what was never delivered is not missed";
  return "";
}

std::string causal_text(const CausalJudgement& judgement) {
  const CausalResult& result = judgement.result;
  const CausalStatistics& statistics = result.statistics;
  if (result.verdict == Verdict::valid) {
    std::string text = "valid (" + count(statistics.events, "event") + ", " +
                       count(judgement.names.actors.size(), "actor") + ", " +
                       count(judgement.names.channels.size(), "channel") + ", " + seconds(result.elapsed_s) + ")\n";
    const std::string nothing = emptiness(statistics);
    return nothing.empty() ? text : text + "  note: " + nothing + "\n";
  }
  if (result.verdict == Verdict::unknown) {
    return std::string("unknown (") + to_string(result.limit) + ")\n  no violation in the first " +
           count(statistics.events, "event") + "\n";
  }
  std::string text = "invalid\n";
  for (std::size_t k = 0; k < result.violations.size() && k < kMostShown; ++k) {
    text += "  " + harmless(message_of(judgement, k)) + "\n";
  }
  text += left_out(result.violations.size());
  if (result.limit != Limit::none) {
    text += "  note: what follows the first " + count(statistics.events, "event") + " was not judged (" +
            to_string(result.limit) + ")\n";
  }
  return text;
}

void write_causal_json(JsonWriter& json, const CausalJudgement& judgement, const std::function<void()>& spill) {
  const CausalResult& result = judgement.result;
  json.name("events").number(result.statistics.events);
  json.name("actors").number(judgement.names.actors.size());
  json.name("channels").number(judgement.names.channels.size());
  json.name("records").number(result.statistics.records);
  json.name("deliveries").number(result.statistics.deliveries);
  if (result.limit != Limit::none) json.name("reason").string(to_string(result.limit));
  if (result.verdict == Verdict::valid) {
    if (const std::string nothing = emptiness(result.statistics); !nothing.empty()) json.name("note").string(nothing);
  }
  json.name("failures").begin_array();
  for (const CausalViolation& violation : result.violations) {
    write_violation(json, violation, judgement.names, &violation == result.violations.data());
    spill();
  }
  json.end_array();
  json.name("stats").begin_object().name("peak_memory").number(result.statistics.peak_memory).end_object();
  json.name("elapsed_s").seconds(result.elapsed_s);
}

void print_causal_violations(std::ostream& out, const CausalJudgement& judgement) {
  const auto& violations = judgement.result.violations;
  for (std::size_t k = 0; k < violations.size() && k < kMostShown; ++k) {
    print_violation(out, judgement, k);
  }
  if (violations.size() > kMostShown) out << "\n" << left_out(violations.size());
}

}  // namespace porpentine::cli
