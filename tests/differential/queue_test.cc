// Queues against brute force.
#include "matrix.h"
#include "queue_object.h"

namespace porpentine::differential {
namespace {

using Op = QueueObject::Op;

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

TEST_CASE("every small queue history is judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({}, "queue");
  compare_every(subject, alphabets());
}

TEST_CASE("random queue histories are judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({}, "queue");
  compare_random(subject, {}, 120'000'000);
}

TEST_CASE("random histories of two queues by key are judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({}, "queue");
  compare_random(subject, {.keys = 2}, 121'000'000);
}

TEST_CASE("random queue histories with few equal values are judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({.values = 20}, "queue");
  compare_random(subject, {}, 122'000'000);
}

TEST_CASE("longer random queue histories are judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({}, "queue");
  compare_longer(subject, longer(), 123'000'000);
}

TEST_CASE("random queue histories with distinct values are judged by the monitor as by brute force", "[queue]") {
  Subject<QueueObject> subject({.values = 10}, "queue");
  compare_monitor(subject, {}, 124'000'000);
}

}  // namespace porpentine::differential
