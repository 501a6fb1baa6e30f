#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

CheckResult by_monitor(std::string_view model, std::string_view lines) {
  CheckOptions options;
  options.engine = Engine::monitor;
  return judge(model, lines, options);
}

/// What the monitor says, "" where none applies. The search must say the same.
std::string ruling(std::string_view model, const std::string& lines) {
  const CheckResult result = by_monitor(model, lines);
  if (result.verdict == Verdict::unknown) {
    CHECK(result.limit == Limit::not_applicable);
    return "";
  }
  CHECK(result.by_monitor());
  std::string verdict = to_string(result.verdict);
  CHECK(testing::verdict(model, lines) == verdict);
  return verdict;
}

std::string why(std::string_view model, std::string_view lines) {
  const CheckResult result = by_monitor(model, lines);
  REQUIRE(result.failures.size() == 1);
  return result.failures[0].message;
}

std::string put(const char* f, int process, const char* value, std::int64_t call, std::int64_t ret) {
  return line(process, f, value, "null", call, ret);
}
std::string take(const char* f, int process, const char* value, std::int64_t call, std::int64_t ret) {
  return line(process, f, "null", value, call, ret);
}

}  // namespace

TEST_CASE("a monitor judges where it applies, and the search where not") {
  const std::string distinct = line(0, "write", "1", "null", 0, 1) + line(0, "read", "null", "1", 2, 3);
  const std::string repeated = distinct + line(0, "write", "1", "null", 4, 5);
  CHECK(judge("register", distinct).by_monitor());
  CHECK_FALSE(judge("register", repeated).by_monitor());
  CHECK(judge("register", repeated).verdict == Verdict::valid);
  CHECK(by_monitor("register", repeated).limit == Limit::not_applicable);
  CheckOptions search;
  search.engine = Engine::search;
  CHECK_FALSE(judge("register", distinct, search).by_monitor());
}

