// Locks against brute force.
#include "matrix.h"
#include "mutex_object.h"

namespace porpentine::differential {
namespace {

using Op = MutexObject::Op;

Op acquire(int token = 0) { return {true, token}; }
Op release() { return {false, 0}; }

const Alphabets<Op>& alphabets() {
  static const std::vector<Event<Op>> plain{known(acquire()), known(release()), unknown(acquire()), unknown(release()),
                                            failed(acquire())};
  static const Alphabets<Op> result{
      .wide = plain, .medium = plain, .narrow = plain, .least = {plain.begin(), plain.begin() + 3}};
  return result;
}

const Alphabets<Op>& fenced_alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(acquire(1)), known(acquire(2)), known(acquire(3)), known(release()), unknown(acquire()),
               unknown(release()), failed(acquire())},
      .medium = {known(acquire(1)), known(acquire(2)), known(release()), unknown(acquire()), unknown(release())},
      .narrow = {known(acquire(1)), known(acquire(2)), known(release()), unknown(acquire())},
      .least = {known(acquire(1)), known(acquire(2)), known(release()), unknown(acquire())}};
  return result;
}

}  // namespace

TEST_CASE("every small mutex history is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{}}, "mutex");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of an owned mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.owned = true}}, "mutex:owned");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of a reentrant mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.reentrant = true}}, "mutex:reentrant");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of a fenced mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.fenced = true}}, "mutex:fenced");
  compare_every(subject, fenced_alphabets());
}

TEST_CASE("every small history of a reentrant mutex with fencing tokens is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.reentrant = true, .fenced = true}}, "mutex:reentrant:fenced");
  compare_every(subject, fenced_alphabets());
}

TEST_CASE("random mutex histories are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{}}, "mutex");
  compare_random(subject, {}, 40'000'000);
}

TEST_CASE("random histories of two mutexes by key are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{}}, "mutex");
  compare_random(subject, {.keys = 2}, 41'000'000);
}

TEST_CASE("random histories of an owned mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.owned = true}}, "mutex:owned");
  compare_random(subject, {}, 42'000'000);
}

TEST_CASE("random histories of a reentrant mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.reentrant = true}}, "mutex:reentrant");
  compare_random(subject, {}, 43'000'000);
}

TEST_CASE("random histories of a fenced mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({{.fenced = true}}, "mutex:fenced");
  compare_random(subject, {}, 44'000'000);
}

TEST_CASE("random histories of owned mutexes with fencing tokens are judged as by brute force", "[mutex]") {
  Subject<MutexObject> owned({{.owned = true, .fenced = true}}, "mutex:owned:fenced");
  compare_random(owned, {}, 45'000'000);
  Subject<MutexObject> reentrant({{.reentrant = true, .fenced = true}}, "mutex:reentrant:fenced");
  compare_random(reentrant, {}, 46'000'000);
}

TEST_CASE("longer random histories of mutexes are judged as by brute force", "[mutex]") {
  Subject<MutexObject> plain({}, "mutex");
  compare_longer(plain, longer(), 47'000'000);
  Subject<MutexObject> owned({{.owned = true}}, "mutex:owned");
  compare_longer(owned, longer(), 47'100'000);
}

}  // namespace porpentine::differential
