// The causal judge against plain sets.
#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_rules.h>

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

}  // namespace
}  // namespace porpentine::differential
