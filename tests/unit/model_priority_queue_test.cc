#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op insert(const std::string& value) { return {"insert", value}; }
Op pop_min(const std::string& seen = "null") { return {"pop-min", "null", seen}; }

Op pick(Random& random) {
  const std::string value = random.of({"1", "1.0", "2", "2.5", "-3"});
  if (random.chance(55)) return insert(value);
  return pop_min(random.chance(15) ? "null" : value);
}

Op pick_never_empty(Random& random) {
  const std::string value = random.of({"1", "2", "2.5", "4", "5"});
  return random.chance(60) ? insert(value) : pop_min(value);
}

/// Whether the queue holds that a stands before b.
void check_rising(const std::string& a, const std::string& b) {
  INFO(a << " < " << b);
  CHECK(run("priority-queue", {insert(b), insert(a), pop_min(a), pop_min(b), pop_min()}) == "");
  CHECK(run("priority-queue", {insert(a), insert(b), pop_min(b)}) != "");
}

}  // namespace

TEST_CASE("a priority queue gives out the least number first") {
  CHECK(run("priority-queue", {insert("3"), insert("1"), insert("2"), pop_min("1"), pop_min("2"), pop_min("3")}) == "");
  CHECK(run("priority-queue", {insert("3"), insert("1"), pop_min("3")}) ==
        "the least number of the priority queue is 1");
}

TEST_CASE("a priority queue is found empty exactly if it is") {
  CHECK(run("priority-queue", {pop_min(), insert("1"), pop_min("1"), pop_min()}) == "");
  CHECK(run("priority-queue", {pop_min("1")}) == "the priority queue is empty");
  CHECK(run("priority-queue", {insert("1"), pop_min()}) == "the priority queue holds 1 value");
}

TEST_CASE("equal numbers are one number, however they are written") {
  CHECK(run("priority-queue", {insert("1"), insert("1.0"), pop_min("1.0"), pop_min("1"), pop_min()}) == "");
  CHECK(run("priority-queue", {insert("0"), pop_min("-0.0"), insert("1e2"), pop_min("100")}) == "");
}

TEST_CASE("numbers are compared exactly, integers with fractions and beyond 64 bits") {
  check_rising("-1.5", "-1");
  check_rising("-2", "-1.5");
  check_rising("-0.5", "0");
  check_rising("0.25", "0.5");
  check_rising("4503599627370495.5", "4503599627370496");
  check_rising("9007199254740992", "9007199254740993");
  check_rising("9007199254740992.0", "9007199254740993");
  check_rising("9007199254740993", "9007199254740994.0");
  check_rising("9223372036854775807", "9223372036854775808");
  check_rising("9223372036854775807", "9223372036854775808.0");
  check_rising("18446744073709551615", "18446744073709551616.0");
  check_rising("18446744073709551615", "1e300");
  check_rising("1e299", "1e300");
  check_rising("-1e300", "-1e299");
  check_rising("-1e300", "-9223372036854775808");
  check_rising("-9223372036854775808", "18446744073709551615");
}

TEST_CASE("a lost pop-min took the least number, or nothing where there was none") {
  CHECK(run("priority-queue", {insert("1"), insert("2"), lost(pop_min()), pop_min("2")}) == "");
  CHECK(run("priority-queue", {insert("1"), insert("2"), lost(pop_min()), pop_min("1")}) ==
        "the least number of the priority queue is 2");
  CHECK(run("priority-queue", {lost(pop_min()), insert("1"), pop_min("1")}) == "");
}

TEST_CASE("numbers that nobody took are told apart only by those that lie between") {
  const Case tested = make_case("priority-queue", {insert("1"), insert("2"), insert("3"), insert("4"), insert("5"),
                                                   pop_min("3"), lost(insert("0")), pop_min()});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.labels[0] == bound.labels[1]);
  CHECK(bound.labels[3] == bound.labels[4]);
  CHECK(bound.labels[0] != bound.labels[3]);
  CHECK(bound.labels[6] == kIrrelevant);
}

TEST_CASE("numbers above all that were taken are noticed by an empty result alone") {
  const std::vector<Op> ops{insert("3"), insert("4"), pop_min("3"), lost(pop_min())};
  const Case never_empty = make_case("priority-queue", ops);
  CHECK(never_empty.model->bind(never_empty.history, never_empty.operations()).labels[1] == kIrrelevant);
  std::vector<Op> with_empty = ops;
  with_empty.push_back(pop_min());
  const Case empty = make_case("priority-queue", with_empty);
  CHECK(empty.model->bind(empty.history, empty.operations()).labels[1] != kIrrelevant);
}

TEST_CASE("the machine of a priority queue accepts what its replay accepts") {
  compare_on_random_operations("priority-queue", pick, 6000);
  compare_on_random_operations("priority-queue", pick_never_empty, 3000);
}

TEST_CASE("a priority queue says what is wrong with its operations") {
  CHECK(complaint("priority-queue", {{"enqueue", "1"}}) ==
        "test.jsonl:1: the model priority-queue has no \"enqueue\" (it has insert, pop-min)");
  CHECK(complaint("priority-queue", {insert("\"1\"")}) == "test.jsonl:1: insert takes a number, not \"1\" (string)");
  CHECK(complaint("priority-queue", {insert("null")}) ==
        "test.jsonl:1: insert takes a number, but its input is missing or null");
  CHECK(complaint("priority-queue", {pop_min("true")}) ==
        "test.jsonl:1: pop-min returns a number or null, not true (boolean)");
}

TEST_CASE("the state of a priority queue is what it holds, the least number first") {
  CHECK(state_after("priority-queue", {}) == "[]");
  CHECK(state_after("priority-queue", {insert("3"), insert("1"), insert("2.5"), pop_min("1")}) == "[2.5, 3]");
}
