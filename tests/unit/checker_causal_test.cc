#include <porpentine/checker/causal.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.h"

namespace porpentine {
namespace {

/// A trace in few words: "n1 sends a1; n2 begins; n2 commits?; ...", channels of one letter with their offsets.
class Script {
 public:
  explicit Script(std::string_view text) {
    while (!text.empty()) {
      const std::string_view clause = text.substr(0, text.find(';'));
      text.remove_prefix(std::min(text.size(), clause.size() + 1));
      add(words_of(clause));
    }
  }
  [[nodiscard]] const CausalTrace& trace() const { return trace_; }

 private:
  static std::vector<std::string> words_of(std::string_view clause) {
    std::vector<std::string> words;
    for (const char c : clause) {
      if (c == ' ') {
        if (words.empty() || !words.back().empty()) words.emplace_back();
      } else {
        if (words.empty()) words.emplace_back();
        words.back() += c;
      }
    }
    if (!words.empty() && words.front().empty()) words.erase(words.begin());
    return words;
  }
  static std::uint32_t number(std::vector<std::string>& names, const std::string& name) {
    for (std::uint32_t k = 0; k < names.size(); ++k) {
      if (names[k] == name) return k;
    }
    names.push_back(name);
    return static_cast<std::uint32_t>(names.size() - 1);
  }
  void add(const std::vector<std::string>& words) {
    using Type = CausalEventType;
    CausalEvent event;
    event.line = trace_.events.size() + 1;
    const std::string& verb = words[1];
    const auto at = [&](const std::string& place) {
      event.channel = number(trace_.names.channels, place.substr(0, 1));
      if (place.size() > 1) event.offset = std::stoull(place.substr(1));
    };
    if (words[0] != "all") event.actor = number(trace_.names.actors, words[0]);
    if (words.size() > 2) at(words[2]);
    if (verb == "sends") event.type = Type::send;
    if (verb == "delivers") event.type = Type::deliver;
    if (verb == "observes") event.type = Type::observe;
    if (verb == "subscribes") event.type = Type::subscribe;
    if (verb == "unsubscribes") event.type = Type::unsubscribe;
    if (verb == "begins") event.type = Type::begin;
    if (verb == "commits" || verb == "commits?") event.type = Type::commit;
    if (verb == "aborts") event.type = Type::abort;
    if (verb == "crashes" || verb == "forgets") event.type = Type::crash;
    if (verb == "restarts") event.type = Type::restart;
    if (verb == "drain") event.type = Type::drain;
    if (verb == "lose") event.type = Type::truncate;
    if (verb == "end" || verb == "stop") event.type = Type::end;
    event.flag = verb == "commits?" || verb == "forgets" || verb == "end";
    trace_.events.push_back(event);
  }

