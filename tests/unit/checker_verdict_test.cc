#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

TEST_CASE("a read that overlaps a write may return either value") {
  const std::string write = line(0, "write", "1", "null", 0, 10);
  CHECK(verdict("register", write + line(1, "read", "null", "1", 5, 6)) == "valid");
  CHECK(verdict("register", write + line(1, "read", "null", "null", 5, 6)) == "valid");
  CHECK(verdict("register", write + line(1, "read", "null", "2", 5, 6)) == "invalid");
}

TEST_CASE("a read after a write returns its value") {
  const std::string write = line(0, "write", "1", "null", 0, 10);
  CHECK(verdict("register", write + line(1, "read", "null", "1", 11, 12)) == "valid");
  CHECK(verdict("register", write + line(1, "read", "null", "null", 11, 12)) == "invalid");
}

TEST_CASE("a write that timed out may take effect late, or never, but not before its call") {
  const std::string write = indeterminate(0, "write", "1", 5);
  CHECK(verdict("register", write + line(1, "read", "null", "null", 6, 7) + line(1, "read", "null", "1", 8, 9)) ==
        "valid");
  CHECK(verdict("register", write + line(1, "read", "null", "null", 6, 7)) == "valid");
  CHECK(verdict("register", line(1, "read", "null", "1", 1, 2) + write) == "invalid");
  CHECK(verdict("register", write + line(1, "read", "null", "1", 6, 7) + line(1, "read", "null", "null", 8, 9)) ==
        "invalid");
}

TEST_CASE("an operation whose return was never recorded is indeterminate") {
  CHECK(verdict("register", R"({"process": 0, "f": "write", "input": 1, "call": 5})"
                            "\n" +
                                line(1, "read", "null", "1", 6, 7)) == "valid");
}

TEST_CASE("an operation that failed puts no constraint on anything") {
  const std::string failed = R"({"process": 0, "type": "fail", "f": "write", "input": 1, "call": 0, "return": 1})"
                             "\n";
  CHECK(verdict("register", failed + line(1, "read", "null", "null", 2, 3)) == "valid");
  CHECK(verdict("register", failed + line(1, "read", "null", "1", 2, 3)) == "invalid");
}

TEST_CASE("operations of one process are ordered where their times tie") {
  CHECK(verdict("register", line(0, "write", "2", "null", 1, 2) + line(0, "read", "null", "null", 2, 3)) == "invalid");
}

TEST_CASE("operations of two processes are concurrent where their times tie") {
  CHECK(verdict("register", line(0, "write", "2", "null", 1, 2) + line(1, "read", "null", "null", 2, 3)) == "valid");
}

TEST_CASE("ties of two processes don't order their operations across") {
  // 0: w1 then r; 1: w2 then r, all touching at 2. Each read may see what the other process wrote.
  const std::string lines = line(0, "write", "1", "null", 1, 2) + line(0, "read", "null", "2", 2, 3) +
                            line(1, "write", "2", "null", 1, 2) + line(1, "read", "null", "2", 2, 3);
  CHECK(verdict("register", lines) == "valid");
}

TEST_CASE("the largest and the smallest integer are times like any other") {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK(verdict("register", line(0, "write", "1", "null", smallest, largest) +
                                line(1, "read", "null", "null", smallest, 0) +
                                line(2, "read", "null", "1", 1, largest)) == "valid");
  CHECK(verdict("register", line(0, "write", "1", "null", smallest, 0) + line(1, "read", "null", "null", 1, largest)) ==
        "invalid");
}

TEST_CASE("64-bit values are told apart") {
  CHECK(verdict("register", line(0, "write", "9007199254740993", "null", 0, 1) +
                                line(0, "read", "null", "9007199254740992", 2, 3)) == "invalid");
  CHECK(verdict("log", line(0, "read", "4294967301", "null", 0, 1)) == "valid");
}

TEST_CASE("numbers are equal by value, and never equal to text") {
  CHECK(verdict("register", line(0, "write", "42", "null", 0, 1) + line(0, "read", "null", "42.0", 2, 3)) == "valid");
  CHECK(verdict("register", line(0, "write", "42", "null", 0, 1) + line(0, "read", "null", R"("42")", 2, 3)) ==
        "invalid");
}

