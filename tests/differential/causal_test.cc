// The causal judge against plain sets.
#include <porpentine/checker/causal.h>
#include <porpentine/checker/check.h>
#include <porpentine/history/causal_rules.h>
#include <porpentine/history/json_writer.h>
#include <porpentine/history/reader.h>
#include <porpentine/models/specification.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "plain_causal_judge.h"
#include "random_trace.h"
#include "support/catch.h"

namespace porpentine::differential {
namespace {

std::uint64_t traces_to_judge() {
  const char* const level = std::getenv("PORPENTINE_DIFFERENTIAL");
  const std::string_view name = level == nullptr ? "" : level;
  return name == "full" ? 1'000'000 : name == "few" ? 2'000 : 20'000;
}

bool obeys_the_rules(const CausalTrace& trace) {
  CausalRules rules(trace.names);
  return std::all_of(trace.events.begin(), trace.events.end(),
                     [&](const CausalEvent& event) { return rules.take(event).has_value(); });
}

std::string listed(const std::vector<CausalViolation>& violations) {
  std::string text;
  for (const CausalViolation& violation : violations) {
    text += std::to_string(violation.line) + " " + std::string(to_string(violation.kind)) + " " +
            std::to_string(violation.actor) + " " + std::to_string(violation.channel) + "@" +
            std::to_string(violation.offset) + " sent " + std::to_string(violation.sent) + ":";
    for (const MissingAncestor& missing : violation.missing) {
      text += " " + std::to_string(missing.channel) + "@" + std::to_string(missing.offset);
    }
    text += "\n";
  }
  return text;
}

/// Whether all missing ancestors are counted, and as many kept as are asked for.
std::optional<std::string> objection_to_counts(const CausalTrace& trace, const std::vector<CausalViolation>& all) {
  constexpr CausalDetail kDetail{.violations = 2, .missing = 2};
  const std::vector<CausalViolation> some = judge_causal_trace(trace, {}, kDetail).violations;
  if (some.size() != all.size()) return "with less detail there are other violations";
  std::size_t kept = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string place = "line " + std::to_string(all[k].line) + ": ";
    if (all[k].missing.size() != all[k].missing_in_all) return place + "not all missing ancestors are kept";
    if (some[k].missing_in_all != all[k].missing_in_all)
      return place + "the count of missing ancestors depends on detail";
    if (some[k].missing.size() > std::min<std::size_t>(kDetail.missing, some[k].missing_in_all))
      return place + "too many";
    for (std::size_t m = 0; m < some[k].missing.size(); ++m) {
      if (some[k].missing[m].because != all[k].missing[m].because) return place + "not the first ones are kept";
    }
    kept += some[k].missing.empty() ? 0 : 1;
  }
  return kept > kDetail.violations ? std::optional<std::string>("details of too many violations") : std::nullopt;
}

/// What the judge says otherwise than plain sets do, or nothing.
std::optional<std::string> disagreement(const CausalTrace& trace) {
  const PlainCausalJudge plain(trace);
  CausalJudge judge(trace.names);
  for (const CausalEvent& event : trace.events) {
    if (const auto error = judge.take(event)) return "refused: " + error->to_string();
  }
  judge.finish();
  const std::string expected = listed(plain.violations());
  if (listed(judge.violations()) != expected) {
    return "by plain sets:\n" + expected + "by the judge:\n" + listed(judge.violations());
  }
  if (listed(judge_causal_trace(trace).violations) != expected) return "judged otherwise as a whole";
  if (auto why = objection_to_counts(trace, judge.violations())) return why;
  const ChainProof proof(trace);
  for (const CausalViolation& violation : judge.violations()) {
    for (const MissingAncestor& missing : violation.missing) {
      if (auto why = proof.objection(violation, missing)) {
        std::string lines;
        for (const std::uint64_t line : missing.because) lines += " " + std::to_string(line);
        return "line " + std::to_string(violation.line) + ", chain" + lines + ": " + *why;
      }
    }
  }
  return std::nullopt;
}

CausalTrace shrunk(CausalTrace trace) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = trace.events.size(); k-- > 0;) {
      CausalTrace smaller = trace;
      smaller.events.erase(smaller.events.begin() + static_cast<std::ptrdiff_t>(k));
      for (std::size_t i = 0; i < smaller.events.size(); ++i) smaller.events[i].line = i + 2;
      if (!obeys_the_rules(smaller) || !disagreement(smaller)) continue;
      trace = std::move(smaller);
      changed = true;
    }
  }
  return trace;
}

std::string text_of(const CausalTrace& trace) {
  std::ostringstream out;
  write_causal_trace(trace, out);
  return out.str();
}

TEST_CASE("random causal traces are judged as by plain sets", "[causal]") {
  constexpr std::size_t kKinds = 8;
  std::array<std::uint64_t, kKinds> of_kind = {};  // traces with such a violation
  std::uint64_t valid = 0;
  const std::uint64_t traces = traces_to_judge();
  int reports = 0;
  for (std::uint64_t seed = 0; seed < traces && reports < 3; ++seed) {
    const CausalTrace trace = RandomTrace(900'000'000 + seed).take();
    REQUIRE(obeys_the_rules(trace));
    if (disagreement(trace)) {
      ++reports;
      const CausalTrace small = shrunk(trace);
      FAIL_CHECK("seed " << seed << ": " << disagreement(small).value_or("") << "\n" << text_of(small));
    }
    const CausalResult result = judge_causal_trace(trace);
    valid += result.violations.empty() ? 1 : 0;
    std::array<bool, kKinds> seen = {};
    for (const CausalViolation& violation : result.violations) seen[static_cast<std::size_t>(violation.kind)] = true;
    for (std::size_t kind = 0; kind < kKinds; ++kind) of_kind[kind] += seen[kind] ? 1 : 0;
  }
  std::printf("causal, random: %llu traces, %llu valid", static_cast<unsigned long long>(traces),
              static_cast<unsigned long long>(valid));
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::printf(", %llu with %s", static_cast<unsigned long long>(of_kind[kind]),
                std::string(to_string(static_cast<CausalViolationKind>(kind))).c_str());
  }
  std::printf("\n");
  // So that nothing here passes for want of traces.
  CHECK(valid >= traces / 50);
  for (const std::uint64_t number : of_kind) CHECK(number >= traces / 50);
}

