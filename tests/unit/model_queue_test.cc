#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op enqueue(const std::string& value) { return {"enqueue", value}; }
Op dequeue(const std::string& seen = "null") { return {"dequeue", "null", seen}; }

Op pick(Random& random) {
  const std::string value = random.of({"1", "1", "2", "3"});
  if (random.chance(50)) return enqueue(value);
  return dequeue(random.chance(20) ? "null" : value);
}

}  // namespace

TEST_CASE("a queue gives out first what came in first") {
  CHECK(run("queue", {enqueue("1"), enqueue("\"b\""), dequeue("1"), dequeue("\"b\"")}) == "");
  CHECK(run("queue", {enqueue("1"), enqueue("2"), dequeue("2")}) == "the head of the queue holds 1");
  CHECK(run("queue", {enqueue("1"), dequeue("\"1\"")}) ==
        "the head of the queue holds the integer 1, not the string \"1\"");
  CHECK(run("queue", {enqueue("1"), dequeue("1.0")}) == "");
}

TEST_CASE("a queue is found empty exactly if it is") {
  CHECK(run("queue", {dequeue(), enqueue("1"), dequeue("1"), dequeue()}) == "");
  CHECK(run("queue", {dequeue("1")}) == "the queue is empty");
  CHECK(run("queue", {enqueue("1"), dequeue()}) == "the queue holds 1 value");
  CHECK(run("queue", {enqueue("1"), enqueue("1"), dequeue()}) == "the queue holds 2 values");
}

TEST_CASE("a value that was enqueued twice is dequeued twice, and not three times") {
  CHECK(run("queue", {enqueue("1"), enqueue("1"), dequeue("1"), dequeue("1")}) == "");
  CHECK(run("queue", {enqueue("1"), enqueue("1"), dequeue("1"), dequeue("1"), dequeue("1")}) == "the queue is empty");
}

TEST_CASE("a lost dequeue took the head, or nothing where there was none") {
  CHECK(run("queue", {enqueue("1"), enqueue("2"), lost(dequeue()), dequeue("2")}) == "");
  CHECK(run("queue", {enqueue("1"), enqueue("2"), lost(dequeue()), dequeue("1")}) == "the head of the queue holds 2");
  CHECK(run("queue", {lost(dequeue()), enqueue("1"), dequeue("1")}) == "");
}

TEST_CASE("a lost enqueue may have come at any time") {
  const Case twice = make_case("queue", {lost(enqueue("1")), enqueue("2"), dequeue("1"), dequeue("2")});
  CHECK(orders_by_machine(twice) == orders_by_replay(twice));
  CHECK(orders_by_machine(twice).size() == 3);
}

TEST_CASE("values that nobody took block what comes after them, unless as many dequeues are lost") {
  CHECK(run("queue", {enqueue("1"), enqueue("2"), enqueue("3"), dequeue("3")}) == "the head of the queue holds 1");
  CHECK(run("queue", {enqueue("1"), enqueue("2"), enqueue("3"), lost(dequeue()), dequeue("3")}) ==
        "the head of the queue holds 2");
  CHECK(run("queue", {enqueue("1"), enqueue("2"), enqueue("3"), lost(dequeue()), lost(dequeue()), dequeue("3")}) == "");
}

TEST_CASE("a lost enqueue of what nobody took, and a lost dequeue that finds nothing to spare, can be left out") {
  const Case tested = make_case("queue", {enqueue("1"), lost(enqueue("2")), dequeue("1"), lost(dequeue())});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.labels[1] == kIrrelevant);
  CHECK(bound.labels[3] == kIrrelevant);
  CHECK(bound.labels[0] != kIrrelevant);
}

TEST_CASE("values that nobody took are told apart by nobody") {
  const Case tested = make_case("queue", {enqueue("1"), enqueue("2"), enqueue("3"), dequeue("3")});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.labels[0] == bound.labels[1]);
  CHECK(bound.labels[0] != bound.labels[2]);
}

