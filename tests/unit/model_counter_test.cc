#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op add(const std::string& number) { return {"add", number}; }
Op read(const std::string& number) { return {"read", "null", number}; }

Op pick(Random& random) {
  return random.chance(60) ? add(random.of({"-2", "-1", "0", "1", "3"})) : read(random.of({"-1", "0", "1", "2", "3"}));
}
Op pick_rising(Random& random) {
  return random.chance(60) ? add(random.of({"0", "1", "2", "5"})) : read(random.of({"0", "1", "2", "3"}));
}
Op pick_falling(Random& random) {
  return random.chance(60) ? add(random.of({"-1", "-2", "-5"})) : read(random.of({"0", "-1", "-2", "-3"}));
}

Bound bound(const Case& tested) { return tested.model->bind(tested.history, tested.operations()); }

}  // namespace

TEST_CASE("a counter is the sum of what was added") {
  CHECK(run("counter", {read("0"), add("2"), add("-5"), read("-3"), add("0"), read("-3.0")}) == "");
  CHECK(run("counter", {add("2"), read("1")}) == "the counter is 2");
  CHECK(run("counter", {add("-2"), read("0")}) == "the counter is -2");
}

TEST_CASE("a lost addition may have happened or not") {
  const Case tested = make_case("counter", {lost(add("2")), read("0"), read("2")});
  CHECK(orders_by_machine(tested) == Orders{{1, 2}});
}

TEST_CASE("sums beyond 64 bits are exact") {
  const std::string most = "18446744073709551615";
  const std::string least = "-9223372036854775808";
  CHECK(run("counter", {add(most), add(most), read("0")}) == "the counter is 36893488147419103230");
  CHECK(run("counter", {add(most), add("1"), add(least), add(least), read("0")}) == "");
  CHECK(run("counter", {add(least), add(least), read("0")}) == "the counter is -18446744073709551616");
  CHECK(run("counter", {add(least), read(least)}) == "");
  CHECK(run("counter", {add(most), read(most)}) == "");
}

TEST_CASE("additions that no read notices are left out") {
  const Case unread = make_case("counter", {add("1"), lost(add("2")), lost(read("null"))});
  CHECK(bound(unread).labels == std::vector<Label>(3, kIrrelevant));
  const Case read_once = make_case("counter", {add("1"), add("0"), lost(add("2")), lost(add("1")), read("1")});
  const std::vector<Label> labels = bound(read_once).labels;
  CHECK(labels[0] != kIrrelevant);
  CHECK(labels[1] == kIrrelevant);
  CHECK(labels[2] == kIrrelevant);
  CHECK(labels[3] != kIrrelevant);
  const Case falling_too = make_case("counter", {lost(add("2")), add("-1"), read("1")});
  CHECK(bound(falling_too).labels[0] != kIrrelevant);
}

TEST_CASE("a read that the sum has passed can't be accepted any more") {
  const Case tested = make_case("counter", {add("2"), add("3"), read("4"), read("7"), read("5")});
  Bound of = bound(tested);
  StateId state = of.machine->initial();
  CHECK(of.machine->viable(state, of.labels[2]));
  CHECK_FALSE(of.machine->viable(state, of.labels[3]));
  state = of.machine->step(of.machine->step(state, of.labels[0]), of.labels[1]);
  CHECK_FALSE(of.machine->viable(state, of.labels[2]));
  CHECK(of.machine->viable(state, of.labels[4]));
}

TEST_CASE("equal sums are one state, and nothing is enumerated") {
  std::vector<Op> ops(10'000, add("1000000007"));
  ops.push_back(read("10000000070000"));
  const Case tested = make_case("counter", ops);
  Bound of = bound(tested);
  CHECK(of.machine->labels().size() == 2);
  CHECK(of.machine->memory() < 10'000);
  const Case swapped = make_case("counter", {add("2"), add("3"), read("5")});
  Bound two = bound(swapped);
  Machine& machine = *two.machine;
  const StateId initial = machine.initial();
  CHECK(machine.step(machine.step(initial, two.labels[0]), two.labels[1]) ==
        machine.step(machine.step(initial, two.labels[1]), two.labels[0]));
}

TEST_CASE("the machine of a counter accepts what its replay accepts") {
  compare_on_random_operations("counter", pick, 2500);
  compare_on_random_operations("counter", pick_rising, 1500);
  compare_on_random_operations("counter", pick_falling, 1500);
}

TEST_CASE("a counter says what is wrong with its operations") {
  CHECK(complaint("counter", {{"inc", "1"}}) == "test.jsonl:1: the model counter has no \"inc\" (it has add, read)");
  CHECK(complaint("counter", {add("1.5")}) == "test.jsonl:1: add takes an integer, not 1.5 (number)");
  CHECK(complaint("counter", {lost(add("\"1\""))}) == "test.jsonl:1: add takes an integer, not \"1\" (string)");
  CHECK(complaint("counter", {read("null")}) ==
        "test.jsonl:1: read returns an integer, but its output is missing or null");
  CHECK(complaint("counter", {lost(read("null")), failed(add("null"))}) == "");
}

TEST_CASE("the state of a counter is its sum") {
  CHECK(state_after("counter", {}) == "0");
  CHECK(state_after("counter", {add("2"), add("-3")}) == "-1");
}