  CausalTrace trace_;
};

/// "LINE kind ACTOR PLACE (PLACE LINES, ...); ..." of all violations.
std::string judged(std::string_view text) {
  const CausalTrace trace = Script(text).trace();
  const CausalResult result = judge_causal_trace(trace);
  CHECK((result.verdict == Verdict::valid) == result.violations.empty());
  const auto place = [&](std::uint32_t channel, std::uint64_t offset) {
    return trace.names.channels[channel] + std::to_string(offset);
  };
  std::string said;
  for (const CausalViolation& violation : result.violations) {
    said += (said.empty() ? "" : "; ") + std::to_string(violation.line) + " " + std::string(to_string(violation.kind));
    if (violation.actor == kNoIndex) continue;
    said += " " + trace.names.actors[violation.actor] + " " + place(violation.channel, violation.offset);
    for (const MissingAncestor& missing : violation.missing) {
      said += " (" + place(missing.channel, missing.offset);
      for (const std::uint64_t line : missing.because) said += " " + std::to_string(line);
      said += ")";
    }
  }
  return said;
}

const std::string kThree = "n2 subscribes a0; n3 subscribes a0; n3 subscribes b0;";  // lines 1 to 3

TEST_CASE("an effect is not delivered before its cause") {
  CHECK(judged(kThree + "n1 sends a0; n2 delivers a0; n2 sends b0; n3 delivers a0; n3 delivers b0") == "");
  CHECK(judged(kThree + "n1 sends a0; n2 delivers a0; n2 sends b0; n3 delivers b0; n3 delivers a0") ==
        "7 causal n3 b0 (a0 4 5 6)");
  // What was learned by seeing it is a cause as well.
  CHECK(judged(kThree + "n1 sends a0; c observes a0; c sends b0; n3 delivers b0") == "7 causal n3 b0 (a0 4 5 6)");
  // What was sent before by the same actor is one, on the same channel, too.
  CHECK(judged(kThree + "n1 sends a0; n1 sends b0; n3 delivers b0") == "6 causal n3 b0 (a0 4 5)");
  CHECK(judged(kThree + "n1 sends a0; n1 sends a1; n3 delivers a1") == "6 causal n3 a1 (a0 4 5)");
  // Concurrent records are not.
  CHECK(judged(kThree + "n1 sends a0; n2 sends b0; n3 delivers b0; n3 delivers a0") == "");
}

TEST_CASE("chains of causes name every send and delivery in between") {
  const std::string four = kThree + "n4 subscribes b0; n5 subscribes a0; n5 subscribes c0;";  // lines 1 to 6
  const std::string chain = "n1 sends a0; n2 delivers a0; n2 sends b0; n4 delivers b0; n4 sends c0;";
  CHECK(judged(four + chain + "n5 delivers c0") == "12 causal n5 c0 (a0 7 8 9 10 11)");
  CHECK(judged(four +
               "n1 sends a0; n1 sends a1; n2 delivers a0; n2 delivers a1; n2 sends b0; n4 delivers b0; n4 sends c0;"
               "n5 delivers c0") == "14 causal n5 c0 (a0 7 9 11 12 13) (a1 8 10 11 12 13)");
}

TEST_CASE("only what an actor consumes, at or above its baseline, can be missed") {
  const std::string cause = "n1 sends a0; n2 delivers a0; n2 sends b0;";
  CHECK(judged("n2 subscribes a0; n3 subscribes b0;" + cause + "n3 delivers b0") == "");
  CHECK(judged("n2 subscribes a0; n3 subscribes a1; n3 subscribes b0;" + cause + "n3 delivers b0") == "");
  CHECK(judged(kThree + "n3 unsubscribes a;" + cause + "n3 delivers b0") == "");
  // The baseline does not move, wherever it subscribes again.
  CHECK(judged(kThree + "n3 unsubscribes a;" + cause + "n3 subscribes a5; n3 delivers b0") ==
        "9 causal n3 b0 (a0 5 6 7)");
  CHECK(judged("n2 subscribes a0; n3 subscribes a1; n3 subscribes b0; n3 subscribes a0;" + cause + "n3 delivers b0") ==
        "");
  // Who subscribes later misses what was known before.
  CHECK(judged("n2 subscribes a0; n3 subscribes b0;" + cause +
               "n2 sends b1; n3 delivers b0; n3 subscribes a0;"
               "n3 delivers b1") == "9 causal n3 b1 (a0 3 4 6)");
}

TEST_CASE("a channel is delivered in order of offsets, each record once, and only records") {
  const std::string two = "n3 subscribes a0; n1 sends a0; n2 sends a1;";
  CHECK(judged(two + "n3 delivers a1; n3 delivers a0") == "5 fifo n3 a0");
  CHECK(judged(two + "n3 delivers a0; n3 delivers a0") == "5 duplicate n3 a0");
  CHECK(judged(two + "n3 delivers a0; n3 delivers a1; n3 delivers a0") == "6 duplicate n3 a0");
  CHECK(judged(two + "n3 delivers a2; n3 delivers a0; n3 delivers a2") ==
        "4 unknown-record n3 a2; 6 unknown-record n3 a2");
  CHECK(judged("n3 subscribes a0; n3 delivers a0; n1 sends a0") == "2 unknown-record n3 a0");
}

TEST_CASE("an aborted step has not happened") {
  // Its records are holes.
  CHECK(judged(kThree + "n1 begins; n1 sends a0; n1 aborts; n1 sends b0; n3 delivers b0; all drain") == "");
  CHECK(judged(kThree + "n1 begins; n1 sends a0; n1 aborts; n3 delivers a0") == "7 aborted-delivery n3 a0");
  CHECK(judged(kThree + "n1 begins; n1 sends a0; n3 delivers a0; n1 aborts") == "6 aborted-delivery n3 a0");
  CHECK(judged(kThree + "n1 begins; n1 sends a0; n1 crashes; n3 delivers a0") == "7 aborted-delivery n3 a0");
  // What it delivered is to be delivered again, and is no cause of what its actor sends later.
  CHECK(judged(kThree +
               "n1 sends a0; n2 begins; n2 delivers a0; n2 aborts; n2 sends b0; n3 delivers b0; n2 delivers a0;"
               "n3 delivers a0; all drain") == "");
  CHECK(judged(kThree + "n1 sends a0; n3 begins; n3 delivers a0; n3 aborts; n1 sends b0; n3 delivers b0") ==
        "9 causal n3 b0 (a0 4 8)");
  // It is a cause of the step's own records.
  CHECK(judged(kThree + "n1 sends a0; n2 begins; n2 delivers a0; n2 sends b0; n2 aborts; n3 delivers b0") ==
        "9 aborted-delivery n3 b0; 9 causal n3 b0 (a0 4 6 7)");
  // So are subscriptions, and baselines.
  CHECK(judged("n3 subscribes b0; n3 begins; n3 subscribes a0; n3 aborts; n1 sends a0; n1 sends b0; n3 delivers b0") ==
        "");
  CHECK(judged("n3 subscribes b0; n3 subscribes a0; n3 begins; n3 unsubscribes a; n3 aborts; n1 sends a0; n1 sends b0;"
               "n3 delivers b0") == "8 causal n3 b0 (a0 6 7)");
}

TEST_CASE("a commit whose outcome is unknown was one if one of its records is seen later") {
  const std::string step =
      "n1 sends a0; n2 begins; n2 delivers a0; n2 sends b0; n2 sends c0; n2 commits?;";  // to line 9
  CHECK(judged(kThree + step + "n3 delivers b0") == "10 causal n3 b0 (a0 4 6 7)");
  CHECK(judged(kThree + step + "n3 delivers a0; n3 delivers b0; n2 delivers a0") == "12 duplicate n2 a0");
  CHECK(judged(kThree + step + "n3 delivers a0; n2 delivers a0; all drain") == "");
  CHECK(judged(kThree + step + "n3 delivers a0; n2 delivers a0; x observes c0; all drain") ==
        "11 duplicate n2 a0; 13 incomplete n3 b0");
  // With no records it is an abort.
  CHECK(judged(kThree + "n1 sends a0; n2 begins; n2 delivers a0; n2 commits?; n2 delivers a0") == "");
  // What comes in between waits.
  CHECK(judged(kThree + "n1 begins; n1 sends a0; n1 commits?; n2 begins; n2 sends b0; n2 commits?; n3 delivers b0;"
                        "n3 delivers a0; n3 delivers a0") == "12 duplicate n3 a0");
}

TEST_CASE("a crash takes the open step, or all memory") {
  CHECK(judged(kThree +
               "n1 sends a0; n2 begins; n2 delivers a0; n2 crashes; n2 restarts; n2 delivers a0; n2 delivers a0") ==
        "10 duplicate n2 a0");
  CHECK(judged(kThree + "n1 sends a0; n2 delivers a0; n2 forgets; n2 restarts; n2 sends b0; n3 delivers b0") == "");
  CHECK(judged(kThree + "n1 sends a0; n2 delivers a0; n2 forgets; n2 restarts; all drain") ==
        "8 incomplete n2 a0; 8 incomplete n3 a0");
  CHECK(judged(kThree + "n1 sends a0; n1 forgets; n1 restarts; n1 sends b0; n3 delivers b0; n3 delivers a0") == "");
  CHECK(judged(kThree + "n1 sends a0; n3 delivers a0; n3 forgets; n3 restarts; n1 sends b0; n3 delivers b0") ==
        "9 causal n3 b0 (a0 4 8)");
}

TEST_CASE("at a drain everything that was committed has been delivered") {
  const std::string two = "n2 subscribes a1; n3 subscribes a0; n1 sends a0; n1 sends a1; n1 begins; n1 sends a2;";
  CHECK(judged(two + "all drain") == "7 incomplete n2 a1; 7 incomplete n3 a0; 7 incomplete n3 a1");
  CHECK(judged(two + "n3 unsubscribes a; n2 delivers a1; all drain; n1 commits; all drain") == "11 incomplete n2 a2");
  CHECK(judged("n1 sends a0; all end") == "");
  CHECK(judged("n1 sends a0; all stop") == "2 not-drained");
}

TEST_CASE("a truncation leaves what an active consumer has still to read") {
  const std::string two = "n2 subscribes a0; n1 sends a0; n1 sends a1; n2 delivers a0;";
  CHECK(judged(two + "all lose a1") == "");
  CHECK(judged(two + "all lose a2") == "5 truncated-too-far n2 a1");
  CHECK(judged(two + "n2 unsubscribes a; all lose a2") == "");
  CHECK(judged(two + "n2 crashes; all lose a2") == "");
  CHECK(judged("n2 subscribes a0; n1 begins; n1 sends a0; n1 aborts; all lose a1") == "");
  CHECK(judged(two + "all lose a2; all drain") == "5 truncated-too-far n2 a1; 6 incomplete n2 a1");
}

TEST_CASE("violations are there as soon as they can be known") {
  const CausalTrace trace = Script(kThree + "n1 sends a0; n1 sends b0; n3 delivers b0; n3 delivers a5").trace();
  CausalJudge judge(trace.names);
  std::vector<std::size_t> seen;
  for (const CausalEvent& event : trace.events) {
    REQUIRE_FALSE(judge.take(event));
    seen.push_back(judge.violations().size());
  }
  CHECK(seen == std::vector<std::size_t>{0, 0, 0, 0, 0, 1, 2});
  CHECK(describe(judge.violations()[0], trace.names) ==
        "n3 delivered b@0 (sent at line 5) before what causally precedes it: a@0 (lines 4, 5)");
}

TEST_CASE("limits end the judging of a trace in unknown, and keep what was found") {
  const CausalTrace valid = Script(kThree + "n1 sends a0").trace();
  CheckOptions options;
  options.time_limit = std::chrono::nanoseconds(0);
  CHECK(judge_causal_trace(valid, options).verdict == Verdict::unknown);
  CHECK(judge_causal_trace(valid, options).limit == Limit::time);
  const std::atomic<bool> cancel = true;
  options = {};
  options.cancel = &cancel;
  CHECK(judge_causal_trace(valid, options).limit == Limit::cancelled);
  CausalTrace longer = Script("n3 delivers a0; n1 sends a0").trace();
  for (std::uint64_t k = 1; k < 100'000; ++k) {
    longer.events.push_back(longer.events[1]);
    longer.events.back().offset = k;
  }
  options = {};
  options.memory_limit = 100'000;
  const CausalResult result = judge_causal_trace(longer, options);
  CHECK(result.verdict == Verdict::invalid);
  CHECK(result.limit == Limit::memory);
  CHECK(result.violations.size() == 1);
}

}  // namespace
}  // namespace porpentine
