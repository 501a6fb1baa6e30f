#include <porpentine/history/reader.h>

#include <string>

#include "history_listing.h"
#include "support/catch.h"

TEST_CASE("the operation form: outcomes, keys, metadata, notes and the header") {
  CHECK(listing_of_file("good/operations.jsonl") ==
        R"(model log
unit us
0 "orders" append("a") ok 0 [10, 40]
"writer-2" "orders" append("b") open [20, 20]
1 "orders" read(0) ok "a" [30, 50] {"host":"n3","value":7}
1 "käse \"ß\"" append({"a":true,"b":[1,2.5,null]}) info [60, 60] {"return-time":90}
0 "orders" append("c") fail [70, 80] {"error":"no leader"}
0 "orders" tail(null) ok 18446744073709551615 [80, 9223372036854775807]
2 "orders" scan(0) ok [[0,"a"]] [-9223372036854775808, 5]
note null null null at 15 {"text":"the primary was killed"}
)");
}

TEST_CASE("operations are numbered in the order of their lines, and know their line") {
  const auto history = porpentine::read_history(data_file("good/operations.jsonl")).value();
  CHECK(history.line == std::vector<std::uint64_t>{2, 4, 5, 7, 8, 9, 10});
  CHECK(history.annotations.front().line == 3);
  CHECK(history.file == data_file("good/operations.jsonl"));
}

TEST_CASE("lines come in any order, and operations of one process may touch") {
  CHECK(listing_of_file("good/shuffled.jsonl") ==
        "0 read(null) ok 2 [30, 40]\n"
        "1 write(2) ok null [15, 35]\n"
        "0 write(1) ok null [10, 20]\n"
        "0 read(null) ok 1 [20, 20]\n");
}

TEST_CASE("the event form: a completion belongs to the running operation of its process") {
  CHECK(listing_of_file("good/events.jsonl") ==
        R"(0 "orders" append("a") ok 41 [1200, 3400]
1 cas([1,2]) ok null [1400, 3500] {"index":2,"return-index":4}
1 write(5) fail [3600, 3700] {"return-value":6}
0 read(null) open [3800, 3800]
2 write(7) info [3800, 3800] {"return-time":3900}
note "nemesis" "partition" ["n1","n2"] at 1300
note null null null at 3500 {"text":"half time"}
)");
}

TEST_CASE("an event knows the line of its call and of its completion, where there is one") {
  const auto history = porpentine::read_history_text(R"({"process": 0, "type": "invoke", "f": "write", "value": 1}
{"process": 1, "type": "invoke", "f": "read"}

{"process": 1, "type": "ok", "f": "read", "value": 1}
{"process": 0, "type": "info", "f": "write"}
{"process": 2, "type": "invoke", "f": "write", "value": 2}
{"process": 2, "type": "fail", "f": "write"}
{"process": 1, "type": "invoke", "f": "read"}
)")
                           .value();
  CHECK(history.line == std::vector<std::uint64_t>{1, 2, 6, 8});
  CHECK(history.return_line == std::vector<std::uint64_t>{5, 4, 7, 0});
  CHECK(history.line_of_return(1) == 4);
  CHECK(history.line_of_return(3) == 8);
}

TEST_CASE("where an operation is one line, there are no lines of completions") {
  const auto history = porpentine::read_history(data_file("good/operations.jsonl")).value();
  CHECK(history.return_line.empty());
  CHECK(history.line_of_return(1) == 4);
}

TEST_CASE("without times the order of the events is the time") {
  CHECK(listing_of_file("good/events-without-times.jsonl") ==
        R"(unit event
0 enqueue("x") ok null [0, 3]
1 dequeue(null) ok "x" [1, 4]
note "nemesis" "kill" null at 2 {"event-time":12}
)");
}