TEST_CASE("an order that is asked for comes from the search") {
  CheckOptions options;
  options.linearization = true;
  const CheckResult result = judge("queue", put("enqueue", 0, "1", 0, 1) + take("dequeue", 1, "1", 0, 2), options);
  CHECK_FALSE(result.by_monitor());
  CHECK(result.partitions[0].linearization == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a short history that a monitor refutes is explained by what the object can hold") {
  const std::string lines = line(0, "write", "1", "null", 0, 1) + line(1, "read", "null", "2", 2, 3);
  const CheckResult result = judge("register", lines);
  CHECK(result.by_monitor());
  CHECK(result.failures[0].message ==
        "read() -> 2 by process 1 (line 2) can't be placed where the register holds 1: nobody wrote 2 (integer)");
  CHECK(result.failures[0].core == std::vector<std::uint32_t>{1});
  CHECK(why("register", lines) == "read() -> 2 by process 1 (line 2) can't be placed: nobody wrote 2 (integer)");
}

TEST_CASE("keys are judged one by one, each by whom it may concern") {
  const auto keyed = [](int process, const char* key, const char* value, int call) {
    return R"({"process": )" + std::to_string(process) + R"(, "f": "write", "key": ")" + key + R"(", "input": )" +
           value + R"(, "call": )" + std::to_string(call) + R"(, "return": )" + std::to_string(call + 1) + "}\n";
  };
  const CheckResult result = judge("register", keyed(0, "a", "1", 0) + keyed(0, "b", "1", 2) + keyed(0, "b", "1", 4));
  REQUIRE(result.partitions.size() == 2);
  CHECK(result.partitions[0].by_monitor);
  CHECK_FALSE(result.partitions[1].by_monitor);
  CHECK_FALSE(result.by_monitor());
  CHECK(result.valid());
}

TEST_CASE("no monitor needs to read what two processes did at one moment, and some ties can be told apart") {
  const std::string one = line(0, "write", "2", "null", 1, 2) + line(0, "read", "null", "null", 2, 3);
  CHECK(ruling("register", one) == "invalid");
  const std::string other = line(0, "write", "2", "null", 1, 2) + line(1, "read", "null", "null", 2, 3);
  CHECK(ruling("register", other) == "valid");
  const std::string both = one + line(1, "write", "3", "null", 1, 2) + line(1, "read", "null", "2", 2, 3);
  CHECK(ruling("register", both).empty());
}

TEST_CASE("two halves of a batch contradict one another only with the batch") {
  const std::string lines = line(1, "append-batch", "[3, 3]", "0", 2, 5) + line(2, "read", "0", "3", 1, 3) +
                            line(2, "read", "1", "null", 4, 6) + indeterminate(3, "append", "3", 0);
  CheckOptions options;
  options.engine = Engine::monitor;
  const CheckResult result = judge("log", lines, options);
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures[0].core == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(result.failures[0].message ==
        "read(1) -> null by process 2 (line 3) can't be placed: read(0) -> 3 by process 2 (line 2) had returned before "
        "read(1) -> null by process 2 (line 3) was called, and append-batch([3,3]) -> 0 by process 1 (line 1) came at "
        "once");
}

TEST_CASE("a log's records stay where their appends were put") {
  const std::string two = line(0, "append", R"("a")", "0", 0, 1) + line(1, "append", R"("b")", "1", 2, 3);
  CHECK(ruling("log", two + line(0, "read", "1", R"("b")", 4, 5)) == "valid");
  CHECK(
      why("log", two + line(0, "read", "0", R"("b")", 4, 5)) ==
      R"(read(0) -> "b" by process 0 (line 3) can't be placed: offset 0 holds "a" (string), as append("a") -> 0 by process 0 (line 1) shows)");
  CHECK(
      why("log", two + line(0, "append", R"("c")", "1", 4, 5)) ==
      R"(append("c") -> 1 by process 0 (line 3) can't be placed: offset 1 was given to append("b") -> 1 by process 1 (line 2) as well)");
  CHECK(
      why("log", two + line(0, "read", "1", "null", 4, 5)) ==
      R"(read(1) -> null by process 0 (line 3) can't be placed: append("b") -> 1 by process 1 (line 2) had returned before read(1) -> null by process 0 (line 3) was called)");
  CHECK(why("log", two + line(0, "tail", "null", "4", 4, 5)) ==
        "tail() -> 4 by process 0 (line 3) can't be placed: no more than 2 records were ever appended");
  CHECK(why("log", line(0, "append", R"("a")", "1", 0, 1) + line(0, "append", R"("b")", "2", 2, 3)) ==
        R"(append("a") -> 1 by process 0 (line 1) can't be placed: no more than 1 records were ever appended)");
}

TEST_CASE("an indeterminate append fills a hole that nothing else can have filled") {
  const std::string lost = indeterminate(0, "append", R"("a")", 0);
  const std::string next = line(1, "append", R"("b")", "1", 2, 3);
  CHECK(ruling("log", lost + next) == "valid");
  CHECK(ruling("log", lost + next + line(1, "read", "0", R"("a")", 4, 5)) == "valid");
  CHECK(ruling("log", lost + next + line(1, "read", "0", R"("c")", 4, 5)) == "invalid");
  CHECK(ruling("log", next + indeterminate(0, "append", R"("a")", 4)) == "invalid");
  CHECK(ruling("log", lost + line(1, "append", R"("b")", "2", 2, 3)) == "invalid");
  CHECK(ruling("log", lost + line(1, "tail", "null", "0", 2, 3) + line(1, "tail", "null", "1", 4, 5)) == "valid");
}

TEST_CASE("the records of a batch come at once") {
  const std::string batch = line(0, "append-batch", R"(["a", "b"])", "0", 0, 9);
  CHECK(ruling("log", batch + line(1, "tail", "null", "2", 3, 4)) == "valid");
  CHECK(ruling("log", batch + line(1, "tail", "null", "1", 3, 4)) == "invalid");
  CHECK(ruling("log", batch + line(1, "read", "1", "null", 3, 4) + line(1, "read", "0", R"("a")", 5, 6)) == "valid");
  CHECK(ruling("log", batch + line(1, "read", "1", R"("b")", 3, 4) + line(1, "read", "0", "null", 5, 6)) == "invalid");
  CHECK(ruling("log", batch + line(1, "append-batch", "[]", "2", 10, 11)) == "valid");
  CHECK(ruling("log", batch + line(1, "append-batch", "[]", "1", 10, 11)) == "invalid");
}

TEST_CASE("an indeterminate batch is where a record that it alone has was read") {
  const std::string batch = indeterminate(0, "append-batch", R"(["a", "b"])", 0);
  CHECK(ruling("log", batch + line(1, "read", "1", R"("b")", 3, 4)) == "valid");
  CHECK(ruling("log", batch + line(1, "read", "1", R"("b")", 3, 4) + line(1, "read", "0", R"("c")", 5, 6)) ==
        "invalid");
  CHECK(ruling("log", batch + line(1, "tail", "null", "0", 3, 4)) == "valid");
  CHECK(ruling("log", batch + line(1, "tail", "null", "2", 3, 4)).empty());
}

TEST_CASE("a scan shows a run without gaps, and what is not shown isn't there yet where it shows nothing") {
  const std::string two = line(0, "append", R"("a")", "0", 0, 1) + line(0, "append", R"("b")", "1", 2, 3);
  CHECK(ruling("log", two + line(1, "scan", "0", R"([[0, "a"]])", 4, 5)) == "valid");
  CHECK(ruling("log", two + line(1, "scan", "0", R"([[1, "b"]])", 4, 5)) == "invalid");
  CHECK(ruling("log", two + line(1, "scan", "1", "[]", 4, 5)) == "invalid");
  CHECK(ruling("log", two + line(1, "scan", "2", "[]", 4, 5)) == "valid");
}

TEST_CASE("what looks alike is told apart by its type") {
  CHECK(why("register", line(0, "write", "42", "null", 0, 1) + line(1, "read", "null", R"("42")", 2, 3))
            .ends_with(R"(nobody wrote "42" (string))"));
  CHECK(why("queue", put("enqueue", 0, "42", 0, 1) + take("dequeue", 1, R"("42")", 2, 3))
            .ends_with(R"(nobody put in "42" (string))"));
  CHECK(ruling("queue", put("enqueue", 0, "42", 0, 1) + take("dequeue", 1, "42.0", 2, 3)) == "valid");
}

TEST_CASE("an append that happened nobody knows where is the search's") {
  CHECK(ruling("log", line(0, "append", R"("a")", "null", 0, 1)).empty());
}

TEST_CASE("a register's value that was overwritten is gone") {
  const std::string writes = line(0, "write", "1", "null", 0, 1) + line(0, "write", "2", "null", 2, 3);
  CHECK(ruling("register", writes + line(1, "read", "null", "2", 4, 5)) == "valid");
  CHECK(ruling("register", writes + line(1, "read", "null", "2", 4, 5) + line(1, "read", "null", "1", 6, 7)) ==
        "invalid");
  CHECK(why("register", writes + line(1, "read", "null", "1", 4, 5)) ==
        "read() -> 1 by process 1 (line 3) can't be placed: 1 and 2 each come before the other: write(1) by process 0 "
        "(line 1) had returned before write(2) by process 0 (line 2) was called, and write(2) by process 0 (line 2) "
        "before read() -> 1 by process 1 (line 3)");
  CHECK(why("register", writes + line(1, "read", "null", "null", 4, 5)) ==
        "read() -> null by process 1 (line 3) can't be placed: read() -> null by process 1 (line 3) was called after "
        "write(1) by process 0 (line 1) had returned, and null was never written");
  CHECK(why("register", writes + line(1, "read", "null", "3", 4, 5)) ==
        "read() -> 3 by process 1 (line 3) can't be placed: nobody wrote 3 (integer)");
}

TEST_CASE("compare-and-sets that succeeded follow one another") {
  const std::string first = line(0, "write", "1", "null", 0, 9) + line(1, "cas", "[1, 2]", "true", 0, 9);
  CHECK(ruling("register", first + line(2, "cas", "[2, 3]", "true", 0, 9)) == "valid");
  CHECK(ruling("register", first + line(2, "cas", "[1, 3]", "true", 0, 9)) == "invalid");
  CHECK(ruling("register", first + line(2, "read", "null", "2", 10, 11)) == "valid");
  CHECK(ruling("register", first + line(2, "read", "null", "1", 10, 11)) == "invalid");
  CHECK(ruling("register", line(0, "cas", "[1, 2]", "true", 0, 9) + line(1, "cas", "[2, 1]", "true", 0, 9)) ==
        "invalid");
  CHECK(ruling("register", first + line(2, "cas", "[2, 2]", "true", 10, 11)) == "valid");
  CHECK(ruling("register:initial=7", line(0, "cas", "[7, 8]", "null", 0, 1)) == "valid");
}

TEST_CASE("an indeterminate write counts where its value was seen") {
  const std::string lost = indeterminate(0, "write", "1", 5);
  CHECK(ruling("register", lost + line(1, "read", "null", "null", 10, 11)) == "valid");
  CHECK(ruling("register", lost + line(1, "read", "null", "1", 10, 11)) == "valid");
  CHECK(ruling("register", lost + line(1, "read", "null", "1", 2, 3)) == "invalid");
  const std::string chain = lost + indeterminate(1, "cas", "[1, 2]", 6);
  CHECK(ruling("register", chain + line(2, "read", "null", "2", 10, 11)) == "valid");
  CHECK(ruling("register", chain + line(2, "read", "null", "2", 10, 11) + line(2, "read", "null", "1", 12, 13)) ==
        "invalid");
  const std::string circle = indeterminate(0, "cas", "[2, 1]", 0) + indeterminate(1, "cas", "[1, 2]", 1);
  CHECK(ruling("register", circle + line(2, "cas", "[1, 3]", "true", 2, 3)) == "invalid");
}

TEST_CASE("a mismatch that was seen, and values that repeat, are the search's") {
  CHECK(ruling("register", line(0, "cas", "[1, 2]", "false", 0, 1)).empty());
  CHECK(ruling("register", line(0, "write", "1", "null", 0, 1) + line(0, "write", "1", "null", 2, 3)).empty());
  CHECK(ruling("register:initial=2", line(0, "write", "2", "null", 0, 1)).empty());
  CHECK(ruling("cas-register", line(0, "write", "1", "null", 0, 1) + line(0, "read", "null", "null", 2, 3)) == "valid");
}

TEST_CASE("a key of a store is a register as long as nothing appends or deletes") {
  CHECK(ruling("kv", line(0, "put", "1", "null", 0, 1) + line(0, "get", "null", "1", 2, 3)) == "valid");
  CHECK(ruling("kv", line(0, "put", "1", "null", 0, 1) + line(0, "get", "null", "null", 2, 3)) == "invalid");
  CHECK(ruling("kv", line(0, "append", R"("1")", "null", 0, 1)).empty());
  CHECK(ruling("kv:split=false", line(0, "put", "1", "null", 0, 1)).empty());
}

TEST_CASE("a queue gives what was put in first") {
  const std::string two = put("enqueue", 0, "1", 0, 1) + put("enqueue", 0, "2", 2, 3);
  CHECK(ruling("queue", two + take("dequeue", 1, "1", 4, 5) + take("dequeue", 1, "2", 6, 7)) == "valid");
  CHECK(ruling("queue", two + take("dequeue", 0, "2", 4, 9) + take("dequeue", 1, "1", 4, 9)) == "valid");
  CHECK(why("queue", two + take("dequeue", 1, "2", 4, 5) + take("dequeue", 1, "1", 6, 7)) ==
        "dequeue() -> 2 by process 1 (line 3) can't be placed: enqueue(1) by process 0 (line 1) had returned before "
        "enqueue(2) by process 0 (line 2) was called, so 1 comes first, but nobody took it");
  CHECK(ruling("queue", two + take("dequeue", 1, "null", 4, 5)) == "invalid");
  CHECK(ruling("queue", two + take("dequeue", 1, "null", 0, 5)) == "valid");
  CHECK(ruling("queue", two + take("dequeue", 1, "1", 4, 5) + take("dequeue", 1, "1", 6, 7)) == "invalid");
  CHECK(ruling("queue", two + take("dequeue", 1, "3", 4, 5)) == "invalid");
}

TEST_CASE("values that follow one another leave no moment for an empty queue") {
  const std::string overlapping = put("enqueue", 0, "1", 0, 1) + put("enqueue", 0, "2", 4, 5) +
                                  take("dequeue", 1, "1", 6, 7) + take("dequeue", 1, "2", 8, 9);
  CHECK(ruling("queue", overlapping + take("dequeue", 2, "null", 2, 7)) == "invalid");
  CHECK(ruling("queue", overlapping + take("dequeue", 2, "null", 2, 8)) == "valid");
  CHECK(ruling("queue", overlapping + take("dequeue", 2, "null", 1, 7)) == "valid");
  CHECK(ruling("stack", put("push", 0, "1", 0, 1) + take("pop", 1, "1", 6, 7) + take("pop", 2, "null", 2, 5)) ==
        "invalid");
  CHECK(ruling("bag", overlapping + take("dequeue", 2, "null", 2, 7)) == "invalid");
}

TEST_CASE("a dequeue whose result is not known may have taken what is missing") {
  const std::string two = put("enqueue", 0, "1", 0, 1) + put("enqueue", 0, "2", 2, 3);
  const std::string second = take("dequeue", 1, "2", 6, 7);
  CHECK(ruling("queue", two + indeterminate(2, "dequeue", "null", 5) + second) == "valid");
  CHECK(ruling("queue", two + second + indeterminate(2, "dequeue", "null", 8)) == "invalid");
  CHECK(ruling("queue", indeterminate(0, "enqueue", "1", 0) + take("dequeue", 1, "1", 6, 7)) == "valid");
  CHECK(ruling("queue", indeterminate(0, "enqueue", "1", 0) + take("dequeue", 1, "null", 6, 7)) == "valid");
  // It may have emptied the queue.
  const std::string empty = take("dequeue", 1, "null", 6, 7);
  const std::string one_more = two + indeterminate(2, "dequeue", "null", 4);
  CHECK(ruling("queue", one_more + indeterminate(3, "dequeue", "null", 4) + empty) == "valid");
  CHECK(ruling("queue", one_more + empty) == "invalid");
  CHECK(ruling("queue", indeterminate(2, "dequeue", "null", 5) + empty) == "valid");
}

TEST_CASE("queues and stacks whose values repeat are the search's, unless that can't matter") {
  const std::string twice = put("enqueue", 0, "1", 0, 1) + put("enqueue", 0, "1", 2, 3);
  CHECK(ruling("queue", twice).empty());
  CHECK(ruling("queue", twice + take("dequeue", 1, "2", 4, 5)) == "invalid");
  CHECK(ruling("queue", indeterminate(0, "enqueue", "1", 0) + indeterminate(1, "enqueue", "1", 0)) == "valid");
}

TEST_CASE("a bag gives each value as often as it was put in, in any order") {
  const std::string three = put("enqueue", 0, "1", 0, 1) + put("enqueue", 0, "2", 2, 3) + put("enqueue", 0, "1", 4, 5);
  const std::string both = take("dequeue", 1, "1", 6, 7) + take("dequeue", 1, "1", 8, 9);
  CHECK(ruling("bag", three + both + take("dequeue", 1, "2", 10, 11)) == "valid");
  CHECK(why("bag", three + both + take("dequeue", 1, "1", 10, 11)) ==
        "dequeue() -> 1 by process 1 (line 6) can't be placed: 1 was put in 2 times by then, and taken 3 times");
  CHECK(ruling("bag", take("dequeue", 1, "2", 1, 1) + three) == "invalid");
  CHECK(ruling("bag", three + take("dequeue", 1, "null", 6, 7)).empty());
}

TEST_CASE("a stack gives what was put in last") {
  const std::string two = put("push", 0, "1", 0, 1) + put("push", 0, "2", 2, 3);
  CHECK(ruling("stack", two + take("pop", 1, "2", 4, 5) + take("pop", 1, "1", 6, 7)) == "valid");
  CHECK(why("stack", two + take("pop", 1, "1", 4, 5)) ==
        "pop() -> 1 by process 1 (line 3) can't be placed: push(2) by process 0 (line 2) had put 2 on top of 1, and "
        "nobody popped it");
  CHECK(ruling("stack", two + take("pop", 1, "1", 4, 8) + take("pop", 2, "2", 4, 8)) == "valid");
  // Three that overlap in a ring: each pair could be ordered, all of them can't.
  const std::string ring = put("push", 0, "1", 0, 1) + put("push", 1, "2", 2, 5) + put("push", 2, "3", 4, 7) +
                           take("pop", 0, "1", 6, 9) + take("pop", 1, "2", 10, 11) + take("pop", 2, "3", 12, 13);
  CHECK(ruling("stack", ring) == testing::verdict("stack", ring));
}

TEST_CASE("a priority queue gives the least of what is surely in") {
  const std::string two = put("insert", 0, "5", 0, 1) + put("insert", 0, "3.5", 2, 3);
  CHECK(ruling("priority-queue", two + take("pop-min", 1, "3.5", 4, 5) + take("pop-min", 1, "5", 6, 7)) == "valid");
  CHECK(why("priority-queue", two + take("pop-min", 1, "5", 4, 5)) ==
        "pop-min() -> 5 by process 1 (line 3) can't be placed: 3.5 is less than 5 and was in, from insert(3.5) by "
        "process "
        "0 (line 2) on, while pop-min() -> 5 by process 1 (line 3) ran");
  CHECK(ruling("priority-queue", two + take("pop-min", 1, "5", 2, 5)) == "valid");
  // 3 is popped early enough only if 2 is, and that has to wait for 1.
  const std::string chain = put("insert", 0, "1", 0, 1) + put("insert", 0, "2", 2, 3) + put("insert", 0, "3", 4, 5) +
                            take("pop-min", 1, "1", 10, 20) + take("pop-min", 2, "2", 6, 11);
  CHECK(ruling("priority-queue", chain + take("pop-min", 3, "3", 6, 11)) == "valid");
  CHECK(ruling("priority-queue", chain + take("pop-min", 3, "3", 6, 9)) == "invalid");
  CHECK(ruling("priority-queue", two + take("pop-min", 1, "null", 4, 5)) == "invalid");
}

TEST_CASE("an element of a set changes when a return asks for it") {
  const auto add = [](int process, const char* told, int call, int ret) {
    return line(process, "add", "1", told, call, ret);
  };
  const auto look = [](int process, const char* seen, int call, int ret) {
    return line(process, "contains", "1", seen, call, ret);
  };
  CHECK(ruling("set", add(0, "true", 0, 9) + look(1, "true", 2, 3)) == "valid");
  CHECK(ruling("set", add(0, "true", 0, 9) + look(1, "true", 2, 3) + look(1, "false", 4, 5)) == "invalid");
  CHECK(ruling("set", add(0, "true", 0, 9) + add(1, "true", 0, 9)) == "invalid");
  CHECK(ruling("set", add(0, "true", 0, 9) + add(1, "true", 0, 9) + line(2, "remove", "1", "true", 5, 6)) == "valid");
  CHECK(ruling("set", indeterminate(0, "add", "1", 0) + look(1, "true", 2, 3)) == "valid");
  CHECK(ruling("set", look(1, "true", 2, 3)) == "invalid");
  CHECK(ruling("set", line(0, "add", "1", "null", 0, 1) + look(1, "true", 2, 3)) == "valid");
  CHECK(ruling("set", line(0, "add", "1", "null", 0, 1) + line(0, "remove", "1", "true", 2, 3)).empty());
}

TEST_CASE("a fault that a monitor finds is the first, whatever comes after it") {
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    const std::string value = std::to_string(i);
    lines +=
        put("enqueue", 0, value.c_str(), 10 * i, 10 * i + 1) + take("dequeue", 1, value.c_str(), 10 * i, 10 * i + 5);
  }
  const auto swapped = [](int time, const char* first, const char* second) {
    return put("enqueue", 0, first, time, time + 1) + put("enqueue", 0, second, time + 2, time + 3) +
           take("dequeue", 1, second, time + 4, time + 5) + take("dequeue", 1, first, time + 6, time + 7);
  };
  for (const Engine engine : {Engine::monitor, Engine::search}) {
    CheckOptions options;
    options.engine = engine;
    const CheckResult result =
        judge("queue", lines + swapped(1000, "500", "501") + swapped(2000, "600", "601"), options);
    REQUIRE(result.failures.size() == 1);
    CHECK(result.failures[0].operation == 102);
    CHECK(result.failures[0].longest_prefix == 102);
  }
}

