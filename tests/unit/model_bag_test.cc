#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op enqueue(const std::string& value) { return {"enqueue", value}; }
Op dequeue(const std::string& seen = "null") { return {"dequeue", "null", seen}; }

Op pick(Random& random) {
  const std::string value = random.of({"1", "1", "2", "3"});
  if (random.chance(60)) return enqueue(value);
  return dequeue(random.chance(30) ? "null" : value);
}

Op pick_never_empty(Random& random) {
  const std::string value = random.of({"1", "1", "2", "3"});
  return random.chance(60) ? enqueue(value) : dequeue(value);
}

}  // namespace

TEST_CASE("a bag gives out what it holds in any order") {
  CHECK(run("bag", {enqueue("1"), enqueue("2"), dequeue("2"), dequeue("1")}) == "");
  CHECK(run("bag", {enqueue("1"), enqueue("2"), dequeue("3")}) == "the bag holds no 3 (integer)");
  CHECK(run("bag", {enqueue("1"), enqueue("1"), dequeue("1"), dequeue("1"), dequeue("1")}) == "the bag is empty");
}

TEST_CASE("a bag is found empty exactly if it is") {
  CHECK(run("bag", {dequeue(), enqueue("1"), dequeue("1"), dequeue()}) == "");
  CHECK(run("bag", {enqueue("1"), dequeue()}) == "the bag holds 1 value");
}

TEST_CASE("a lost dequeue took any one value of a bag") {
  CHECK(run("bag", {enqueue("1"), enqueue("2"), lost(dequeue()), dequeue("1"), dequeue()}) == "");
  CHECK(run("bag", {enqueue("1"), enqueue("2"), lost(dequeue()), dequeue("2"), dequeue()}) == "");
  CHECK(run("bag", {enqueue("1"), enqueue("2"), lost(dequeue()), dequeue()}) == "the bag holds 1 value");
  CHECK(run("bag", {lost(dequeue()), enqueue("1"), dequeue("1")}) == "");
}

TEST_CASE("a lost dequeue can't have taken what came later") {
  CHECK(run("bag", {enqueue("1"), lost(dequeue()), enqueue("2"), dequeue("1")}) ==
        "the bag holds no 1 (integer) any more: operations with an unknown outcome took all there was");
  CHECK(run("bag", {enqueue("1"), lost(dequeue()), enqueue("1"), dequeue("1"), dequeue()}) == "");
  CHECK(run("bag", {enqueue("1"), enqueue("2"), lost(dequeue()), enqueue("3"), lost(dequeue()), dequeue("3"),
                    dequeue()}) == "");
  CHECK(run("bag", {enqueue("1"), lost(dequeue()), enqueue("2"), enqueue("3"), lost(dequeue()), dequeue("2"),
                    dequeue("3")}) == "the bag is empty");
}

TEST_CASE("a lost dequeue of a bag has as many next states as there are values to spare") {
  const Case tested = make_case("bag", {enqueue("1"), enqueue("2"), enqueue("2"), enqueue("3"), dequeue("3"),
                                        dequeue("2"), dequeue(), lost(dequeue())});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  Machine& machine = *bound.machine;
  StateId state = machine.initial();
  CHECK(machine.step(state, bound.labels[7]) == state);
  state = machine.step(state, bound.labels[3]);
  CHECK(machine.step(state, bound.labels[7]) == kRefused);  // the only 3, which is needed
  const StateId before = machine.step(state, bound.labels[1]);
  CHECK(machine.step(before, bound.labels[7]) == state);
  const StateId several = machine.step(before, bound.labels[0]);
  CHECK(machine.step(several, bound.labels[7]) == kSeveral);
  CHECK(machine.successors(several, bound.labels[7]).size() == 2);
}

TEST_CASE("where a bag was never found empty each value is judged alone and lost dequeues can be left out") {
  const Case tested = make_case("bag", {enqueue("1"), enqueue("2"), dequeue("1"), dequeue("2"), lost(dequeue()),
                                        enqueue("3"), lost(enqueue("4")), enqueue("1")});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  const auto traits = bound.machine->labels();
  CHECK((traits[bound.labels[0]].touches & traits[bound.labels[3]].touches) == 0);
  CHECK((traits[bound.labels[0]].touches & traits[bound.labels[2]].touches) != 0);
  for (const std::size_t i : {4u, 5u, 6u}) CHECK(bound.labels[i] == kIrrelevant);
}

TEST_CASE("an empty result touches every value of a bag") {
  const Case tested = make_case("bag", {enqueue("1"), dequeue("1"), dequeue(), lost(dequeue()), enqueue("2")});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  const auto traits = bound.machine->labels();
  CHECK(traits[bound.labels[2]].touches == ~std::uint64_t{0});
  CHECK(traits[bound.labels[3]].touches == ~std::uint64_t{0});
  CHECK(bound.labels[4] != kIrrelevant);
}

TEST_CASE("the machine of a bag accepts what its replay accepts") {
  compare_on_random_operations("bag", pick, 6000);
  compare_on_random_operations("bag", pick_never_empty, 3000);
}

TEST_CASE("a bag says what is wrong with its operations") {
  CHECK(complaint("bag", {{"push", "1"}}) == "test.jsonl:1: the model bag has no \"push\" (it has enqueue, dequeue)");
  CHECK(complaint("bag", {enqueue("null")}) ==
        "test.jsonl:1: enqueue takes a value other than null, but its input is missing or null");
}

TEST_CASE("the state of a bag is what it holds, and how much of that was lost") {
  CHECK(state_after("bag", {}) == "[]");
  CHECK(state_after("bag", {enqueue("1"), enqueue("2"), enqueue("1"), dequeue("1")}) == "[1, 2]");
  CHECK(state_after("bag", {enqueue("1"), enqueue("2"), lost(dequeue())}) == "[1, 2] less 1 of unknown value");
}
