#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op push(const std::string& value) { return {"push", value}; }
Op pop(const std::string& seen = "null") { return {"pop", "null", seen}; }

Op pick(Random& random) {
  const std::string value = random.of({"1", "1", "2", "3"});
  if (random.chance(50)) return push(value);
  return pop(random.chance(20) ? "null" : value);
}

}  // namespace

TEST_CASE("a stack gives out first what came in last") {
  CHECK(run("stack", {push("1"), push("2"), pop("2"), pop("1")}) == "");
  CHECK(run("stack", {push("1"), push("2"), pop("1")}) == "the top of the stack holds 2");
  CHECK(run("stack", {push("\"1\""), pop("1")}) == "the top of the stack holds the string \"1\", not the integer 1");
}

TEST_CASE("a stack is found empty exactly if it is") {
  CHECK(run("stack", {pop(), push("1"), pop("1"), pop()}) == "");
  CHECK(run("stack", {pop("1")}) == "the stack is empty");
  CHECK(run("stack", {push("1"), pop()}) == "the stack holds 1 value");
}

TEST_CASE("a value that was pushed twice is popped twice, and not three times") {
  CHECK(run("stack", {push("1"), push("1"), pop("1"), pop("1")}) == "");
  CHECK(run("stack", {push("1"), push("1"), pop("1"), pop("1"), pop("1")}) == "the stack is empty");
}

TEST_CASE("a lost pop took the top, or nothing where there was none") {
  CHECK(run("stack", {push("1"), push("2"), lost(pop()), pop("1")}) == "");
  CHECK(run("stack", {push("1"), push("2"), lost(pop()), pop("2")}) == "the top of the stack holds 1");
  CHECK(run("stack", {lost(pop()), push("1"), pop("1")}) == "");
}

TEST_CASE("values that nobody took bury what lies under them, unless as many pops are lost") {
  CHECK(run("stack", {push("1"), push("2"), push("3"), lost(pop()), pop("1")}) == "the top of the stack holds 2");
  CHECK(run("stack", {push("1"), push("2"), push("3"), lost(pop()), lost(pop()), pop("1")}) == "");
}

TEST_CASE("a lost push of what nobody took, and a lost pop that finds nothing to spare, can be left out") {
  const Case tested = make_case("stack", {push("1"), lost(push("2")), pop("1"), lost(pop())});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.labels[1] == kIrrelevant);
  CHECK(bound.labels[3] == kIrrelevant);
}

TEST_CASE("a value is not pushed onto one that was popped before anybody called for it") {
  Case tested = make_case("stack", {push("1"), push("2"), pop("1"), pop("2")});
  const auto step = [&](std::initializer_list<std::size_t> path) {
    const Bound bound = tested.model->bind(tested.history, tested.operations());
    StateId state = bound.machine->initial();
    for (const std::size_t i : path) state = bound.machine->step(state, bound.labels[i]);
    return state;
  };
  tested.history.ret = {10, 10, 20, 30};
  tested.history.call = {0, 0, 11, 20};
  CHECK(step({0, 1}) != kRefused);  // the pops may be concurrent
  tested.history.call[3] = 21;
  CHECK(step({0, 1}) == kRefused);
  CHECK(step({1, 0, 2, 3}) != kRefused);
}

TEST_CASE("equal stacks are one state, however they came to be") {
  const Case tested = make_case("stack", {push("1"), push("2"), pop("2"), pop("1")});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  Machine& machine = *bound.machine;
  const StateId one = machine.step(machine.initial(), bound.labels[0]);
  CHECK(machine.step(machine.step(one, bound.labels[1]), bound.labels[2]) == one);
  CHECK(machine.step(one, bound.labels[3]) == machine.initial());
}

TEST_CASE("the machine of a stack accepts what its replay accepts") {
  compare_on_random_operations("stack", pick, 6000);
}

TEST_CASE("a stack says what is wrong with its operations") {
  CHECK(complaint("stack", {{"enqueue", "1"}}) ==
        "test.jsonl:1: the model stack has no \"enqueue\" (it has push, pop)");
  CHECK(complaint("stack", {push("null")}) ==
        "test.jsonl:1: push takes a value other than null, but its input is missing or null");
}

TEST_CASE("the state of a stack is what it holds, the top first") {
  CHECK(state_after("stack", {}) == "[]");
  CHECK(state_after("stack", {push("1"), push("2"), push("3"), pop("3")}) == "[2, 1]");
}