TEST_CASE("where a value was dequeued more often than enqueued no step is taken") {
  const Case tested = make_case("queue", {enqueue("1"), dequeue("1"), dequeue("1")});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.machine->step(bound.machine->initial(), bound.labels[0]) == kRefused);
  CHECK(bound.machine->labels()[bound.labels[1]].bounded);
  CHECK_FALSE(bound.machine->viable(bound.machine->initial(), bound.labels[1]));
}

TEST_CASE("a step of a long queue takes memory that doesn't grow with the queue") {
  std::vector<Op> ops(4000, enqueue("1"));
  ops.push_back(dequeue("1"));
  const Case tested = make_case("queue", ops);
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  StateId state = bound.machine->initial();
  for (std::size_t i = 0; i + 1 < ops.size(); ++i) state = bound.machine->step(state, bound.labels[i]);
  for (std::size_t i = 0; i + 1 < ops.size(); ++i) state = bound.machine->step(state, bound.labels.back());
  CHECK(bound.machine->memory() < 8000 * 1000);
}

TEST_CASE("a value is not enqueued behind one that was called for only after it had been taken") {
  Case tested = make_case("queue", {enqueue("1"), enqueue("2"), dequeue("1"), dequeue("2")});
  const auto step = [&](std::initializer_list<std::size_t> path) {
    const Bound bound = tested.model->bind(tested.history, tested.operations());
    StateId state = bound.machine->initial();
    for (const std::size_t i : path) state = bound.machine->step(state, bound.labels[i]);
    return state;
  };
  tested.history.ret = {10, 10, 20, 30};
  tested.history.call = {0, 0, 11, 20};
  CHECK(step({1, 0}) != kRefused);  // the dequeues may be concurrent
  tested.history.call[3] = 21;
  CHECK(step({1, 0}) == kRefused);
  CHECK(step({0, 1, 2, 3}) != kRefused);
}

TEST_CASE("a queue that was surely not empty, or whose values overtook one another, is refused at once") {
  Case tested = make_case("queue", {enqueue("1"), enqueue("2"), dequeue("2"), dequeue("1"), dequeue()});
  const auto is_refused = [&](std::size_t i) {
    const Bound bound = tested.model->bind(tested.history, tested.operations());
    const LabelTraits& traits = bound.machine->labels()[bound.labels[i]];
    return traits.bounded && !bound.machine->viable(bound.machine->initial(), bound.labels[i]);
  };
  tested.history.call = {0, 11, 21, 31, 20};
  tested.history.ret = {10, 20, 30, 40, 30};
  CHECK(is_refused(2));
  CHECK(is_refused(4));
  tested.history.call[3] = 30;
  CHECK_FALSE(is_refused(2));
  CHECK_FALSE(is_refused(4));
  tested.history.call[3] = 31;
  tested.history.call[1] = 10;
  CHECK_FALSE(is_refused(2));
  tested.history.outcome[0] = Outcome::info;
  CHECK_FALSE(is_refused(4));
}

TEST_CASE("what an enqueue returns, and what is given to a dequeue, is ignored") {
  CHECK(run("queue", {{"enqueue", "1", "true"}, {"dequeue", "\"x\"", "1"}}) == "");
}

TEST_CASE("the machine of a queue accepts what its replay accepts") {
  compare_on_random_operations("queue", pick, 6000);
}

TEST_CASE("a queue says what is wrong with its operations") {
  CHECK(complaint("queue", {{"push", "1"}}) ==
        "test.jsonl:1: the model queue has no \"push\" (it has enqueue, dequeue)");
  CHECK(complaint("queue", {enqueue("null")}) ==
        "test.jsonl:1: enqueue takes a value other than null, but its input is missing or null");
  CHECK(complaint("queue", {lost(enqueue("null"))}) != "");
  CHECK(complaint("queue", {failed(enqueue("null"))}) == "");
}

TEST_CASE("the state of a queue is what it holds, the head first") {
  CHECK(state_after("queue", {}) == "[]");
  CHECK(state_after("queue", {enqueue("1"), enqueue("\"a\""), enqueue("3"), dequeue("1")}) == R"(["a", 3])");
  CHECK(state_after("queue", std::vector<Op>(9, enqueue("7"))) == "[7, 7, 7, 7, 7, 7, 7, 7, ...] (9 values)");
}
