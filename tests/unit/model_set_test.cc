#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op add(const std::string& value, const std::string& output = "null") { return {"add", value, output}; }
Op take_out(const std::string& value, const std::string& output = "null") { return {"remove", value, output}; }
Op contains(const std::string& value, const std::string& output) { return {"contains", value, output}; }
Op read(const std::string& output) { return {"read", "null", output}; }
Op in(const std::string& key, Op op) {
  op.key = key;
  return op;
}

Op pick_on_element(Random& random) {
  const std::string value = random.of({"1", "2"});
  Op op = random.chance(40)   ? add(value, random.of({"true", "false", "null"}))
          : random.chance(50) ? take_out(value, random.of({"true", "false", "null"}))
                              : contains(value, random.of({"true", "false"}));
  return random.chance(20) ? lost(op) : op;
}

Op pick_on_one_element(Random& random) {
  Op op = pick_on_element(random);
  op.input = "1";
  return op;
}

Op pick(Random& random) {
  if (!random.chance(30)) return pick_on_element(random);
  const Op op = read(random.of({"[]", "[1]", "[2]", "[1, 2]", "[2, 1]", "[3]"}));
  return random.chance(10) ? lost(op) : op;
}

/// Adds alone, with which reads can only grow.
Op pick_growing(Random& random) {
  const Op op = random.chance(60) ? add(random.of({"1", "2", "3"})) : pick(random);
  return op.f == "remove" ? contains(op.input, "true") : op;
}

}  // namespace

TEST_CASE("adding a value tells whether it is new") {
  CHECK(run("set", {add("1", "true"), add("1", "false"), add("1")}) == "");
  CHECK(run("set", {add("1", "true"), add("1", "true")}) == "1 is in the set");
  CHECK(run("set", {add("1", "false")}) == "1 is not in the set");
}

TEST_CASE("removing a value tells whether it was there") {
  CHECK(run("set", {add("1"), take_out("1", "true"), take_out("1", "false"), take_out("1")}) == "");
  CHECK(run("set", {take_out("1", "true")}) == "1 is not in the set");
  CHECK(run("set", {add("1"), take_out("1", "false")}) == "1 is in the set");
}

TEST_CASE("a set contains what was added and not removed") {
  CHECK(run("set", {contains("1", "false"), add("1"), contains("1", "true"), take_out("1"), contains("1", "false")}) ==
        "");
  CHECK(run("set", {contains("\"a\"", "true")}) == "\"a\" is not in the set");
}

TEST_CASE("a read shows the whole set in any order") {
  CHECK(run("set", {read("[]"), add("1"), add("2"), read("[2, 1]"), read("[1, 2]"), take_out("1"), read("[2]")}) == "");
  CHECK(run("set", {add("1"), add("2"), read("[2]")}) == "1 is in the set");
  CHECK(run("set", {add("1"), read("[1, 2]")}) == "2 is not in the set");
  CHECK(run("set", {add("1"), read("[1.0]")}) == "");
  CHECK(run("set", {add("1"), read("[\"1\"]")}) == "\"1\" is not in the set");
}

TEST_CASE("a read compares sets of many values") {
  std::vector<Op> ops;
  std::string all;
  for (int value = 0; value < 100; ++value) {
    ops.push_back(add(std::to_string(value), "true"));
    all += (value == 0 ? "" : ", ") + std::to_string(99 - value);
  }
  ops.push_back(read("[" + all + "]"));
  const Case good = make_case("set", ops);
  ops.back() = read("[" + all.substr(4) + "]");
  const Case bad = make_case("set", ops);
  for (const Case* tested : {&good, &bad}) {
    const auto operations = tested->operations();
    Bound bound = tested->model->bind(tested->history, operations);
    StateId state = bound.machine->initial();
    for (std::size_t i = 0; i < 100; ++i) state = bound.machine->step(state, bound.labels[i]);
    CHECK((bound.machine->step(state, bound.labels[100]) == state) == (tested == &good));
    CHECK(bound.machine->viable(state, bound.labels[100]) == (tested == &good));
  }
}

