#include <porpentine/history/excerpt.h>

#include <sstream>

#include <porpentine/history/writer.h>

#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

TEST_CASE("an excerpt holds the operations that were asked for, with their metadata") {
  History history =
      read_history_text(line(0, "write", "1", "null", 0, 1) +
                        R"({"process": 1, "f": "read", "output": 1, "call": 2, "return": 3, "node": "n1"})"
                        "\n" +
                        line(2, "read", "null", "2", 4, 5))
          .value();
  const std::uint32_t kept[] = {1, 2};
  keep_operations(history, kept);
  REQUIRE(history.size() == 2);
  CHECK(history.describe(0) == "read() -> 1 by process 1 (line 2)");
  CHECK(history.describe(1) == "read() -> 2 by process 2 (line 3)");
  REQUIRE(history.metadata.size() == 1);
  CHECK(history.metadata[0].first == 0);
}

TEST_CASE("an operation whose outcome is forgotten is written as indeterminate") {
  History history = read_history_text(line(0, "read", "null", "7", 0, 9)).value();
  forget_outcome(history, 0);
  std::ostringstream out;
  write_jsonl(history, out);
  CHECK(out.str().find(R"("type": "info")") != std::string::npos);
  CHECK(out.str().find('7') == std::string::npos);
}
