#include <bit>
#include <random>

#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

using Operations = std::vector<std::uint32_t>;

Failure only_failure(std::string_view model, std::string_view lines, const CheckOptions& options = {}) {
  const CheckResult result = judge(model, lines, options);
  REQUIRE(result.failures.size() == 1);
  return result.failures[0];
}

std::string quiet_writes(int count, std::int64_t from) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += line(0, "write", std::to_string(1000 + i), "null", from + 10 * i, from + 10 * i + 5);
  }
  return lines;
}

}  // namespace

TEST_CASE("a core holds what contradicts one another, and nothing else") {
  const std::string lines = quiet_writes(50, 0) + line(1, "write", "1", "null", 1000, 1001) +
                            line(1, "write", "2", "null", 1002, 1003) + quiet_writes(3, 2000) +
                            line(2, "read", "null", "1", 3000, 3001);
  for (const Engine engine : {Engine::automatic, Engine::search}) {
    CheckOptions options;
    options.engine = engine;
    const Failure failure = only_failure("register", lines, options);
    CHECK(failure.core.size() == 3);
    CHECK(failure.core_minimal);
    CHECK(failure.core.front() == 50);
    CHECK(failure.core.back() == failure.operation);
  }
}

TEST_CASE("every write of the value that was read is in the core") {
  const std::string lines = line(0, "write", "1", "null", 0, 1) + line(0, "write", "1", "null", 2, 3) +
                            line(0, "write", "2", "null", 4, 5) + line(1, "read", "null", "1", 6, 7);
  CHECK(only_failure("register", lines).core == Operations{0, 1, 2, 3});
}

TEST_CASE("a value that nobody wrote is a core of one read") {
  const Failure failure = only_failure("register", quiet_writes(20, 0) + line(1, "read", "null", "7", 500, 501));
  CHECK(failure.core == Operations{20});
  CHECK(failure.core_minimal);
  CHECK(failure.context.empty());
}

TEST_CASE("a message tells what the order in time of a small core contradicts") {
  const std::string lines =
      line(0, "write", "1", "null", 0, 1) + line(0, "write", "2", "null", 2, 3) + line(1, "read", "null", "1", 6, 7);
  CHECK(only_failure("register", lines).message ==
        "read() -> 1 by process 1 (line 3) can't be placed where the register holds 2: write(2) by process 0 (line 2) "
        "had returned before it was called, and write(1) by process 0 (line 1) before that one was");
}

TEST_CASE("a message names the operations of a larger core, the latest ones of a large one") {
  const std::string write_again = line(0, "write", "1", "null", 0, 1) + line(0, "write", "1", "null", 2, 3);
  const std::string overwritten = line(0, "write", "2", "null", 94, 95) + line(1, "read", "null", "1", 96, 97);
  CHECK(only_failure("register", write_again + overwritten).message ==
        "read() -> 1 by process 1 (line 4) can't be placed where the register holds 2: write(1) by process 0 (line 1), "
        "write(1) by process 0 (line 2) and write(2) by process 0 (line 3) leave no place for it");
  const std::string lines = write_again + line(0, "write", "1", "null", 4, 5) + line(0, "write", "1", "null", 6, 7);
  CHECK(only_failure("register", lines + overwritten).message ==
        "read() -> 1 by process 1 (line 6) can't be placed where the register holds 2: write(1) by process 0 (line 3), "
        "write(1) by process 0 (line 4), write(2) by process 0 (line 5) and 2 earlier ones leave no place for it");
}

TEST_CASE("a message tells what can't come after an operation that is accepted itself") {
  const std::string lines = R"({"process": 1, "f": "acquire", "output": 3, "call": 0, "return": 5})"
                            "\n"
                            R"({"process": 0, "f": "release", "call": 2, "return": 2})"
                            "\n"
                            R"({"process": 0, "f": "acquire", "output": 3, "call": 2, "return": 2})"
                            "\n";
  CHECK(only_failure("mutex:fenced", lines).message ==
        "acquire() -> 3 by process 1 (line 1) can't be placed where others need it: acquire() -> 3 by process 0 (line "
        "3) can't come after it, as token 3 was given before: acquire() -> 3 by process 0 (line 3) leaves no place for "
        "it");
}