TEST_CASE("where a fault can't be located soon, the operation by which a monitor sees it is told") {
  // What the last pop took is not known before it returns; whether it can have been what is missed only a search tells.
  const std::string lines =
      take("pop", 1, "null", 3, 6) + put("push", 0, "8", 0, 2) + put("push", 2, "5", 1, 4) + take("pop", 2, "5", 5, 7);
  CheckOptions options;
  const CheckResult located = judge("stack", lines, options);
  REQUIRE(located.failures.size() == 1);
  CHECK(located.failures[0].operation == 0);
  CHECK(located.failures[0].longest_prefix == 2);
  CHECK(located.failures[0].message.find("or an operation") == std::string::npos);
  options.step_limit = 1;
  const CheckResult refuted = judge("stack", lines, options);
  CHECK(refuted.verdict == Verdict::invalid);
  REQUIRE(refuted.failures.size() == 1);
  CHECK(refuted.failures[0].longest_prefix == 2);
  CHECK(
      refuted.failures[0].message ==
      "pop() -> 5 by process 2 (line 4) or an operation that returned before it can't be placed: something was in all "
      "the while: 8 from push(8) by process 0 (line 2) on");
}

TEST_CASE("a dequeue that runs later leaves no doubt about one that found nothing") {
  const std::string lines = take("dequeue", 3, "null", -10, -9) + put("enqueue", 0, "1", 0, 1) +
                            put("enqueue", 0, "2", 2, 3) + take("dequeue", 1, "2", 4, 5) + put("enqueue", 0, "3", 6, 7);
  CheckOptions options;
  options.engine = Engine::monitor;
  CHECK(judge("queue", lines + indeterminate(2, "dequeue", "null", 4), options).verdict == Verdict::valid);
  const CheckResult late = judge("queue", lines + indeterminate(2, "dequeue", "null", 6), options);
  REQUIRE(late.failures.size() == 1);
  CHECK(late.failures[0].operation == 3);
  const CheckResult wrong = judge("queue", lines + take("dequeue", 2, "3", 4, 20), options);
  REQUIRE(wrong.failures.size() == 1);
  CHECK(wrong.failures[0].operation == 5);
  CHECK(wrong.failures[0].longest_prefix == 5);
}

