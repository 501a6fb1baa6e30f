#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Failure only_failure(std::string_view model, std::string_view lines, SearchOrder order = SearchOrder::portfolio) {
  CheckOptions options;
  options.engine = Engine::search;
  options.order = order;
  const CheckResult result = judge(model, lines, options);
  REQUIRE(result.failures.size() == 1);
  return result.failures[0];
}

}  // namespace

TEST_CASE("the operation of a failure is the first whose return can't be explained") {
  // The write of 2 is what a search trips over, since the last read needs 1; but all before that read is linearizable.
  const std::string lines = line(0, "write", "1", "null", 0, 1) + line(0, "write", "2", "null", 2, 3) +
                            line(0, "read", "null", "2", 4, 5) + line(1, "read", "null", "1", 6, 7) +
                            line(1, "read", "null", "7", 8, 9);
  for (const SearchOrder order : {SearchOrder::portfolio, SearchOrder::breadth_first, SearchOrder::depth_first}) {
    const Failure failure = only_failure("register", lines, order);
    CHECK(failure.operation == 3);
    CHECK(failure.longest_prefix == 3);
    CHECK(failure.message ==
          "read() -> 1 by process 1 (line 4) can't be placed where the register holds 2: read() -> 2 by process 0 "
          "(line 3) had returned before it was called, and write(1) by process 0 (line 1) before that one was");
  }
}

TEST_CASE("the evidence that a log's reads give doesn't move the failure to an earlier operation") {
  const std::string lines = line(0, "append", R"("a")", "0", 0, 1) + line(0, "append", R"("b")", "1", 2, 3) +
                            line(1, "read", "0", R"("b")", 4, 5);
  const Failure failure = only_failure("log", lines);
  CHECK(failure.operation == 2);
  CHECK(failure.longest_prefix == 2);
}

TEST_CASE("a message names every state that the operation can meet") {
  const std::string lines =
      line(0, "write", "0", "null", 0, 1) + line(1, "read", "null", "3", 2, 4) + line(2, "write", "4", "null", 3, 5);
  CHECK(only_failure("register", lines).message ==
        "read() -> 3 by process 1 (line 2) can't be placed where the register holds 0 or 4");
}

TEST_CASE("the very first operation can be the one") {
  const Failure failure = only_failure("register", line(0, "read", "null", "5", 0, 1));
  CHECK(failure.operation == 0);
  CHECK(failure.longest_prefix == 0);
  CHECK(failure.message == "read() -> 5 by process 0 (line 1) can't be placed where the register holds null");
}

TEST_CASE("where returns tie the failure is one of the tied ones, and what stands before it is linearizable") {
  const std::string lines = line(0, "read", "null", "2", 1, 1) + line(1, "read", "null", "1", 0, 1);
  CHECK(only_failure("register", lines).longest_prefix == 0);
}

TEST_CASE("an operation that others observed before it returned is refused where they put it") {
  // "a" was seen at 0, but its append claims 1.
  const std::string lines = line(0, "append", R"("a")", "1", 0, 10) + line(1, "read", "0", R"("a")", 2, 3);
  const Failure failure = only_failure("log", lines);
  CHECK(failure.operation == 0);
  CHECK(failure.longest_prefix == 1);
  CHECK(failure.message.find("can't be placed where ") != std::string::npos);
}

TEST_CASE("reasons that differ in more than their last word are told in full") {
  const std::string lines = line(0, "write", R"("hello world")", "null", 0, 10) +
                            line(1, "write", R"("hello mars")", "null", 15, 100) +
                            line(2, "read", "null", R"("x")", 20, 30);
  CHECK(
      only_failure("register", lines).message ==
      R"(read() -> "x" by process 2 (line 3) can't be placed where the register holds "hello world" or "hello mars")");
}

TEST_CASE("a process's own order holds at a tie also before its later operation returned") {
  const auto failure_of = [](const char* model, const std::string& lines, Engine engine) {
    CheckOptions options;
    options.engine = engine;
    const CheckResult result = judge(model, lines, options);
    REQUIRE(result.failures.size() == 1);
    return result.failures[0].operation;
  };
  const std::string longer = line(2, "write", "1", "null", 0, 5);
  const std::string read = line(2, "read", "null", "1", 0, 0);
  const std::string other = line(1, "read", "null", "1", 1, 2);
  const std::string later = line(0, "insert", "4", "null", 8, 10);
  const std::string sooner = line(0, "insert", "1", "null", 8, 8);
  const std::string took = line(2, "pop-min", "null", "4", 7, 9);
  for (const Engine engine : {Engine::automatic, Engine::search}) {
    CHECK(failure_of("register", longer + read + other, engine) == 1);
    CHECK(failure_of("register", read + longer + other, engine) == 0);
    CHECK(failure_of("priority-queue", later + took + sooner, engine) == 1);
    CHECK(failure_of("priority-queue", sooner + took + later, engine) == 1);
  }
}