TEST_CASE("where the core of the first failure is large, a small one is looked for elsewhere if asked") {
  std::string lines;
  for (int i = 0; i < 9; ++i) lines += line(0, "write", "1", "null", 10 * i, 10 * i + 5);
  lines += line(0, "write", "2", "null", 100, 105) + line(1, "read", "null", "1", 110, 115) +
           line(1, "read", "null", "9", 120, 125);
  const Failure quick = only_failure("register", lines);
  CHECK(quick.operation == 10);
  CHECK(quick.core == Operations{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CheckOptions options;
  options.cores = Cores::small;
  const Failure small = only_failure("register", lines, options);
  CHECK(small.operation == 10);
  CHECK(small.core == Operations{11});
  CHECK(small.message ==
        "read() -> 1 by process 1 (line 11) can't be placed where the register holds 2; "
        "later, read() -> 9 by process 1 (line 12) can't be placed either");
}

TEST_CASE("a small core is of the fewest operations") {
  struct Op {
    int process;
    bool write;
    int value;
    int call;
    int ret;
  };
  std::mt19937 random(7);
  const auto below = [&](unsigned bound) { return static_cast<int>(random() % bound); };
  int invalid = 0;
  int larger_by_quick = 0;
  while (invalid < 60) {
    std::vector<Op> ops;
    for (int i = 0; i < 12; ++i) ops.push_back({i, below(5) < 3, below(2) + 1, 10 * i, 10 * i + 5 + below(20)});
    // The history with the outcomes of some operations alone.
    const auto text = [&](unsigned known) {
      std::string lines;
      for (std::size_t i = 0; i < ops.size(); ++i) {
        const Op& op = ops[i];
        const std::string value = std::to_string(op.value);
        const std::string input = op.write ? value : "null";
        lines += (known >> i & 1U) == 0
                     ? indeterminate(op.process, op.write ? "write" : "read", input, op.call)
                     : line(op.process, op.write ? "write" : "read", input, op.write ? "null" : value, op.call, op.ret);
      }
      return lines;
    };
    const unsigned all = (1U << ops.size()) - 1;
    CheckOptions options;
    const CheckResult quick = judge("register", text(all), options);
    if (quick.valid()) continue;
    ++invalid;
    options.cores = Cores::small;
    const Failure small = only_failure("register", text(all), options);
    // Of those that returned by then.
    unsigned prefix = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].ret <= ops[small.operation].ret) prefix |= 1U << i;
    }
    int fewest = static_cast<int>(ops.size());
    for (unsigned known = 1; known <= all; ++known) {
      if ((known & ~prefix) != 0 || std::popcount(known) >= fewest) continue;
      if (!judge("register", text(known)).valid()) fewest = std::popcount(known);
    }
    CHECK(static_cast<int>(small.core.size()) == fewest);
    if (quick.failures[0].core.size() > small.core.size()) ++larger_by_quick;
  }
  CHECK(larger_by_quick > 0);
}

TEST_CASE("the context lets the core be ordered when any one outcome of it is forgotten") {
  // The unknown write explains the second read if only the first one had not returned.
  const std::string lines = indeterminate(0, "write", "1", 0) + line(1, "read", "null", "1", 10, 11) +
                            line(2, "write", "2", "null", 20, 21) + line(1, "read", "null", "1", 30, 31);
  const Failure failure = only_failure("register", lines);
  CHECK(failure.core == Operations{1, 2, 3});
  CHECK(failure.context == Operations{0});
}

TEST_CASE("the context holds what the rest of a core needs by itself") {
  // Two appends were told one offset; without the append before it neither could have had it.
  const std::string lines = line(0, "append", R"("a")", "0", 0, 20) + line(1, "append", R"("b")", "1", 22, 40) +
                            line(0, "append", R"("d")", "1", 65, 80);
  const Failure failure = only_failure("log", lines);
  CHECK(failure.core == Operations{1, 2});
  CHECK(failure.core_minimal);
  CHECK(failure.context == Operations{0});
}

TEST_CASE("what the search was left with before a failure is told") {
  const std::string lines =
      line(0, "write", "1", "null", 0, 1) + indeterminate(1, "write", "2", 0) + line(2, "read", "null", "7", 10, 11);
  CheckOptions options;
  options.engine = Engine::search;
  const Failure failure = only_failure("register", lines, options);
  CHECK(failure.order == Operations{0});
  REQUIRE(failure.stuck.size() == 2);
  CHECK(failure.stuck[0].added.empty());
  CHECK(failure.stuck[0].state == "1");
  CHECK(failure.stuck[1].added == Operations{1});
  CHECK(failure.stuck[1].state == "2");
  REQUIRE(failure.stuck[1].refused.size() == 1);
  CHECK(failure.stuck[1].refused[0].operation == 2);
  CHECK(failure.stuck[1].refused[0].reason == "the register holds 2");
}

TEST_CASE("explaining never changes a verdict, and can be left out") {
  std::string lines;
  for (int i = 0; i < 6; ++i) lines += line(i, "append", '"' + std::string(1, "abcdef"[i]) + '"', "null", i, 100 + i);
  lines += line(50, "get", "null", R"("zz")", 200, 201);
  CHECK(only_failure("kv", lines).core == Operations{6});
  CheckOptions options;
  options.cores = Cores::none;
  CHECK(only_failure("kv", lines, options).core.empty());
}

TEST_CASE("what only all operations together contradict is a core of all") {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += line(0, "add", "1", "null", 2 * i, 2 * i + 1);
  lines += line(0, "read", "null", "19", 100, 101);
  const Failure failure = only_failure("counter", lines);
  CHECK(failure.core.size() == 21);
  CHECK(failure.core_minimal);
}

TEST_CASE("where checks with many outcomes forgotten take too long there is a core too") {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += line(0, "add", std::to_string(3 + 7 * i), "null", 2 * i, 2 * i + 1);
  lines += line(0, "read", "null", "5576", 100, 101);  // 4 less than the sum, which no additions left out make
  CheckOptions options;
  options.cores = Cores::small;
  const Failure failure = only_failure("counter", lines, options);
  CHECK(failure.core.size() > 10);
  CHECK(failure.core.back() == failure.operation);
  CHECK(only_failure("counter", lines, options).core == failure.core);
}

TEST_CASE("a longer time limit makes a search for small cores longer, not another one") {
  std::string lines;
  for (int i = 0; i < 12; ++i) lines += line(0, "add", std::to_string(1 << i), "null", 2 * i, 2 * i + 1);
  lines += line(0, "read", "null", "4094", 100, 101);  // 1 less than the sum, which all but the first are needed for
  CheckOptions options;
  options.cores = Cores::small;
  const Failure failure = only_failure("counter", lines, options);
  options.time_limit = std::chrono::minutes(1);
  const Failure longer = only_failure("counter", lines, options);
  CHECK(longer.core.size() <= failure.core.size());
  CHECK(longer.core_minimal);
}
