#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

/// A random transaction on the registers x, y and z.
Op pick_txn(Random& random) {
  std::string input;
  std::string output;
  for (std::uint32_t count = 1 + random.below(3); count > 0; --count) {
    const std::string key = random.of({"\"x\"", "\"y\"", "\"z\""});
    const std::string value = random.of({"0", "1", "2", "7"});
    const std::string comma = input.empty() ? "" : ", ";
    if (random.chance(50)) {
      input += comma + R"(["r", )" + key + ", null]";
      output += comma + R"(["r", )" + key + ", " + (random.chance(10) ? "null" : value) + "]";
    } else {
      input += comma + R"(["w", )" + key + ", " + value + "]";
      output += comma + R"(["w", )" + key + ", " + value + "]";
    }
  }
  return {"txn", "[" + input + "]", "[" + output + "]"};
}

Op txn(const std::string& input, const std::string& output) { return {"txn", input, output}; }

std::vector<LargeVector<std::uint32_t>> parts(const std::vector<Op>& ops) {
  const Case tested = make_case("multi-register", ops);
  std::vector<LargeVector<std::uint32_t>> parts;
  for (const Partition& partition : tested.model->partitions(tested.history)) parts.push_back(partition.operations);
  return parts;
}

}  // namespace

TEST_CASE("a transaction reads and writes several registers at once, and sees what it wrote itself") {
  CHECK(run("multi-register",
            {txn(R"([["w", 1, 5], ["w", 2, 6], ["r", 1, null]])", R"([["w", 1, 5], ["w", 2, 6], ["r", 1, 5]])"),
             txn(R"([["r", 1, null], ["r", 2, null]])", R"([["r", 1, 5], ["r", 2, 6]])")}) == "");
  CHECK(run("multi-register", {txn(R"([["w", 1, 5], ["r", 1, null]])", R"([["w", 1, 5], ["r", 1, null]])")}) ==
        "register 1 holds 5");
  CHECK(run("multi-register:initial=0", {txn(R"([["r", "x", null]])", R"([["r", "x", 0]])"),
                                         txn(R"([["r", "x", null]])", R"([["r", "x", "0"]])")}) ==
        "register \"x\" holds the integer 0, not the string \"0\"");
}

TEST_CASE("a refused transaction writes nothing") {
  CHECK(state_after("multi-register", {txn(R"([["w", 1, 5]])", "null")}) == "{1: 5}");
  const Case tested =
      make_case("multi-register", {txn(R"([["w", 1, 5], ["r", 2, null]])", R"([["w", 1, 5], ["r", 2, 9]])")});
  const auto replay = tested.model->replay(tested.history);
  CHECK(replay->apply({0, false}));
  CHECK(replay->state() == "{}");
}

TEST_CASE("a transaction may say read and write, and its answer r and w") {
  CHECK(run("multi-register", {txn(R"([["write", 1, 5], ["read", 1]])", R"([["w", 1, 5], ["r", 1, 5]])")}) == "");
}

TEST_CASE("a transaction's read that returned null says nothing where nil-read=any") {
  const std::vector<Op> ops{txn(R"([["w", 1, 5]])", "null"), txn(R"([["r", 1, null]])", R"([["r", 1, null]])")};
  CHECK(run("multi-register:nil-read=any", ops) == "");
  CHECK(run("multi-register", ops) == "register 1 holds 5");
}

TEST_CASE("a lost transaction takes effect as a whole") {
  const Op both = lost(txn(R"([["w", 1, 5], ["w", 2, 6]])", "null"));
  CHECK(run("multi-register", {both, txn(R"([["r", 2, null]])", R"([["r", 2, 6]])")}) == "");
  // Nobody observes 5, but register 1 no longer holds its old value afterwards.
  const Case torn = make_case("multi-register:initial=0",
                              {both, txn(R"([["r", 2, null], ["r", 1, null]])", R"([["r", 2, 6], ["r", 1, 0]])")});
  CHECK(orders_by_machine(torn).empty());
}