TEST_CASE("an indeterminate take may have taken what is missing only if it was called in time") {
  CheckOptions options;
  options.engine = Engine::monitor;
  const auto says = [&](const char* model, const std::string& lines) {
    return std::string(to_string(judge(model, lines, options).verdict));
  };
  const std::string pushes = put("push", 0, "1", 0, 1) + put("push", 0, "2", 2, 3) + take("pop", 1, "1", 4, 5);
  CHECK(says("stack", pushes + indeterminate(2, "pop", "null", 6)) == "invalid");
  CHECK(says("stack", pushes + indeterminate(2, "pop", "null", 5)) == "valid");
  const std::string inserts = put("insert", 0, "1", 0, 1) + put("insert", 0, "2", 2, 3) + take("pop-min", 1, "2", 4, 5);
  CHECK(says("priority-queue", inserts + indeterminate(2, "pop-min", "null", 6)) == "invalid");
  CHECK(says("priority-queue", inserts + indeterminate(2, "pop-min", "null", 5)) == "valid");
  const std::string found_none = put("enqueue", 0, "1", 0, 1) + take("dequeue", 1, "null", 4, 5);
  for (const char* model : {"queue", "bag"}) {
    CHECK(says(model, found_none + indeterminate(2, "dequeue", "null", 6)) == "invalid");
    CHECK(says(model, found_none + indeterminate(2, "dequeue", "null", 5)) == "valid");
  }
}
