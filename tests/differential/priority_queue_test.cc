// Priority queues against brute force.
#include "container_alphabets.h"
#include "matrix.h"
#include "priority_queue_object.h"

namespace porpentine::differential {

TEST_CASE("every small priority queue history is judged as by brute force", "[priority-queue]") {
  Subject<PriorityQueueObject> subject({}, "priority-queue");
  compare_every(subject, container_alphabets<PriorityQueueObject::Op>());
}

TEST_CASE("random priority queue histories are judged as by brute force", "[priority-queue]") {
  Subject<PriorityQueueObject> subject({}, "priority-queue");
  compare_random(subject, {}, 150'000'000);
}

TEST_CASE("random histories of two priority queues by key are judged as by brute force", "[priority-queue]") {
  Subject<PriorityQueueObject> subject({}, "priority-queue");
  compare_random(subject, {.keys = 2}, 151'000'000);
}

TEST_CASE("random priority queue histories with few equal values are judged as by brute force", "[priority-queue]") {
  Subject<PriorityQueueObject> subject({.values = 6}, "priority-queue");
  compare_random(subject, {}, 152'000'000);
}

TEST_CASE("longer random priority queue histories are judged as by brute force", "[priority-queue]") {
  Subject<PriorityQueueObject> subject({}, "priority-queue");
  compare_longer(subject, longer(), 153'000'000);
}

TEST_CASE("random histories of numbers that doubles can't tell apart are judged as by brute force",
          "[priority-queue]") {
  Subject<PriorityQueueObject> subject({.values = 6, .odd_numbers = true}, "priority-queue");
  compare_random(subject, {}, 154'000'000);
}

TEST_CASE("random priority queue histories with distinct values are judged by the monitor as by brute force",
          "[priority-queue]") {
  Subject<PriorityQueueObject> subject({.values = 10}, "priority-queue");
  compare_monitor(subject, {}, 159'000'000);
}

}  // namespace porpentine::differential
