#include <porpentine/history/reader.h>
#include <porpentine/models/specification.h>

#include <cstdint>
#include <string>

#include "support/catch.h"

using namespace porpentine;

namespace {

/// The line that the model complains of; 0 where it doesn't.
std::uint64_t line_of_complaint(const std::string& model, const std::string& text) {
  History history = read_history_text(text).value();
  const auto error = make_specification(model, history.values).value()->validate(history);
  return error ? error->line : 0;
}

/// Line 2 calls, line 4 completes; process 1 does something right in between.
std::string events(const std::string& f, const std::string& input, const std::string& output) {
  return R"({"porpentine": 1}
{"process": 0, "type": "invoke", "f": ")" +
         f + R"(", "value": )" + input + R"(}
{"process": 1, "type": "invoke", "f": ")" +
         f + R"(", "value": [["r", 0, null]]}
{"process": 0, "type": "ok", "f": ")" +
         f + R"(", "value": )" + output + R"(}
{"process": 1, "type": "fail", "f": ")" +
         f + R"("}
)";
}

}  // namespace

TEST_CASE("a model's complaint about an output names the line of the completion") {
  CHECK(line_of_complaint("log", events("append", "\"a\"", "\"x\"")) == 4);
  CHECK(line_of_complaint("log", events("append-batch", "[1]", "-1")) == 4);
  CHECK(line_of_complaint("log", events("tail", "null", "null")) == 4);
  CHECK(line_of_complaint("log", events("scan", "0", "[[0]]")) == 4);
  CHECK(line_of_complaint("register", events("cas", "[1, 2]", "5")) == 4);
  CHECK(line_of_complaint("kv", events("cas", "[1, 2]", "5")) == 4);
  CHECK(line_of_complaint("mutex:fenced", events("acquire", "null", "null")) == 4);
  CHECK(line_of_complaint("multi-register", events("txn", R"([["r", 0, null]])", "[]")) == 4);
  CHECK(line_of_complaint("multi-register", events("txn", R"([["r", 0, null]])", R"([["r", 1, 5]])")) == 4);
}

TEST_CASE("a model's complaint about a function or an input names the line of the call") {
  CHECK(line_of_complaint("log", events("frobnicate", "null", "null")) == 2);
  CHECK(line_of_complaint("log", events("append", "null", "\"x\"")) == 2);
  CHECK(line_of_complaint("log", events("scan", "-1", "5")) == 2);
  CHECK(line_of_complaint("register", events("cas", "1", "5")) == 2);
  CHECK(line_of_complaint("kv", events("append", "1", "null")) == 2);
  CHECK(line_of_complaint("multi-register", events("txn", "[[]]", "5")) == 2);
}

TEST_CASE("where an operation is one line, all complaints name it") {
  const std::string call = R"({"process": 0, "call": 1, "return": 2, "f": "append", )";
  CHECK(line_of_complaint("log", "\n" + call + R"("input": "a", "output": "x"})") == 2);
  CHECK(line_of_complaint("log", "\n" + call + R"("output": 0})") == 2);
}