TEST_CASE("a lost addition that nobody saw is left out, and one that somebody saw is not") {
  const Case unseen = make_case("set", {lost(add("1")), read("[]"), contains("1", "false")});
  CHECK(unseen.model->bind(unseen.history, unseen.operations()).labels[0] == kIrrelevant);
  const Case seen = make_case("set", {lost(add("1")), read("[1]")});
  CHECK(seen.model->bind(seen.history, seen.operations()).labels[0] != kIrrelevant);
  CHECK(orders_by_machine(seen).size() == 1);
}

TEST_CASE("the machine of a set accepts what its replay accepts") {
  compare_on_random_operations("set", pick, 2000);
  compare_on_random_operations("set", pick_on_element, 1000);
  compare_on_random_operations("set", pick_on_one_element, 1000);
  compare_on_random_operations("set", pick_growing, 1000);
}

TEST_CASE("a set is split by key, and by value where no read shows it whole") {
  const Case tested = make_case(
      "set", {in("\"a\"", add("1")), in("\"a\"", add("2")), in("\"b\"", add("1")), in("\"b\"", add("2")),
              in("\"b\"", read("[1, 2]")), in("\"a\"", contains("1", "true")), in("\"a\"", lost(read("null"))),
              in("\"b\"", failed(add("3"))), in("\"a\"", failed(read("null")))});
  const auto parts = tested.model->partitions(tested.history);
  REQUIRE(parts.size() == 4);
  CHECK(parts[0].operations == LargeVector<std::uint32_t>{0, 5});
  CHECK(parts[1].operations == LargeVector<std::uint32_t>{1});
  CHECK(parts[2].operations == LargeVector<std::uint32_t>{2, 3, 4});
  CHECK(parts[3].operations == LargeVector<std::uint32_t>{6});
  CHECK(tested.history.values.to_json(parts[1].key) == "\"a\"");
  const Case unkeyed = make_case("set", {add("1"), add("2")});
  const auto by_value = unkeyed.model->partitions(unkeyed.history);
  REQUIRE(by_value.size() == 2);
  CHECK(unkeyed.history.values.to_json(by_value[1].key) == "2");
}

TEST_CASE("a set says what is wrong with its operations") {
  CHECK(complaint("set", {{"insert", "1"}}) ==
        "test.jsonl:1: the model set has no \"insert\" (it has add, remove, contains, read)");
  CHECK(complaint("set", {add("null")}) ==
        "test.jsonl:1: add takes a value other than null, but its input is missing or null");
  CHECK(complaint("set", {lost(take_out("null"))}) ==
        "test.jsonl:1: remove takes a value other than null, but its input is missing or null");
  CHECK(complaint("set", {add("1", "1")}) == "test.jsonl:1: add returns true or false, not 1 (integer)");
  CHECK(complaint("set", {contains("1", "null")}) ==
        "test.jsonl:1: contains returns true or false, but its output is missing or null");
  CHECK(complaint("set", {read("3")}) == "test.jsonl:1: read returns [value, ...] without null, not 3 (integer)");
  CHECK(complaint("set", {read("[1, null]")}) ==
        "test.jsonl:1: read returns [value, ...] without null, not [1,null] (array)");
  CHECK(complaint("set", {read("[1, 2, 1.0]")}) == "test.jsonl:1: read returns each value once, and 1 twice");
  CHECK(complaint("set", {lost(read("null")), failed(add("null"))}) == "");
}

TEST_CASE("the state of a set is its values") {
  CHECK(state_after("set", {}) == "{}");
  CHECK(state_after("set", {add("1"), add("2"), take_out("1")}) == "{2}");
  std::vector<Op> many;
  for (int value = 0; value < 9; ++value) many.push_back(add(std::to_string(value)));
  CHECK(state_after("set", many) == "{0, 1, 2, 3, 4, 5, 6, 7, ...} (9 values)");
}
