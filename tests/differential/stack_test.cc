// Stacks against brute force.
#include "container_alphabets.h"
#include "matrix.h"
#include "stack_object.h"

namespace porpentine::differential {

TEST_CASE("every small stack history is judged as by brute force", "[stack]") {
  Subject<StackObject> subject({}, "stack");
  compare_every(subject, container_alphabets<StackObject::Op>());
}

TEST_CASE("random stack histories are judged as by brute force", "[stack]") {
  Subject<StackObject> subject({}, "stack");
  compare_random(subject, {}, 130'000'000);
}

TEST_CASE("random histories of two stacks by key are judged as by brute force", "[stack]") {
  Subject<StackObject> subject({}, "stack");
  compare_random(subject, {.keys = 2}, 131'000'000);
}

TEST_CASE("random stack histories with few equal values are judged as by brute force", "[stack]") {
  Subject<StackObject> subject({.values = 20}, "stack");
  compare_random(subject, {}, 132'000'000);
}

TEST_CASE("longer random stack histories are judged as by brute force", "[stack]") {
  Subject<StackObject> subject({}, "stack");
  compare_longer(subject, longer(), 133'000'000);
}

TEST_CASE("random stack histories with distinct values are judged by the monitor as by brute force", "[stack]") {
  Subject<StackObject> subject({.values = 10}, "stack");
  compare_monitor(subject, {}, 134'000'000);
}

}  // namespace porpentine::differential
