#include <porpentine/history/reader.h>

#include <string>

#include "history_listing.h"
#include "support/catch.h"

using porpentine::ErrorCode;

namespace {

struct Expected {
  const char* file;
  ErrorCode code;
  std::uint64_t line;
  const char* message;  ///< how it begins
};

constexpr Expected kExpected[] = {
    {"unparsable-line.jsonl", ErrorCode::syntax, 2, "not JSON: {\"process\": 0"},
    {"line-cut-in-half.jsonl", ErrorCode::syntax, 2, "not JSON: {\"process\": 1"},
    {"two-values-on-a-line.jsonl", ErrorCode::syntax, 1, "not JSON"},
    {"no-object.jsonl", ErrorCode::syntax, 2, "not a JSON object: [1, 2]"},
    {"json-array.json", ErrorCode::syntax, 1, "not a JSON object: ["},
    {"not-utf8.jsonl", ErrorCode::syntax, 2, "not UTF-8: {"},
    {"nested-too-deeply.jsonl", ErrorCode::syntax, 1, "nested too deeply"},
    {"integer-out-of-range.jsonl", ErrorCode::syntax, 1, "a number that is malformed or out of range"},
    {"real-out-of-range.jsonl", ErrorCode::syntax, 1, "a number that is malformed or out of range"},
    {"missing-process.jsonl", ErrorCode::field, 1, "missing field \"process\""},
    {"missing-f.jsonl", ErrorCode::field, 1, "missing field \"f\""},
    {"missing-call.jsonl", ErrorCode::field, 2, "missing field \"call\""},
    {"ok-without-return.jsonl", ErrorCode::field, 1, "missing field \"return\""},
    {"process-no-integer-or-text.jsonl", ErrorCode::field, 1, "\"process\" is neither an integer nor text"},
    {"f-no-text.jsonl", ErrorCode::field, 1, "\"f\" is no text: {"},
    {"repeated-field.jsonl", ErrorCode::field, 2, "\"f\" stands twice in one object: {\"process\": 0"},
    {"repeated-escaped-field.jsonl", ErrorCode::field, 1, "\"input\" stands twice in one object"},
    {"repeated-metadata.jsonl", ErrorCode::field, 1, "\"host\" stands twice in one object"},
    {"repeated-member.jsonl", ErrorCode::field, 1, "\"from\" stands twice in one object"},
    {"repeated-header.jsonl", ErrorCode::field, 1, "\"model\" stands twice in one object"},
    {"unknown-type.jsonl", ErrorCode::field, 1, "unknown \"type\""},
    {"unknown-version.jsonl", ErrorCode::field, 1, "only version 1"},
    {"model-no-text.jsonl", ErrorCode::field, 1, "\"model\" is no text"},
    {"time-fraction.jsonl", ErrorCode::field, 1, "\"call\" is not a 64-bit integer"},
    {"time-text.jsonl", ErrorCode::field, 1, "\"return\" is not a 64-bit integer"},
    {"time-exponent.jsonl", ErrorCode::field, 1, "\"return\" is not a 64-bit integer"},
    {"time-too-large.jsonl", ErrorCode::field, 1, "\"return\" is not a 64-bit integer"},
    {"event-time-text.jsonl", ErrorCode::field, 1, "\"time\" is not a 64-bit integer"},
    {"some-events-without-times.jsonl", ErrorCode::field, 2, "missing field \"time\""},
    {"some-events-with-times.jsonl", ErrorCode::field, 2, "an event with a time"},
    {"event-among-operations.jsonl", ErrorCode::field, 2, "an event among operations"},
    {"operation-among-events.jsonl", ErrorCode::field, 2, "an operation among events"},
    {"event-without-process.jsonl", ErrorCode::field, 1, "missing field \"process\""},
    {"event-without-f.jsonl", ErrorCode::field, 1, "missing field \"f\""},
    {"return-before-call.jsonl", ErrorCode::order, 1, "return before its call"},
    {"overlapping-operations.jsonl", ErrorCode::order, 3,
     "second call of process 0 while write(1) by process 0 (line 1) is still running: read() -> 1"},
    {"return-without-call.jsonl", ErrorCode::order, 1, "return without a call by process 1"},
    {"second-return.jsonl", ErrorCode::order, 3, "second return of write(1) by process 0 (line 1)"},
    {"second-call.jsonl", ErrorCode::order, 2, "second call of process 0 while write(1) -> ? by process 0 (line 1)"},
    {"return-of-another-function.jsonl", ErrorCode::order, 2, "the return of another function than write(1)"},
    {"return-with-another-key.jsonl", ErrorCode::order, 2, "the return names another key"},
    {"event-returns-before-its-call.jsonl", ErrorCode::order, 2, "return before its call at 10 on line 1"},
    {"event-calls-before-the-last-return.jsonl", ErrorCode::order, 3, "second call of process 0 before write(1)"},
    {"truncated.jsonl.gz", ErrorCode::io, 0, "truncated gzip data"},
    {"truncated.jsonl.zst", ErrorCode::io, 0, "truncated zstd data"},
    {"damaged.jsonl.gz", ErrorCode::io, 0, "damaged gzip data: "},
    {"binary.bin", ErrorCode::io, 0, "this is not text"},
    {"no-history.txt", ErrorCode::syntax, 1, "can't tell the format, name it with --format: Dear diary,"},
    {"no-end.edn", ErrorCode::field, 2, "the vector or list of events has no end"},
    {"form-cut-in-half.edn", ErrorCode::syntax, 2, "the text ends in the middle of a form"},
    {"missing-type.edn", ErrorCode::field, 3, "missing field :type"},
    {"missing-process.edn", ErrorCode::field, 1, "missing field :process"},
    {"missing-f.edn", ErrorCode::field, 1, "missing field \"f\""},
    {"unknown-type.edn", ErrorCode::field, 1, "unknown :type"},
    {"repeated-field.edn", ErrorCode::field, 2, ":value stands twice in one map: {:process 0"},
    {"repeated-member.edn", ErrorCode::syntax, 1, "\"from\" stands twice in one map"},
    {"no-map.edn", ErrorCode::field, 2, "an op map should stand here: 5"},
    {"time-fraction.edn", ErrorCode::field, 1, ":time is not a 64-bit integer"},
    {"integer-out-of-range.edn", ErrorCode::syntax, 1, "an integer out of range"},
    {"key-without-value.edn", ErrorCode::syntax, 1, "an unexpected closing bracket"},
    {"unknown-escape.edn", ErrorCode::syntax, 1, "an unknown escape in a text"},
    {"nested-too-deeply.edn", ErrorCode::syntax, 1, "nested too deeply"},
    {"not-utf8.edn", ErrorCode::syntax, 2, "not UTF-8"},
    {"second-call.edn", ErrorCode::order, 2, "second call of process 0 while read()"},
    {"return-without-call.log", ErrorCode::order, 1, "return without a call by process 0"},
    {"value-no-edn.log", ErrorCode::syntax, 1, "a value that is not EDN"},
    {"not-utf8.log", ErrorCode::syntax, 1, "not UTF-8"},
    {"no-closing-quote.txt", ErrorCode::syntax, 2, "a text without its closing quote"},
};

porpentine::Error error_of(const std::string& file, const porpentine::ReadOptions& options = {}) {
  const auto history = porpentine::read_history(data_file("bad/" + file), options);
  return history ? porpentine::Error{ErrorCode::usage, "read without an error"} : history.error();
}

}  // namespace

