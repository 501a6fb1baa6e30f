// Queues against brute force.
#include "container_alphabets.h"
#include "matrix.h"
#include "queue_object.h"

namespace porpentine::differential {

TEST_CASE("every small queue history is judged as by brute force", "[queue]") {
  Subject<QueueObject> subject({}, "queue");
  compare_every(subject, container_alphabets<QueueObject::Op>());
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