TEST_CASE("the machine of several registers accepts what its replay accepts") {
  compare_on_random_operations("multi-register:initial=0", pick_txn, 2500);
  compare_on_random_operations("multi-register:initial=0:nil-read=any", pick_txn, 1500);
}

TEST_CASE("transactions are judged together as far as registers join them, lost ones too, failed ones not") {
  const auto on = [](const std::string& keys) { return txn(keys, "null"); };
  CHECK(parts({on(R"([["w", 1, 0]])"), on(R"([["w", 2, 0]])"), on(R"([["w", 3, 0]])")}) ==
        std::vector<LargeVector<std::uint32_t>>{{0}, {1}, {2}});
  CHECK(parts({on(R"([["w", 1, 0]])"), on(R"([["w", 2, 0]])"), on(R"([["w", 3, 0]])"),
               lost(on(R"([["w", 3, 0], ["w", 1, 0]])"))}) == std::vector<LargeVector<std::uint32_t>>{{0, 2, 3}, {1}});
  CHECK(parts({on(R"([["w", 1, 0]])"), on(R"([["w", 2, 0]])"), failed(on(R"([["w", 1, 0], ["w", 2, 0]])"))}) ==
        std::vector<LargeVector<std::uint32_t>>{{0}, {1}});
  CHECK(parts({on("[]"), on(R"([["w", 1, 0]])")}) == std::vector<LargeVector<std::uint32_t>>{{0}, {1}});
}

TEST_CASE("a key of the operation splits registers of one name") {
  Op first = txn(R"([["w", 1, 0]])", "null");
  Op second = first;
  first.key = "\"a\"";
  second.key = "\"b\"";
  const Case tested = make_case("multi-register", {first, second});
  const auto partitions = tested.model->partitions(tested.history);
  REQUIRE(partitions.size() == 2);
  CHECK(tested.history.values.to_json(partitions[0].key) == "\"a\"");
  CHECK(tested.history.values.to_json(partitions[1].key) == "\"b\"");
}

TEST_CASE("a partition of several registers is named by one of them where there are others") {
  const Case one = make_case("multi-register", {txn(R"([["w", 1, 0], ["w", 2, 0]])", "null")});
  CHECK(one.model->partitions(one.history)[0].key == kNull);
  const Case two = make_case("multi-register", {txn(R"([["w", 1, 0]])", "null"), txn(R"([["w", "y", 0]])", "null")});
  CHECK(two.history.values.to_json(two.model->partitions(two.history)[1].key) == "\"y\"");
}

TEST_CASE("several registers say what is wrong with a transaction") {
  const std::string shape = R"([["r", key, null], ["w", key, value], ...])";
  CHECK(complaint("multi-register", {{"txn", "5"}}) == "test.jsonl:1: txn takes " + shape + ", not 5 (integer)");
  CHECK(complaint("multi-register", {{"txn", R"([["x", 1, 2]])"}}) ==
        "test.jsonl:1: txn takes " + shape + R"(, and ["x",1,2] is neither)");
  CHECK(complaint("multi-register", {{"txn", R"([["w", 1]])"}}) != "");
  CHECK(complaint("multi-register", {{"txn", R"([["r", 1, null]])"}}) ==
        "test.jsonl:1: txn returns its input with the reads filled in, but its output is missing or null");
  CHECK(complaint("multi-register", {{"txn", R"([["w", 1, 2]])", R"([["w", 1, 3]])"}}) ==
        R"(test.jsonl:1: txn returns its input with the reads filled in, and ["w",1,3] doesn't answer ["w",1,2])");
  CHECK(complaint("multi-register", {{"txn", R"([["w", 1, 2]])", "[]"}}) != "");
  CHECK(complaint("multi-register", {lost({"txn", R"([["r", 1, null]])"})}) == "");
}
