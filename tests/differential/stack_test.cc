// Stacks against brute force.
#include "matrix.h"
#include "stack_object.h"

namespace porpentine::differential {
namespace {

using Op = StackObject::Op;

Op push(int value) {
  return {true, value};
}
Op pop(int seen = 0) {
  return {false, seen};
}

const Alphabets<Op>& alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(push(1)), known(push(2)), known(push(3)), known(pop()), known(pop(1)), known(pop(2)),
               unknown(push(1)), unknown(push(3)), unknown(pop()), failed(push(1)), failed(pop())},
      .medium = {known(push(1)), known(push(2)), known(pop()), known(pop(1)), known(pop(2)), unknown(push(1)),
                 unknown(pop())},
      .narrow = {known(push(1)), known(push(2)), known(pop()), known(pop(1)), unknown(push(1)), unknown(pop())},
      .least = {known(push(1)), known(push(2)), known(pop(1)), unknown(pop())}};
  return result;
}

}  // namespace

TEST_CASE("every small stack history is judged as by brute force", "[stack]") {
  Subject<StackObject> subject({}, "stack");
  compare_every(subject, alphabets());
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
