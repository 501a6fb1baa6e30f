#include <porpentine/history/causal_rules.h>
#include <porpentine/history/causal_trace.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.h"

namespace porpentine {
namespace {

constexpr const char* kAll = R"({"porpentine": 1, "model": "causal-delivery"}
{"type": "subscribe", "actor": "n2", "ch": "t1-0", "position": 3}
{"type": "begin", "actor": "n1"}
{"type": "send", "actor": "n1", "ch": "t1-0", "offset": 18446744073709551615, "id": {"a": [1, "</script>"]}}
{"type": "commit", "actor": "n1", "outcome": "unknown"}
{"type": "begin", "actor": "n1"}
{"type": "send", "actor": "n1", "ch": "t1-0", "offset": 3}
{"type": "abort", "actor": "n1"}
{"type": "marker", "ch": "t1-0", "offset": 3}
{"type": "deliver", "actor": "n2", "ch": "t1-0", "offset": 18446744073709551615}
{"type": "observe", "actor": "7", "ch": "t1-0", "offset": 18446744073709551615}
{"type": "crash", "actor": "n2", "lose": "all"}
{"type": "restart", "actor": "n2"}
{"type": "crash", "actor": "n2", "lose": "staged"}
{"type": "restart", "actor": "n2"}
{"type": "unsubscribe", "actor": "n2", "ch": "t1-0"}
{"type": "truncate", "ch": "t1-0", "log_start": 4}
{"type": "drain"}
{"type": "drain", "actors": ["n2", "7"]}
{"type": "end", "drained": true}
{"type": "note", "text": "a \"note\""}
)";

/// What is wrong with these lines; empty where nothing is.
std::string error_of(const std::string& lines) {
  const auto trace = read_causal_trace_text(lines);
  return trace ? "" : trace.error().to_string();
}

TEST_CASE("every line of a trace comes back as it was") {
  const CausalTrace trace = read_causal_trace_text(kAll).value();
  REQUIRE(trace.events.size() == 20);
  CHECK(trace.names.actors == std::vector<std::string>{"n2", "n1", "7"});
  CHECK(trace.events[2].offset == 18446744073709551615U);
  CHECK(trace.events[2].line == 4);
  CHECK(trace.names.texts[trace.events[2].detail] == R"({"a": [1, "</script>"]})");
  CHECK(trace.events[3].flag);
  std::ostringstream out;
  write_causal_trace(trace, out);
  CHECK(out.str() == kAll);
}

TEST_CASE("other fields of a trace's lines are not looked at, and integers are names") {
  const CausalTrace trace =
      read_causal_trace_text("{\"x\": [1, {}], \"ch\": 5, \"offset\": 0, \"type\": \"marker\", \"actor\": \"n1\"}")
          .value();
  REQUIRE(trace.events.size() == 1);
  CHECK(trace.events[0].actor == kNoIndex);
  CHECK(trace.names.channels == std::vector<std::string>{"5"});
}

TEST_CASE("a trace is told from a history by its first line that says so") {
  CHECK(is_causal_trace(kAll));
  CHECK(is_causal_trace("\n{\"type\": \"note\", \"text\": \"\"}\n{\"type\": \"begin\", \"actor\": \"n1\"}\n"));
  CHECK(is_causal_trace(
      "{\"porpentine\": 1}\n{\"type\": \"note\"}\n{\"ch\": \"c\", \"type\": \"marker\", \"offset\": 1}"));
  CHECK_FALSE(is_causal_trace("{\"type\": \"invoke\", \"process\": 0, \"f\": \"read\"}"));
  CHECK_FALSE(is_causal_trace("{\"process\": 0, \"f\": \"send\", \"type\": \"send\"}"));
  CHECK_FALSE(is_causal_trace("{\"porpentine\": 1}"));
  CHECK_FALSE(is_causal_trace(""));
  CHECK_FALSE(is_causal_trace("{\"type\": \"subscribe\", \"actor\"> \"n0\"}"));
  CHECK_FALSE(is_causal_trace("INFO  jepsen.util - 3  :invoke  :read  nil"));
}

TEST_CASE("lines that are no event of a trace are errors with file and line") {
  const std::string begin = "{\"type\": \"begin\", \"actor\": \"n1\"}\n";
  CHECK(error_of(begin + "{\"type\": \"send\", \"act") == "<memory>:2: not a JSON object: {\"type\": \"send\", \"act");
  CHECK(error_of(begin + "{\"type\": \"commit\"}") == "<memory>:2: missing field \"actor\": {\"type\": \"commit\"}");
  CHECK(error_of("{\"x\": ni 1}") == "<memory>:1: not JSON: {\"x\": ni 1}");
  CHECK(error_of("{\"actor\": \"n1\"}") == "<memory>:1: missing field \"type\": {\"actor\": \"n1\"}");
  CHECK(error_of("{\"type\": \"reboot\"}") == "<memory>:1: unknown \"type\": {\"type\": \"reboot\"}");
  CHECK(error_of("{\"porpentine\": 2}") == "<memory>:1: only version 1 of the format is known: {\"porpentine\": 2}");
  const auto field_of_marker = [](const std::string& fields) {
    const std::string error = error_of("{\"type\": \"marker\", " + fields + "}");
    return error.substr(0, error.find(": {"));
  };
  CHECK(field_of_marker(R"("ch": "c", "offset": -1)") ==
        "<memory>:1: \"offset\" is not an unsigned integer of 64 bits");
  CHECK(field_of_marker(R"("ch": "c", "offset": 1.0)") ==
        "<memory>:1: \"offset\" is not an unsigned integer of 64 bits");
  CHECK(field_of_marker(R"("ch": "c", "offset": 18446744073709551616)") ==
        "<memory>:1: \"offset\" is not an unsigned integer of 64 bits");
  CHECK(field_of_marker(R"("ch": null, "offset": 1)") == "<memory>:1: \"ch\" is not text or an integer");
  CHECK(field_of_marker(R"("ch": "c", "offset": 1, "ch": "d")") == "<memory>:1: \"ch\" is named twice");
  CHECK(error_of("{\"type\": \"crash\", \"actor\": \"n1\", \"lose\": \"some\"}")
            .find("\"lose\" is not \"staged\" or \"all\"") != std::string::npos);
  CHECK(error_of("{\"type\": \"end\", \"drained\": 1}").find("\"drained\" is not true or false") != std::string::npos);
  CHECK(error_of("{\"type\": \"drain\", \"actors\": \"n1\"}").find("\"actors\" is not a list of actors") !=
        std::string::npos);
}

TEST_CASE("what can't have happened in a trace is an error with file and line") {
  const std::string send = R"({"type": "send", "actor": "n1", "ch": "c", "offset": 5})"
                           "\n";
  const std::string begin = "{\"type\": \"begin\", \"actor\": \"n1\"}\n";
  const std::string crash = "{\"type\": \"crash\", \"actor\": \"n1\", \"lose\": \"staged\"}\n";
  const std::string marker = "{\"type\": \"marker\", \"ch\": \"c\", \"offset\": 5}\n";
  CHECK(error_of(send + send) == "<memory>:2: send: c@5 holds a record already (line 1)");
  CHECK(error_of(marker + send) == "<memory>:2: send: c@5 holds a marker");
  CHECK(error_of(send + marker) == "<memory>:2: marker: c@5 holds a record that was not aborted (line 1)");
  CHECK(error_of(marker + marker).empty());
  CHECK(error_of(begin + send + "{\"type\": \"abort\", \"actor\": \"n1\"}\n" + marker).empty());
  CHECK(error_of(begin + send + crash + marker).empty());
  CHECK(error_of(crash + send) == "<memory>:2: send: n1 is down since it crashed (line 1)");
  CHECK(error_of(crash + "{\"type\": \"deliver\", \"actor\": \"n1\", \"ch\": \"c\", \"offset\": 5}") ==
        "<memory>:2: deliver: n1 is down since it crashed (line 1)");
  CHECK(error_of("{\"type\": \"restart\", \"actor\": \"n1\"}") == "<memory>:1: restart: n1 has not crashed");
  CHECK(error_of("{\"type\": \"commit\", \"actor\": \"n1\"}") == "<memory>:1: commit: n1 has not begun a step");
  CHECK(error_of("{\"type\": \"abort\", \"actor\": \"n1\"}") == "<memory>:1: abort: n1 has not begun a step");
  CHECK(error_of(begin + begin) == "<memory>:2: begin: n1 has not ended its step (line 1)");
  CHECK(error_of("{\"type\": \"end\", \"drained\": true}\n" + send) ==
        "<memory>:2: send: the trace has ended (line 1)");
}

TEST_CASE("records are found at any offsets, in whatever order they were sent") {
  CausalNames names{{"n1"}, {"c"}, {}, {}};
  CausalRules rules(names);
  const auto event = [](CausalEventType type, std::uint64_t offset) {
    return CausalEvent{.type = type, .actor = 0, .channel = 0, .offset = offset};
  };
  // From dense ones out in both directions, with gaps that are filled later.
  std::vector<std::uint64_t> offsets = {1000, 1001, 1002, 5, 0, ~std::uint64_t{0}, 1u << 20, 1200, 1100, 1003};
  for (std::uint64_t k = 0; k < 300; ++k) offsets.push_back(1300 - k % 2 * 10 + k * 3);
  std::sort(offsets.begin() + 10, offsets.end());
  offsets.erase(std::unique(offsets.begin() + 10, offsets.end()), offsets.end());
  for (const std::uint64_t offset : offsets) REQUIRE(rules.take(event(CausalEventType::send, offset)).has_value());
  CHECK(rules.records() == offsets.size());
  for (std::uint32_t k = 0; k < offsets.size(); ++k) {
    CHECK(rules.take(event(CausalEventType::deliver, offsets[k])).value() == k);
  }
  CHECK(rules.take(event(CausalEventType::observe, 1004)).value() == kNoIndex);
}

}  // namespace
}  // namespace porpentine
