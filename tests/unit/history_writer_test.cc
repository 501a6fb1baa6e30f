#include <porpentine/history/writer.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "history_listing.h"
#include "support/catch.h"

namespace {

std::string written(const porpentine::History& history) {
  std::ostringstream out;
  write_jsonl(history, out);
  return out.str();
}

/// What `listing` leaves out: the tables of names, in their order.
std::string names(const porpentine::History& history) {
  std::string text;
  for (const auto& function : history.functions) text += function + "\n";
  for (const auto process : history.processes) text += history.values.to_json(process) + "\n";
  return text;
}

}  // namespace

TEST_CASE("every good history is the same after it was written and read again") {
  for (const auto& entry : std::filesystem::directory_iterator(data_file("good"))) {
    INFO(entry.path().string());
    const bool independent = entry.path().stem() == "independent";
    const auto history = porpentine::read_history(entry.path().string(), {.independent = independent}).value();
    const std::string text = written(history);
    const auto again = porpentine::read_history_text(text);
    REQUIRE(again.has_value());
    CHECK(listing(*again) == listing(history));
    CHECK(names(*again) == names(history));
    CHECK(written(*again) == text);
  }
}

TEST_CASE("operations are written one a line under a header, annotations where they stood") {
  CHECK(written(porpentine::read_history(data_file("good/events-without-times.jsonl")).value()) ==
        R"({"porpentine": 1, "time-unit": "event"}
{"process": 0, "f": "enqueue", "input": "x", "output": null, "call": 0, "return": 3}
{"process": 1, "f": "dequeue", "output": "x", "call": 1, "return": 4}
{"type": "note", "process": "nemesis", "f": "kill", "time": 2, "event-time": 12}
)");
}

TEST_CASE("fields of an event that the operation form has itself are kept under another name") {
  const std::string text =
      R"({"process": 0, "type": "invoke", "f": "read", "value": 1, "input": "i", "call": 7, "host": "n1"}
{"process": 0, "type": "ok", "f": "read", "value": 2, "output": "o", "return": 8, "host": "n2"})";
  const std::string expected =
      R"(unit event
0 read(1) ok 2 [0, 1] {"event-call":7,"event-input":"i","host":"n1",)"
      R"("return-host":"n2","return-output":"o","return-return":8}
)";
  CHECK(listing(text) == expected);
  CHECK(listing(written(porpentine::read_history_text(text).value())) == expected);
}

TEST_CASE("numbers keep their value through writing") {
  const std::string text =
      R"({"process": 0, "f": "write", "input": [0.1, 1e300, 123456789012345680000.0, 5e-324, 9007199254740993, -0.0], )"
      R"("call": -9223372036854775808, "return": 9223372036854775807})";
  const auto history = porpentine::read_history_text(text).value();
  CHECK(listing(written(history)) == listing(history));
  CHECK(listing(history) ==
        "0 write([0.1,1e+300,123456789012345683968.0,5e-324,9007199254740993,0]) ok null "
        "[-9223372036854775808, 9223372036854775807]\n");
}