TEST_CASE("a process goes on after an indeterminate operation") {
  CHECK(listing_of_file("good/process-goes-on-after-info.jsonl") ==
        "unit event\n0 write(1) info [0, 0] {\"error\":\"timeout\"}\n0 read(null) ok 1 [2, 3]\n");
  CHECK(listing(R"({"process": 0, "type": "info", "f": "write", "input": 1, "call": 1}
{"process": 0, "f": "read", "output": 1, "call": 1, "return": 3})") ==
        "0 write(1) info [1, 1]\n0 read(null) ok 1 [1, 3]\n");
}

TEST_CASE("only functions that write take a repeated input for success") {
  for (const std::string f : {"write", "put", "cas", "add", "enqueue", "push", "insert"}) {
    CHECK(listing(R"({"process": 0, "type": "invoke", "f": ")" + f + R"(", "value": 5}
{"process": 0, "type": "ok", "f": ")" +
                  f + R"(", "value": 5})") == "unit event\n0 " + f + "(5) ok null [0, 1]\n");
  }
  CHECK(listing(R"({"process": 0, "type": "invoke", "f": "append", "value": 5}
{"process": 0, "type": "ok", "f": "append", "value": 5})") == "unit event\n0 append(5) ok 5 [0, 1]\n");
  CHECK(listing(R"({"process": 0, "type": "invoke", "f": "cas", "value": [1, 2]}
{"process": 0, "type": "ok", "f": "cas", "value": false})") == "unit event\n0 cas([1,2]) ok false [0, 1]\n");
}

TEST_CASE("events of processes whose id is no integer are annotations, operations of such processes are not") {
  CHECK(listing(R"({"process": "0", "type": "invoke", "f": "read"})") ==
        "unit event\nnote \"0\" \"read\" null at 0 {\"event-type\":\"invoke\"}\n");
  CHECK(listing(R"({"process": "0", "f": "read", "call": 1, "return": 2})") == "\"0\" read(null) ok null [1, 2]\n");
}

TEST_CASE("an independent history's values are split into key and value") {
  CHECK(listing(R"({"process": 0, "type": "invoke", "f": "write", "value": ["k", 1]}
{"process": 0, "type": "ok", "f": "write", "value": ["k", 1]}
{"process": 0, "type": "invoke", "f": "drain"}
{"process": 0, "type": "ok", "f": "drain"})",
                {.independent = true}) ==
        "unit event\n0 \"k\" write(1) ok null [0, 1]\n"
        "note 0 \"drain\" null at 2 {\"event-type\":\"invoke\"}\nnote 0 \"drain\" null at 3 {\"event-type\":\"ok\"}\n");
}

TEST_CASE("a note without a time takes that of the line before, or of the first one") {
  CHECK(listing(R"({"type": "note", "text": "first"}
{"process": 0, "f": "read", "call": 7, "return": 9}
{"type": "note", "text": "second", "key": "k", "call": 3})") ==
        "0 read(null) ok null [7, 9]\nnote null null null at 7 {\"text\":\"first\"}\n"
        "note null null null at 7 {\"call\":3,\"key\":\"k\",\"text\":\"second\"}\n");
}

TEST_CASE("a byte order mark, carriage returns and blank lines mean nothing") {
  CHECK(listing_of_file("good/windows.jsonl") == "0 write(1) ok null [1, 2]\n0 read(null) ok 1 [3, 4]\n");
  const auto history = porpentine::read_history(data_file("good/windows.jsonl")).value();
  CHECK(history.line == std::vector<std::uint64_t>{1, 3});
}

TEST_CASE("a file without a line is an empty history") {
  CHECK(listing_of_file("good/empty.jsonl").empty());
  CHECK(listing_of_file("good/blank.jsonl").empty());
  CHECK(listing("\xEF\xBB\xBF").empty());
  CHECK(listing("", {.format = porpentine::Format::edn}).empty());
}

TEST_CASE("keys written with escapes are the same keys") {
  CHECK(listing(R"({"process": 0, "\u0066": "read", "c\u0061ll": 1, "retur\u006e": 2, "\u006b2": 1})") ==
        "0 read(null) ok null [1, 2] {\"k2\":1}\n");
}

TEST_CASE("equal values of different writing are one") {
  CHECK(listing(R"({"process": 0.0, "f": "write", "input": 4.2e1, "call": 1, "return": 2}
{"process": 0, "f": "write", "input": -0.0, "call": 2, "return": 2}
{"process": 0, "f": "write", "input": "\u0061\ud83d\ude00", "call": 2, "return": 2})") ==
        "0 write(42) ok null [1, 2]\n0 write(0) ok null [2, 2]\n0 write(\"a😀\") ok null [2, 2]\n");
}

TEST_CASE("a line may be longer than any buffer") {
  const std::string text(3000000, 'x');
  const std::string line = R"({"process": 0, "f": "write", "input": ")" + text + R"(", "call": 1, "return": 2})";
  const auto history = porpentine::read_history_text(line + "\n" + line.substr(0, 12) +
                                                     R"(1, "f": "read", "output": "y", "call": 1, "return": 2})");
  REQUIRE(history.has_value());
  CHECK(history->size() == 2);
  CHECK(history->values.as_string(history->input[0]) == text);
}

TEST_CASE("many lines are read through one buffer, wherever its end cuts them") {
  std::string text;
  constexpr int kLines = 50000;
  for (int i = 0; i < kLines; ++i) {
    const std::string number = std::to_string(i);
    text += R"({"process": 0, "f": "write", "input": "v)" + number + R"(", "call": )" + number + R"(, "return": )" +
            number + "}\n";
  }
  const auto history = porpentine::read_history_text(text).value();
  REQUIRE(history.size() == kLines);
  for (std::size_t i = 0; i < history.size(); ++i) {
    REQUIRE(history.values.as_string(history.input[i]) == "v" + std::to_string(i));
    REQUIRE(history.line[i] == i + 1);
  }
}

TEST_CASE("an operation is described with key, input, output, process and line") {
  const auto history = porpentine::read_history(data_file("good/operations.jsonl")).value();
  CHECK(history.describe(0) == "orders: append(\"a\") -> 0 by process 0 (line 2)");
  CHECK(history.describe(1) == "orders: append(\"b\") -> ? by process writer-2 (line 4)");
  CHECK(history.describe(4) == "orders: append(\"c\") -> failed by process 0 (line 8)");
  CHECK(history.describe(5) == "orders: tail() -> 18446744073709551615 by process 0 (line 9)");
  const auto registers = porpentine::read_history(data_file("good/shuffled.jsonl")).value();
  CHECK(registers.describe(0) == "read() -> 2 by process 0 (line 1)");
  CHECK(registers.describe(1) == "write(2) by process 1 (line 2)");
}

TEST_CASE("an operation that has an event's value in place of input and output is an input error") {
  const auto history =
      porpentine::read_history_text(R"({"process": 0, "f": "write", "value": 1, "call": 0, "return": 1})");
  REQUIRE_FALSE(history);
  CHECK(history.error().line == 1);
  CHECK(history.error().message.find("\"value\" belongs to events") == 0);
  CHECK(porpentine::read_history_text(
            R"({"process": 0, "f": "write", "input": 1, "value": "kept", "call": 0, "return": 1})")
            .has_value());
}

TEST_CASE("what a process says whose id is no integer is never checked") {
  const auto history = porpentine::read_history_text(R"({"process": "nemesis", "type": "weird", "f": "x", "time": 1}
{"process": "nemesis", "type": "info", "f": 3, "time": "x"}
{"process": 0, "type": "invoke", "f": "read", "time": 3}
{"process": 0, "type": "ok", "f": "read", "value": 5, "time": 4})")
                           .value();
  CHECK(history.size() == 1);
  CHECK(history.annotations.size() == 2);
}

TEST_CASE("what steers a terminal or turns the direction of text is written escaped, and read as it was") {
  porpentine::ValueTable values;
  const auto text = values.string(
      "\xc2\x9b"
      "31m \xe2\x80\xae \x7f \xc3\xa9");
  CHECK(values.to_json(text) == R"("\u009b31m \u202e \u007f )"
                                "\xc3\xa9\"");
}
