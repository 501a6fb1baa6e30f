// Bags against brute force.
#include "bag_object.h"
#include "matrix.h"

namespace porpentine::differential {
namespace {

using Op = BagObject::Op;

Op enqueue(int value) {
  return {true, value};
}
Op dequeue(int seen = 0) {
  return {false, seen};
}

const Alphabets<Op>& alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(enqueue(1)), known(enqueue(2)), known(enqueue(3)), known(dequeue()), known(dequeue(1)),
               known(dequeue(2)), unknown(enqueue(1)), unknown(enqueue(3)), unknown(dequeue()), failed(enqueue(1)),
               failed(dequeue())},
      .medium = {known(enqueue(1)), known(enqueue(2)), known(dequeue()), known(dequeue(1)), known(dequeue(2)),
                 unknown(enqueue(1)), unknown(dequeue())},
      .narrow = {known(enqueue(1)), known(enqueue(2)), known(dequeue()), known(dequeue(1)), unknown(enqueue(1)),
                 unknown(dequeue())},
      .least = {known(enqueue(1)), known(enqueue(2)), known(dequeue(1)), unknown(dequeue())}};
  return result;
}

}  // namespace

TEST_CASE("every small bag history is judged as by brute force", "[bag]") {
  Subject<BagObject> subject({}, "bag");
  compare_every(subject, alphabets());
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
