#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

const Op kAcquire{"acquire"};
const Op kRelease{"release"};

Op acquire(const std::string& token) { return {"acquire", "null", token}; }

Op pick_mutex(Random& random) { return by(static_cast<int>(random.below(2)), random.chance(55) ? kAcquire : kRelease); }

Op pick_fenced(Random& random) {
  const Op op = random.chance(60) ? acquire(random.of({"-1", "1", "2", "3", "5"})) : kRelease;
  return by(static_cast<int>(random.below(2)), op);
}

}  // namespace

TEST_CASE("a lock is held by one at a time, and anyone may release it") {
  CHECK(run("mutex", {by(1, kAcquire), by(2, kRelease), by(2, kAcquire)}) == "");
  CHECK(run("mutex", {by(1, kAcquire), by(2, kAcquire)}) == "the lock is held by process 1");
  CHECK(run("mutex", {kRelease}) == "the lock is free");
}

TEST_CASE("what a plain lock returns is ignored") {
  CHECK(run("mutex", {{"acquire", "\"x\"", "true"}, {"release", "\"x\"", "\"x\""}}) == "");
}

TEST_CASE("an owned lock is released by its holder") {
  CHECK(run("mutex:owned", {by(1, kAcquire), by(1, kRelease), by(2, kAcquire)}) == "");
  CHECK(run("mutex:owned", {by(1, kAcquire), by(2, kRelease)}) == "the lock is held by process 1");
  CHECK(run("mutex:owned", {by(1, kAcquire), by(1, kAcquire)}) == "the lock is held by process 1");
}

TEST_CASE("a reentrant lock is released as often as it was acquired") {
  CHECK(run("mutex:reentrant", {by(1, kAcquire), by(1, kAcquire), by(1, kRelease), by(1, kRelease), by(2, kAcquire)}) ==
        "");
  CHECK(run("mutex:reentrant", {by(1, kAcquire), by(1, kAcquire), by(1, kRelease), by(2, kAcquire)}) ==
        "the lock is held by process 1");
  CHECK(run("mutex:reentrant", {by(1, kAcquire), by(2, kRelease)}) == "the lock is held by process 1");
}

TEST_CASE("a lost acquire may hold the lock, and a lost release may have freed it") {
  CHECK(run("mutex", {lost(kAcquire), kRelease}) == "");
  CHECK(run("mutex", {kAcquire, lost(kRelease), by(1, kAcquire)}) == "");
  const Case again = make_case("mutex", {lost(kAcquire), kAcquire});
  CHECK(orders_by_machine(again).size() == 1);
}

TEST_CASE("fencing tokens rise strictly") {
  CHECK(run("mutex:fenced", {acquire("1"), kRelease, acquire("5")}) == "");
  CHECK(run("mutex:fenced", {acquire("5"), kRelease, acquire("5")}) == "token 5 was given before");
  CHECK(run("mutex:fenced", {acquire("5"), kRelease, acquire("4")}) == "token 5 was given before");
  CHECK(run("mutex:fenced", {acquire("-3"), kRelease, acquire("-2")}) == "");
  CHECK(run("mutex:fenced", {acquire("9223372036854775807"), kRelease, acquire("18446744073709551615")}) == "");
  CHECK(run("mutex:fenced", {acquire("18446744073709551615"), kRelease, acquire("-9223372036854775808")}) ==
        "token 18446744073709551615 was given before");
  CHECK(run("mutex:fenced", {acquire("4294967297"), kRelease, acquire("2")}) == "token 4294967297 was given before");
}

TEST_CASE("a token that nobody saw lies between those before and after it") {
  CHECK(run("mutex:fenced", {acquire("1"), kRelease, lost(kAcquire), kRelease, acquire("3")}) == "");
  CHECK(run("mutex:fenced", {acquire("1"), kRelease, lost(kAcquire), kRelease, acquire("2")}) ==
        "token 1 was given before, and a greater one that nobody saw");
  CHECK(run("mutex:fenced", {lost(kAcquire), kRelease, acquire("0")}) == "");
}

TEST_CASE("who acquires a fenced lock again is shown the same token") {
  CHECK(run("mutex:fenced:reentrant", {acquire("1"), acquire("1"), kRelease, kRelease, acquire("2")}) == "");
  CHECK(run("mutex:fenced:reentrant", {acquire("1"), acquire("2")}) == "the lock is held with token 1");
  CHECK(run("mutex:fenced:reentrant", {acquire("1"), kRelease, lost(kAcquire), acquire("2"), acquire("3")}) ==
        "the lock is held with token 2");
  CHECK(run("mutex:fenced:reentrant", {acquire("1"), kRelease, lost(kAcquire), acquire("1")}) ==
        "token 1 was given before, and a greater one that nobody saw");
}

TEST_CASE("the machine of a lock accepts what its replay accepts") {
  for (const char* model : {"mutex", "mutex:owned", "mutex:reentrant"}) {
    compare_on_random_operations(model, pick_mutex, 1500);
  }
  for (const char* model : {"mutex:fenced", "mutex:owned:fenced", "mutex:fenced:reentrant"}) {
    compare_on_random_operations(model, pick_fenced, 2500);
  }
}

TEST_CASE("a lock says what is wrong with its operations") {
  CHECK(complaint("mutex", {{"lock"}}) == "test.jsonl:1: the model mutex has no \"lock\" (it has acquire, release)");
  CHECK(complaint("mutex:fenced", {kAcquire}) ==
        "test.jsonl:1: acquire returns a token, an integer, but its output is missing or null");
  CHECK(complaint("mutex:fenced", {acquire("\"5\"")}) ==
        "test.jsonl:1: acquire returns a token, an integer, not \"5\" (string)");
  CHECK(complaint("mutex:fenced", {lost(kAcquire), kRelease}) == "");
}

TEST_CASE("the state of a lock is who holds it") {
  CHECK(state_after("mutex", {}) == "free");
  CHECK(state_after("mutex", {kAcquire}) == "held");
  CHECK(state_after("mutex:reentrant", {by(3, kAcquire), by(3, kAcquire)}) == "held by process 3 2 times");
  CHECK(state_after("mutex", {kAcquire, kRelease}) == "free");
}
