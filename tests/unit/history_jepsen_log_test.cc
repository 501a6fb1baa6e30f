#include <porpentine/history/reader.h>

#include "history_listing.h"
#include "support/catch.h"

TEST_CASE("a failed compare-and-set was seen to mismatch, and a failure by timeout is none") {
  CHECK(listing_of_file("good/register.log") ==
        R"(unit event
0 write(3) ok null [0, 3]
1 cas([3,4]) ok false [1, 4]
2 read(null) info [5, 5] {"error":"timed-out"}
3 write(5) info [7, 7] {"error":"timed-out"}
4 write(6) fail [9, 10]
note "nemesis" "start" "cut off n1" at 2
)");
}

TEST_CASE("newer layouts have the same fields at the end of the line") {
  CHECK(listing_of_file("good/worker.log") ==
        R"(unit event
3 read(null) ok [1,"two"] [0, 1]
4 append({"a":1}) info [2, 2] {"error":"no answer: broken pipe"}
)");
}

TEST_CASE("history.txt, with errors over several lines") {
  CHECK(listing_of_file("good/history.txt") ==
        R"(unit event
0 enqueue(1) ok null [0, 1]
1 dequeue(null) info [2, 2] {"error":"java.net.SocketTimeoutException"}
2 dequeue(null) ok 1 [4, 5]
)");
}

TEST_CASE("an indeterminate operation's value may be anything") {
  CHECK(listing("0\t:invoke\t:write\t1\n0\t:info\t:write\t[oh no\n", {}) ==
        "unit event\n0 write(1) info [0, 0] {\"error\":\"[oh no\"}\n");
}

TEST_CASE("a keyed log's failed compare-and-set keeps its key") {
  CHECK(listing("0\t:invoke\t:cas\t[7 [1 2]]\n0\t:fail\t:cas\t[7 [1 2]]\n", {.independent = true}) ==
        "unit event\n0 7 cas([1,2]) ok false [0, 1]\n");
}

TEST_CASE("a text without a line of a Jepsen log is no empty history") {
  porpentine::ReadOptions options;
  options.format = porpentine::Format::jepsen_log;
  const auto prose = porpentine::read_history_text("\nhello\nworld\n", options);
  REQUIRE_FALSE(prose);
  CHECK(prose.error().line == 2);
  CHECK(porpentine::read_history_text("\n\n", options).value().size() == 0);
}
