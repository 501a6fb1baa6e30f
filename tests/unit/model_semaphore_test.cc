#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op acquire(const std::string& count = "null") { return {"acquire", count}; }
Op release(const std::string& count = "null") { return {"release", count}; }

Op pick(Random& random) {
  const std::string count = random.of({"null", "1", "2", "3", "4"});
  return by(static_cast<int>(random.below(2)), random.chance(60) ? acquire(count) : release(count));
}
Op pick_one(Random& random) { return random.chance(55) ? acquire(random.of({"null", "1"})) : release(); }

std::string error_of(const std::string& name) {
  ValueTable values;
  const auto made = make_specification(name, values);
  return made ? "" : made.error().message;
}

}  // namespace

TEST_CASE("permits are acquired as far as they are free, and released by anyone") {
  CHECK(run("semaphore:permits=3", {by(1, acquire("2")), by(2, acquire()), by(1, release("3")), by(2, acquire("3"))}) ==
        "");
  CHECK(run("semaphore:permits=3", {acquire("2"), acquire("2")}) == "1 permit is free");
  CHECK(run("semaphore:permits=3", {acquire("1"), acquire("3")}) == "2 permits are free");
  CHECK(run("semaphore:permits=3", {acquire("3"), acquire()}) == "no permit is free");
  CHECK(run("semaphore:permits=3", {acquire("4")}) == "3 permits are free");
}

TEST_CASE("no more permits are released than are held") {
  CHECK(run("semaphore:permits=3", {release()}) == "no permit is held");
  CHECK(run("semaphore:permits=3", {acquire("1"), release("2")}) == "1 permit is held");
}

TEST_CASE("a semaphore has one permit unless it is told, and an operation is about one") {
  CHECK(run("semaphore", {acquire(), release(), acquire("1")}) == "");
  CHECK(run("semaphore", {acquire(), acquire()}) == "no permit is free");
}

TEST_CASE("a lost acquire may hold permits, and a lost release may have freed them") {
  CHECK(run("semaphore:permits=2", {lost(acquire("2")), release()}) == "");
  const Case freed = make_case("semaphore:permits=2", {acquire("2"), lost(release("1")), acquire()});
  CHECK(orders_by_machine(freed) == Orders{{0, 2}, {2, 0}});
  const Case held = make_case("semaphore:permits=2", {acquire("2"), acquire()});
  CHECK(orders_by_machine(held).empty());
}

TEST_CASE("permits may be as many as 64 bits count") {
  const std::string many = "18446744073709551615";
  CHECK(run("semaphore:permits=" + many, {acquire(many), release("1"), acquire("2")}) == "1 permit is free");
}

TEST_CASE("the machine of a semaphore accepts what its replay accepts") {
  compare_on_random_operations("semaphore:permits=3", pick, 2500);
  compare_on_random_operations("semaphore:permits=1", pick, 2500);
  compare_on_random_operations("semaphore", pick_one, 1500);
}

TEST_CASE("a semaphore says what is wrong with its operations") {
  CHECK(complaint("semaphore", {{"take"}}) ==
        "test.jsonl:1: the model semaphore has no \"take\" (it has acquire, release)");
  CHECK(complaint("semaphore", {acquire("0")}) ==
        "test.jsonl:1: acquire takes a number of permits, a positive integer, not 0 (integer)");
  CHECK(complaint("semaphore", {lost(release("-1"))}) ==
        "test.jsonl:1: release takes a number of permits, a positive integer, not -1 (integer)");
  CHECK(complaint("semaphore", {failed(release("-1"))}) == "");
}

TEST_CASE("the permits of a semaphore are a positive integer") {
  CHECK(error_of("semaphore:permits=0") == "the option permits of the model semaphore is a positive integer, not 0");
  CHECK(error_of("semaphore:permits=many") ==
        "the option permits of the model semaphore is a positive integer, not \"many\"");
  CHECK(error_of("semaphore:permits=2") == "");
}

TEST_CASE("the state of a semaphore is how many permits are free") {
  CHECK(state_after("semaphore:permits=3", {}) == "3 of 3 free");
  CHECK(state_after("semaphore:permits=3", {acquire("2")}) == "1 of 3 free");
}