TEST_CASE("what is no history is an error with code, line and offending text") {
  for (const Expected& expected : kExpected) {
    INFO(expected.file);
    const porpentine::Error error = error_of(expected.file);
    CHECK(error.code == expected.code);
    CHECK(error.line == expected.line);
    CHECK(error.message.rfind(expected.message, 0) == 0);
    INFO(error.message);
    CHECK(error.file == data_file(std::string("bad/") + expected.file));
    CHECK(error.message.find('\n') == std::string::npos);
    CHECK(error.message.size() < 400);
  }
}

TEST_CASE("a keyed history's completion must name its call's key") {
  CHECK(error_of("no-pair.edn", {.independent = true}).line == 2);
  CHECK(error_of("other-key.edn", {.independent = true}).code == ErrorCode::order);
}

TEST_CASE("the offending text is cut, and its bytes are shown where they are no text") {
  const std::string long_line = listing("{\"process\": 0, \"f\": " + std::string(500, 'x') + "}");
  CHECK(long_line.find(std::string(40, 'x') + "...") != std::string::npos);
  CHECK(long_line.size() < 120);
  CHECK(listing("{\"a\xff\": 1}").find("{\"a\\xff\": 1}") != std::string::npos);
}

TEST_CASE("a file that is not there, and a directory, are errors") {
  const auto missing = porpentine::read_history(data_file("good/there-is-no-such-file.jsonl"));
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().code == ErrorCode::io);
  CHECK(missing.error().message == "can't open: No such file or directory");
  const auto directory = porpentine::read_history(data_file("good"));
  REQUIRE_FALSE(directory.has_value());
  CHECK(directory.error().message == "can't read: it is a directory");
}

TEST_CASE("malformed JSON is refused wherever it stands in a line") {
  for (const std::string value : {"1,",    "01",       "1.",          "-",     "+1",   "nul",     "nulll",
                                  "truee", "\"\\x\"",  "\"\\ud800\"", "[1 2]", "[1,]", "{\"a\"}", "{\"a\":1,}",
                                  "{1:2}", "\"a\tb\"", "1e",          "[",     "]",    "1 2",     "'a'"}) {
    INFO(value);
    for (const std::string name : {"input", "unknown", "call", "type"}) {
      const std::string line = R"({"process": 0, "f": "read", "return": 5, "call": 1, ")" + name + "\": " + value + "}";
      CHECK(listing(line).rfind("error 1:", 0) == 0);
    }
  }
}

TEST_CASE("a name that stands twice is found among many, in whatever order") {
  std::string line = R"({"process": 0, "f": "read", "call": 0, "return": 1)";
  for (int i = 0; i < 100; ++i) line += ", \"x" + std::to_string(i) + "\": 0";
  CHECK(listing(line + "}").rfind("error", 0) != 0);
  CHECK(listing(line + ", \"x50\": 0}").rfind("error 1: \"x50\" stands twice in one object", 0) == 0);
}

TEST_CASE("one function too many is called that") {
  std::string text;
  for (int i = 0; i <= 65536; ++i) {
    text += R"({"process": 0, "call": 0, "return": 0, "f": "f)" + std::to_string(i) + "\"}\n";
  }
  CHECK(listing(text).rfind("error 65537: more than 65536 different functions: {", 0) == 0);
}

TEST_CASE("an unknown format's name is answered with the known ones") {
  CHECK(porpentine::parse_format("jepsen-log").value() == porpentine::Format::jepsen_log);
  const auto unknown = porpentine::parse_format("xml");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::usage);
  CHECK(unknown.error().message == "unknown format \"xml\", there are auto, jsonl, edn, jepsen-log, kv-log, s2");
}
