// Locks against brute force.
#include "matrix.h"
#include "mutex_object.h"

namespace porpentine::differential {
namespace {

using Kind = MutexObject::Kind;
using Op = MutexObject::Op;

Op acquire(int token = 0) { return {true, token}; }
Op release() { return {false, 0}; }

const Alphabets<Op>& alphabets() {
  static const std::vector<Event<Op>> plain{known(acquire()), known(release()), unknown(acquire()), unknown(release()),
                                            failed(acquire())};
  static const Alphabets<Op> result{.wide = plain, .medium = plain, .narrow = plain};
  return result;
}

const Alphabets<Op>& fenced_alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(acquire(1)), known(acquire(2)), known(acquire(3)), known(release()), unknown(acquire()),
               unknown(release()), failed(acquire())},
      .medium = {known(acquire(1)), known(acquire(2)), known(release()), unknown(acquire()), unknown(release())},
      .narrow = {known(acquire(1)), known(acquire(2)), known(release()), unknown(acquire())}};
  return result;
}

}  // namespace

TEST_CASE("every small mutex history is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::plain}, "mutex");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of an owned mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::owned}, "mutex:owned");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of a reentrant mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::reentrant}, "mutex:reentrant");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of a fenced mutex is judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::fenced}, "mutex:fenced");
  compare_every(subject, fenced_alphabets());
}

TEST_CASE("random mutex histories are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::plain}, "mutex");
  compare_random(subject, {}, 40'000'000);
}

TEST_CASE("random histories of two mutexes by key are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::plain}, "mutex");
  compare_random(subject, {.keys = 2}, 41'000'000);
}

TEST_CASE("random histories of an owned mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::owned}, "mutex:owned");
  compare_random(subject, {}, 42'000'000);
}

TEST_CASE("random histories of a reentrant mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::reentrant}, "mutex:reentrant");
  compare_random(subject, {}, 43'000'000);
}

TEST_CASE("random histories of a fenced mutex are judged as by brute force", "[mutex]") {
  Subject<MutexObject> subject({Kind::fenced}, "mutex:fenced");
  compare_random(subject, {}, 44'000'000);
}

}  // namespace porpentine::differential