TEST_CASE("writing the initial value again is a write like any other") {
  const std::string lines = line(0, "write", "2", "null", 0, 1) + line(0, "write", "3", "null", 2, 3);
  CHECK(verdict("register:initial=2", lines + line(1, "read", "null", "3", 4, 5)) == "valid");
  CHECK(verdict("register:initial=2", lines + line(1, "read", "null", "2", 4, 5)) == "invalid");
}

TEST_CASE("a history that is empty, or holds nothing that returned, is valid") {
  CHECK(verdict("register", "") == "valid");
  CHECK(verdict("register", R"({"process": 0, "type": "fail", "f": "write", "input": 1, "call": 0, "return": 1})") ==
        "valid");
  CHECK(verdict("register", indeterminate(0, "write", "1", 0)) == "valid");
}

TEST_CASE("more than 64 operations may run at once") {
  std::string lines;
  for (int i = 0; i < 150; ++i) lines += line(i, "write", std::to_string(i), "null", i, 1000 + i);
  CHECK(verdict("register", lines + line(200, "read", "null", "77", 2000, 2001)) == "valid");
  CHECK(verdict("register", lines + line(200, "read", "null", "150", 2000, 2001)) == "invalid");
}

TEST_CASE("a thousand operations that all run at once are decided") {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += line(i, "append", std::to_string(i), std::to_string(999 - i), i, 5000 + i);
  CHECK(verdict("log", lines) == "valid");
  CHECK(verdict("log", lines + line(1000, "tail", "null", "999", 9000, 9001)) == "invalid");
}

TEST_CASE("indeterminate operations cost what the useful ones cost") {
  // Any of 200 writes may have happened, at any time; only two of them did.
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += indeterminate(100 + i, "write", std::to_string(i % 7), i);
  lines += line(0, "read", "null", "3", 300, 301) + line(0, "read", "null", "5", 302, 303);
  CHECK(verdict("register", lines) == "valid");
  CHECK(verdict("register", lines + line(0, "read", "null", "9", 304, 305)) == "invalid");
}

TEST_CASE("an indeterminate operation may notice another one") {
  const std::string lines = indeterminate(0, "write", "1", 0) + indeterminate(1, "cas", "[1, 2]", 1);
  CHECK(verdict("register", lines + line(2, "read", "null", "2", 5, 6)) == "valid");
  CHECK(verdict("register", lines + line(2, "read", "null", "2", 5, 6) + line(2, "read", "null", "1", 7, 8)) ==
        "invalid");
}

TEST_CASE("writes that nobody reads are hidden in whatever order lets the last one stand") {
  const std::string lines =
      line(0, "write", "0", "null", 2, 4) + line(3, "write", "1", "null", 2, 8) + line(1, "write", "1", "null", 1, 7);
  CHECK(verdict("register", lines + line(3, "cas", "[1, 0]", "false", 10, 12)) == "valid");
  CHECK(verdict("register", lines + line(3, "cas", "[1, 0]", "true", 10, 12)) == "valid");
}

TEST_CASE("keys are judged apart, and one that fails is named") {
  const std::string lines =
      keyed("a", line(0, "write", "1", "null", 0, 1)) + keyed("b", line(0, "write", "2", "null", 2, 3)) +
      keyed("a", line(0, "read", "null", "1", 4, 5)) + keyed("b", line(0, "read", "null", "1", 6, 7));
  const CheckResult result = judge("register", lines);
  CHECK(result.verdict == Verdict::invalid);
  REQUIRE(result.partitions.size() == 2);
  CHECK(result.partitions[0].verdict == Verdict::valid);
  CHECK(result.partitions[1].verdict == Verdict::invalid);
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures[0].operation == 3);
  CHECK(result.failures[0].message ==
        "b: read() -> 1 by process 0 (line 4) can't be placed where the register holds 2: nobody wrote 1 (integer)");
}

TEST_CASE("operations that touch different parts of one state commute") {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += R"({"key": )" + std::to_string(i) + ", " + line(i, "put", std::to_string(i), "null", i, 100 + i).substr(1);
  }
  for (int i = 0; i < 40; ++i) {
    lines += R"({"key": )" + std::to_string(i) + ", " +
             line(i, "get", "null", i == 39 ? "0" : std::to_string(i), 200 + i, 300 + i).substr(1);
  }
  CHECK(verdict("kv:split=false", lines) == "invalid");
}