/// Without observations of what was not sent, which say nothing in a trace, and are impossible for the model.
CausalTrace without_empty_observations(CausalTrace trace) {
  CausalRules rules(trace.names);
  std::erase_if(trace.events, [&](const CausalEvent& event) {
    return rules.take(event).value() == kNoIndex && event.type == CausalEventType::observe;
  });
  return trace;
}

/// The trace as a history in which no two operations overlap; an unknown commit may have happened.
std::string as_history(const CausalTrace& trace) {
  std::string text;
  std::int64_t time = 0;
  for (const CausalEvent& event : trace.events) {
    if (event.type == CausalEventType::note || event.type == CausalEventType::end) continue;
    JsonWriter json(text);
    const auto channel = [&] { json.string(trace.names.channels[event.channel]); };
    json.begin_object().name("process").string(event.actor == kNoIndex ? "host" : trace.names.actors[event.actor]);
    json.name("f").string(to_string(event.type));
    switch (event.type) {
      case CausalEventType::send:
        json.name("input");
        channel();
        json.name("output").number(event.offset);
        break;
      case CausalEventType::unsubscribe:
        json.name("input");
        channel();
        break;
      case CausalEventType::crash:
        json.name("input").string(event.flag ? "all" : "staged");
        break;
      case CausalEventType::drain:
        if (event.detail == kNoIndex) break;
        json.name("input").begin_array();
        for (const std::uint32_t actor : trace.names.lists[event.detail]) json.string(trace.names.actors[actor]);
        json.end_array();
        break;
      default:
        if (event.channel == kNoIndex) break;
        json.name("input").begin_array();
        channel();
        json.number(event.offset).end_array();
        break;
    }
    json.name("call").signed_number(time).name("return");
    const bool unknown = event.type == CausalEventType::commit && event.flag;
    if (unknown) {
      json.raw("null");
    } else {
      json.signed_number(time + 1);
    }
    json.end_object();
    text += '\n';
    time += 2;
  }
  return text;
}

/// The line of the trace at which the model refuses it; nothing where there is an order.
std::optional<std::uint64_t> refused_at(const CausalTrace& trace) {
  History history = read_history_text(as_history(trace)).value();
  const auto model = make_specification("causal-delivery", history.values).value();
  REQUIRE_FALSE(model->validate(history));
  CheckOptions options;
  options.verify = true;
  options.cores = Cores::none;
  const CheckResult result = check(*model, history, options);
  if (result.verdict == Verdict::valid) return std::nullopt;
  REQUIRE(result.verdict == Verdict::invalid);
  std::uint64_t line = 0;
  const std::uint32_t failed = result.failures.front().operation;
  for (const CausalEvent& event : trace.events) {
    if (event.type == CausalEventType::note || event.type == CausalEventType::end) continue;
    if (line++ == failed) return event.line;
  }
  FAIL("no such operation");
  return std::nullopt;
}

TEST_CASE("the sequential model of causal delivery refuses traces where the judge does", "[causal]") {
  const std::uint64_t traces = traces_to_judge() / 4;
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t unknown = 0;
  for (std::uint64_t seed = 0; seed < traces; ++seed) {
    const CausalTrace trace = without_empty_observations(RandomTrace(950'000'000 + seed).take());
    std::optional<std::uint64_t> first;
    bool retold = false;  // of a record that was aborted later the judge says the delivery, the model the abort
    for (const CausalViolation& violation : judge_causal_trace(trace).violations) {
      if (violation.kind == CausalViolationKind::not_drained) continue;
      if (!first) first = violation.line;
      retold |= violation.kind == CausalViolationKind::aborted_delivery;
    }
    const bool doubt = std::any_of(trace.events.begin(), trace.events.end(), [](const CausalEvent& event) {
      return event.type == CausalEventType::commit && event.flag;
    });
    const std::optional<std::uint64_t> line = refused_at(trace);
    INFO("seed " << seed << "\n" << text_of(trace));
    if (doubt) {
      // As an operation a commit may take effect later, or never: the model accepts more.
      if (!first) CHECK_FALSE(line);
      ++unknown;
    } else if (retold) {
      CHECK(line.has_value());
    } else {
      CHECK(line == first);
    }
    ++(line ? refused : accepted);
  }
  std::printf("causal, model: %llu traces, %llu accepted, %llu refused, %llu with unknown commits\n",
              static_cast<unsigned long long>(traces), static_cast<unsigned long long>(accepted),
              static_cast<unsigned long long>(refused), static_cast<unsigned long long>(unknown));
  CHECK(accepted >= traces / 20);
  CHECK(refused >= traces / 20);
  CHECK(unknown <= traces / 2);
}

}  // namespace
}  // namespace porpentine::differential
