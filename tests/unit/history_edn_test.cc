#include <porpentine/history/reader.h>

#include <string>

#include "history_listing.h"
#include "support/catch.h"

using porpentine::Format;

TEST_CASE("op maps one a line, with the times of the file where they rise strictly") {
  CHECK(listing_of_file("good/register.edn") ==
        R"(0 write(1) ok null [100, 130] {"node":"n1"}
1 cas([1,2]) ok null [110, 140]
2 read(null) info [150, 150] {"error":["timeout","5 s"],"return-time":160}
1 write(3) fail [170, 180]
0 read(null) open [190, 190]
note "nemesis" "start" ["n1","n2"] at 120
)");
  const auto history = porpentine::read_history(data_file("good/register.edn")).value();
  CHECK(history.line == std::vector<std::uint64_t>{2, 3, 8, 10, 12});
  CHECK(history.annotations.front().line == 5);
}

TEST_CASE("one vector of op maps, over several lines and with comments") {
  CHECK(listing_of_file("good/vector.edn") ==
        "unit event\n3 txn([[\"r\",\"x\",null],[\"w\",\"y\",2]]) ok [[\"r\",\"x\",1],[\"w\",\"y\",2]] [0, 1]\n");
}

TEST_CASE("the order of the events counts where times tie, and the times are kept") {
  CHECK(listing_of_file("good/list.edn") == "unit event\n1 read(null) ok 0 [0, 1] {\"return-time\":7,\"time\":7}\n");
}

TEST_CASE("the order of the events counts where one of them has no time") {
  CHECK(listing("{:process 0, :type :invoke, :f :read, :time 1}\n{:process 0, :type :ok, :f :read, :time nil}") ==
        "unit event\n0 read(null) ok null [0, 1] {\"time\":1}\n");
}

TEST_CASE("keyed histories are split on demand") {
  CHECK(listing_of_file("good/independent.edn", {.independent = true}) ==
        R"(unit event
0 "k1" write(1) ok null [0, 3]
1 2 read(null) ok 5 [1, 5]
note 2 "drain" null at 2 {"event-type":"invoke"}
note 2 "drain" "done" at 4 {"event-type":"ok"}
)");
}

TEST_CASE("every kind of EDN value has a JSON value") {
  CHECK(listing_of_file("good/values.edn") ==
        R"(unit event
0 put({"5":"\n","big":{"#bigint":"123456789012345678901"},"char":"x","dash":"-","decimal":1.25,"exponent":1000,)"
        R"("hex":31,"infinite":"##Inf","instant":{"#inst":"2020-01-01"},"keyword":"ns/name","list":[1,2],)"
        R"("max":18446744073709551615,"minus":-5,"nested":{"a":{}},"plus":5,"ratio":{"#ratio":[3,2]},"real":2,)"
        R"("set":[1,3,"a","b"],"small":7,"string":[null,true,false],"symbol":"foo/bar","text":"a\tbé","whole":2})"
        R"() ok "done" [0, 1]
)");
}

TEST_CASE("a map and its buffer may end anywhere") {
  std::string text = "[";
  constexpr int kEvents = 12000;
  for (int i = 0; i < kEvents; ++i) {
    text += "{:process " + std::to_string(i % 7) + ", :type " + (i % 14 < 7 ? ":invoke" : ":ok") +
            ", :f :write, :value \"text number " + std::to_string(i - i % 14 / 7 * 7) + "\"} #_ ignored ; comment\n";
  }
  const auto history = porpentine::read_history_text(text + "]");
  REQUIRE(history.has_value());
  REQUIRE(history->size() == 6001);
  CHECK(history->values.as_string(history->input[6000]) == "text number " + std::to_string(kEvents - 1));
  CHECK(history->line[6000] == kEvents);
}

TEST_CASE("a value may be longer than any buffer") {
  const std::string text(1000000, 'x');
  const auto history =
      porpentine::read_history_text("{:process 0, :type :invoke, :f :write, :value \"" + text + "\"}").value();
  CHECK(history.values.as_string(history.input[0]) == text);
}

TEST_CASE("a key-value log's empty text is the absent value, and a backslash is a backslash") {
  const std::string expected = R"(unit event
0 "0" get(null) ok null [0, 2]
1 "0" append("x 1 0 y") ok null [1, 3]
0 "1" put("back\\slash") ok null [4, 5]
1 "1" get(null) ok "back\\slash" [6, 7]
)";
  CHECK(listing_of_file("good/kv.txt") == expected);
  CHECK(listing_of_file("good/kv.txt", {.format = Format::kv_log}) == expected);
}

TEST_CASE("a chain of discarded forms does not exhaust the stack") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "#_ ";
  CHECK(listing(text + "1", {.format = Format::edn}).rfind("error 1: nested too deeply", 0) == 0);
}

TEST_CASE("an EDN return whose time is before its call's is an input error with its line") {
  const auto history = porpentine::read_history_text(
      "{:process 0 :type :invoke :f :write :value 1 :time 10}\n"
      "{:process 0 :type :ok :f :write :value 1 :time 9}\n");
  REQUIRE_FALSE(history);
  CHECK(history.error().line == 2);
  CHECK(history.error().message.find("return before its call at 10 on line 1") == 0);
}
