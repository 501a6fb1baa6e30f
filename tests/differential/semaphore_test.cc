// Semaphores against brute force.
#include "matrix.h"
#include "semaphore_object.h"

namespace porpentine::differential {
namespace {

using Op = SemaphoreObject::Op;

Op acquire(int count = 1) { return {true, count}; }
Op release(int count = 1) { return {false, count}; }

}  // namespace

TEST_CASE("every small semaphore history is judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({.permits = 3}, "semaphore:permits=3");
  compare_every(subject, {.wide = {known(acquire()), known(acquire(2)), known(acquire(3)), known(acquire(4)),
                                   known(release()), known(release(2)), known(release(3)), unknown(acquire()),
                                   unknown(acquire(2)), unknown(release()), unknown(release(2)), failed(acquire())},
                          .medium = {known(acquire()), known(acquire(2)), known(acquire(3)), known(release()),
                                     known(release(2)), unknown(acquire(2)), unknown(release()), unknown(release(2))},
                          .narrow = {known(acquire(2)), known(acquire(3)), known(release()), known(release(2)),
                                     unknown(acquire(2)), unknown(release())},
                          .least = {known(acquire(2)), known(release()), unknown(acquire()), unknown(release(2))}});
}

TEST_CASE("every small history of a semaphore of one permit is judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({}, "semaphore");
  const std::vector<Event<Op>> all{known(acquire()), known(release()), unknown(acquire()), unknown(release()),
                                   known(acquire(2))};
  const std::vector<Event<Op>> least(all.begin(), all.begin() + 4);
  compare_every(subject, {.wide = all, .medium = all, .narrow = least, .least = least});
}

TEST_CASE("random semaphore histories are judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({.permits = 4}, "semaphore:permits=4");
  compare_random(subject, {}, 80'000'000);
  Subject<SemaphoreObject> two({.permits = 2}, "semaphore:permits=2");
  compare_random(two, {}, 81'000'000);
}

TEST_CASE("random histories of two semaphores by key are judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({.permits = 3}, "semaphore:permits=3");
  compare_random(subject, {.keys = 2}, 82'000'000);
}

TEST_CASE("random histories of a semaphore of one permit are judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({}, "semaphore:permits=1");
  compare_random(subject, {}, 83'000'000);
}

TEST_CASE("longer random semaphore histories are judged as by brute force", "[semaphore]") {
  Subject<SemaphoreObject> subject({.permits = 3}, "semaphore:permits=3");
  compare_longer(subject, longer(), 84'000'000);
}

}  // namespace porpentine::differential
