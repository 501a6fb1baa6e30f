// The reference protocol and its faults, judged over many seeds.
#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_rules.h>
#include <porpentine/simulate/causal.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "support/catch.h"

namespace porpentine {
namespace {

/// Fewer where PORPENTINE_DIFFERENTIAL=few asks for fewer comparisons.
std::uint64_t seeds_of(std::uint64_t usual) {
  const char* const level = std::getenv("PORPENTINE_DIFFERENTIAL");
  return level != nullptr && std::string(level) == "few" ? usual / 10 : usual;
}

CausalRun simulate(const CausalScenario& scenario, std::uint64_t seed, CausalFault fault) {
  return simulate_causal(scenario, seed, [&](std::uint32_t) { return make_causal_protocol(scenario.channels, fault); });
}

std::string text_of(const CausalTrace& trace) {
  std::ostringstream out;
  write_causal_trace(trace, out);
  return out.str();
}

/// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

constexpr std::array<std::pair<const char*, bool CausalReached::*>, 10> kStates = {
    {{"held", &CausalReached::held},
     {"crashed while held", &CausalReached::crashed_while_held},
     {"crossed a hole", &CausalReached::crossed_hole},
     {"aborted", &CausalReached::aborted},
     {"unknown, committed", &CausalReached::unknown_commit_seen},
     {"unknown, lost", &CausalReached::unknown_commit_lost},
     {"lost memory", &CausalReached::lost_memory},
     {"truncated", &CausalReached::truncated},
     {"joined after retention", &CausalReached::joined_late},
     {"went round", &CausalReached::went_round}}};

TEST_CASE("the correct protocol passes on every seed, and reaches what makes others fail") {
  const std::uint64_t all_seeds = seeds_of(1000);
  std::array<std::uint64_t, kStates.size()> in_some_scenario = {};
  std::printf("%-18s", "seeds that reached");
  for (const auto& [name, state] : kStates) std::printf(" | %s", name);
  std::printf("\n");
  for (const CausalScenario& scenario : causal_scenarios()) {
    std::array<std::uint64_t, kStates.size()> seeds = {};
    for (std::uint64_t seed = 0; seed < all_seeds; ++seed) {
      const CausalRun run = simulate(scenario, seed, CausalFault::none);
      const CausalResult result = judge_causal_trace(run.trace);
      INFO(scenario.name << ", seed " << seed);
      if (!result.violations.empty())
        FAIL(describe(result.violations.front(), run.trace.names) << "\n" << text_of(run.trace));
      for (std::size_t k = 0; k < kStates.size(); ++k) seeds[k] += run.reached.*kStates[k].second ? 1 : 0;
    }
    std::printf("%-18s", scenario.name.c_str());
    for (std::size_t k = 0; k < kStates.size(); ++k) {
      std::printf(" | %*llu", static_cast<int>(std::string(kStates[k].first).size()),
                  static_cast<unsigned long long>(seeds[k]));
      in_some_scenario[k] = std::max(in_some_scenario[k], seeds[k]);
    }
    std::printf("\n");
  }
  for (std::size_t k = 0; k < kStates.size(); ++k) {
    INFO(kStates[k].first);
    CHECK(in_some_scenario[k] >= all_seeds / 3);
  }
}

TEST_CASE("every broken protocol is caught on many seeds") {
  const std::uint64_t all_seeds = seeds_of(100);
  for (std::size_t k = 1; k < kCausalFaults; ++k) {
    const auto fault = static_cast<CausalFault>(k);
    std::uint64_t most = 0;
    std::map<std::string, std::uint64_t> kinds;  // seeds of any scenario
    std::printf("%-20s", std::string(to_string(fault)).c_str());
    for (const CausalScenario& scenario : causal_scenarios()) {
      std::uint64_t caught = 0;
      for (std::uint64_t seed = 0; seed < all_seeds; ++seed) {
        const CausalResult result = judge_causal_trace(simulate(scenario, seed, fault).trace);
        caught += result.violations.empty() ? 0 : 1;
        std::map<std::string, bool> seen;
        for (const CausalViolation& violation : result.violations) seen[std::string(to_string(violation.kind))] = true;
        for (const auto& [kind, yes] : seen) ++kinds[kind];
      }
      std::printf(" | %s %llu", scenario.name.c_str(), static_cast<unsigned long long>(caught));
      most = std::max(most, caught);
    }
    std::printf(" | by");
    for (const auto& [kind, seeds] : kinds)
      std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(seeds));
    std::printf("\n");
    INFO(to_string(fault));
    CHECK(most >= all_seeds / 5);
  }
}

TEST_CASE("traces of the simulator obey the rules, whatever the protocol") {
  for (std::size_t k = 0; k < kCausalFaults; ++k) {
    for (const CausalScenario& scenario : causal_scenarios()) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const CausalTrace trace = simulate(scenario, seed, static_cast<CausalFault>(k)).trace;
        CausalRules rules(trace.names);
        for (const CausalEvent& event : trace.events) REQUIRE(rules.take(event).has_value());
      }
    }
  }
}

TEST_CASE("equal seeds give equal traces, on every machine") {
  std::string all;
  for (const CausalScenario& scenario : causal_scenarios()) {
    const std::string text = text_of(simulate(scenario, 7, CausalFault::none).trace);
    CHECK(text == text_of(simulate(scenario, 7, CausalFault::none).trace));
    CHECK(text != text_of(simulate(scenario, 8, CausalFault::none).trace));
    all += text;
  }
  CHECK(hash_of(all) == 0x6825c4cde05f408c);
}

}  // namespace
}  // namespace porpentine
