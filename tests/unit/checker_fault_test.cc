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
        "read() -> 3 by process 1 (line 2) can't be placed where the register holds 0 or 4, whatever the others did");
}

TEST_CASE("the very first operation can be the one") {
  const Failure failure = only_failure("register", line(0, "read", "null", "5", 0, 1));
  CHECK(failure.operation == 0);
  CHECK(failure.longest_prefix == 0);
  CHECK(failure.message ==
        "read() -> 5 by process 0 (line 1) can't be placed where the register holds null, whatever the others did");
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
      R"(read() -> "x" by process 2 (line 3) can't be placed where the register holds "hello world" or "hello mars", whatever the others did)");
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

TEST_CASE("a message tells every place at which the operation could have been, not the last one alone") {
  const std::string lines = line(0, "write", "1", "null", 0, 1) + line(2, "read", "null", "7", 2, 20) +
                            line(0, "write", "2", "null", 3, 4) + line(0, "write", "3", "null", 5, 6);
  CHECK(
      only_failure("register", lines).message ==
      "read() -> 7 by process 2 (line 2) can't be placed where the register holds 1, 2 or 3, whatever the others did");
}

TEST_CASE("where the operation could be placed, a message tells what could not follow then") {
  const std::string lines = line(0, "acquire", "null", "null", 1, 2) + line(0, "release", "null", "null", 3, 4) +
                            line(1, "acquire", "null", "null", 5, 6) + line(2, "acquire", "null", "null", 5, 7);
  CHECK(
      only_failure("mutex", lines).message ==
      "acquire() by process 2 (line 4) can't be placed where the lock is held by process 1; it could come right after "
      "release() by process 0 (line 2), but then acquire() by process 1 (line 3) can't follow, as the lock is held by "
      "process 2: release() by process 0 (line 2) had returned before acquire() by process 1 (line 3) and it were "
      "called");
}

TEST_CASE("what still ran counts with what it returned later") {
  const std::string lines = line(0, "push", "2", "null", 1, 2) + line(0, "push", "3", "null", 3, 4) +
                            line(0, "pop", "null", "7", 5, 10) + line(1, "pop", "null", "2", 9, 12);
  const Failure failure = only_failure("stack", lines);
  CHECK(failure.message ==
        "pop() -> 7 by process 0 (line 3) can't be placed where the top of the stack holds 3, whatever the others did");
  REQUIRE(failure.stuck.size() == 1);
  REQUIRE(failure.stuck[0].refused.size() == 2);
  CHECK(failure.stuck[0].refused[1].operation == 3);
  CHECK(failure.stuck[0].refused[1].reason == "the top of the stack holds 3");
}

TEST_CASE("reasons that differ in one word are told in one") {
  const std::string lines = line(0, "enqueue", "1", "null", 0, 1) + line(0, "enqueue", "2", "null", 2, 3) +
                            line(1, "enqueue", "3", "null", 4, 9) + line(2, "dequeue", "null", "null", 5, 6);
  CHECK(only_failure("queue", lines).message.find("where the queue holds 2 or 3 values") != std::string::npos);
}

TEST_CASE("failures come in the order in which keys went wrong") {
  const std::string lines =
      keyed("late", line(0, "write", "1", "null", 0, 1)) + keyed("early", line(1, "write", "2", "null", 2, 3)) +
      keyed("early", line(1, "read", "null", "1", 4, 5)) + keyed("late", line(0, "read", "null", "2", 6, 7));
  const CheckResult result = judge("register", lines);
  REQUIRE(result.failures.size() == 2);
  CHECK(result.failures[0].operation == 2);
  CHECK(result.failures[1].operation == 3);
}
