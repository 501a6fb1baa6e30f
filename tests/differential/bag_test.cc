// Bags against brute force.
#include "bag_object.h"
#include "container_alphabets.h"
#include "matrix.h"

namespace porpentine::differential {

TEST_CASE("every small bag history is judged as by brute force", "[bag]") {
  Subject<BagObject> subject({}, "bag");
  compare_every(subject, container_alphabets<BagObject::Op>());
}

TEST_CASE("random bag histories are judged as by brute force", "[bag]") {
  Subject<BagObject> subject({}, "bag");
  compare_random(subject, {}, 140'000'000);
}

TEST_CASE("random histories of two bags by key are judged as by brute force", "[bag]") {
  Subject<BagObject> subject({}, "bag");
  compare_random(subject, {.keys = 2}, 141'000'000);
}

TEST_CASE("random bag histories with few equal values are judged as by brute force", "[bag]") {
  Subject<BagObject> subject({.values = 20}, "bag");
  compare_random(subject, {}, 142'000'000);
}

TEST_CASE("longer random bag histories are judged as by brute force", "[bag]") {
  Subject<BagObject> subject({}, "bag");
  compare_longer(subject, longer(), 143'000'000);
}

TEST_CASE("random histories of bags that are never found empty are judged as by brute force", "[bag]") {
  Subject<BagObject> subject({.may_be_empty = false}, "bag");
  compare_random(subject, {}, 144'000'000);
}

TEST_CASE("random bag histories with distinct values are judged by the monitor as by brute force", "[bag]") {
  Subject<BagObject> subject({.values = 10}, "bag");
  compare_monitor(subject, {}, 149'000'000);
}

}  // namespace porpentine::differential
