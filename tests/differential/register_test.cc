// Registers, with and without compare-and-set, against brute force.
#include "matrix.h"
#include "register_object.h"

namespace porpentine::differential {
namespace {

using Op = RegisterObject::Op;
using F = RegisterObject::F;
using Answer = RegisterObject::Answer;

Op read(int value = 0) { return {F::read, value}; }
Op write(int value) { return {F::write, value}; }
Op cas(int old, int value, Answer answer = Answer::silent) { return {F::cas, value, old, answer}; }

const Alphabets<Op>& alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(read(0)), known(read(1)), known(read(2)), known(write(1)), known(write(2)),
               known(cas(1, 2, Answer::match)), known(cas(1, 2, Answer::mismatch)), known(cas(2, 2)), unknown(write(1)),
               unknown(write(2)), unknown(cas(1, 2)), unknown(read()), failed(write(2))},
      .medium = {known(read(0)), known(read(1)), known(read(2)), known(write(1)), known(cas(1, 2)),
                 known(cas(1, 2, Answer::mismatch)), unknown(write(1)), unknown(cas(1, 2))},
      .narrow = {known(read(1)), known(read(2)), known(write(1)), known(write(2)), unknown(write(1))},
      .least = {known(read(1)), known(write(1)), known(write(2)), unknown(write(1))}};
  return result;
}

}  // namespace

TEST_CASE("every small register history is judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({}, "register");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of a register that starts with a value written again is judged as by brute force",
          "[register]") {
  Subject<RegisterObject> subject({.first = 2}, "register:initial=2");
  Alphabets<Op> written_again = alphabets();
  written_again.narrow = {known(read(1)), known(read(3)), known(write(1)), known(cas(2, 3)), unknown(write(2))};
  compare_every(subject, written_again);
}

TEST_CASE("every small cas-register history is judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({.nil_says_nothing = true}, "cas-register");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of two registers by key is judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({}, "register");
  compare_every(subject, {.wide = {known(read(0), 1), known(read(1), 1), known(write(1), 1), unknown(write(1), 1),
                                   known(read(0), 2), known(read(1), 2), known(write(1), 2), unknown(cas(0, 1), 2)},
                          .medium = {known(read(0), 1), known(read(1), 1), known(write(1), 1), unknown(write(1), 1),
                                     known(read(1), 2), known(write(1), 2)},
                          .narrow = {known(read(1), 1), known(write(1), 1), known(read(1), 2), unknown(write(1), 2)},
                          .least = {known(read(1), 1), known(write(1), 1), known(read(0), 2)}});
}

TEST_CASE("random register histories are judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({}, "register");
  compare_random(subject, {}, 1'000'000);
}

TEST_CASE("random histories of a register with an initial value are judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({.first = 1}, "register:initial=1");
  compare_random(subject, {}, 2'000'000);
}

TEST_CASE("random cas-register histories are judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({.nil_says_nothing = true}, "cas-register");
  compare_random(subject, {}, 3'000'000);
}

TEST_CASE("random histories of registers by key are judged as by brute force", "[register]") {
  Subject<RegisterObject> subject({}, "register");
  compare_random(subject, {.keys = 2}, 4'000'000);
}

TEST_CASE("longer random register histories are judged as by brute force", "[register]") {
  Subject<RegisterObject> plain({}, "register");
  compare_longer(plain, longer(), 5'000'000);
  Subject<RegisterObject> knossos({.nil_says_nothing = true}, "cas-register");
  compare_longer(knossos, longer(), 5'100'000);
}

TEST_CASE("random register histories with distinct values are judged by the monitor as by brute force", "[register]") {
  Subject<RegisterObject> plain({.values = 9, .mismatches = false}, "register");
  compare_monitor(plain, {}, 6'000'000);
  Subject<RegisterObject> knossos({.first = 4, .nil_says_nothing = true, .values = 9, .mismatches = false},
                                  "cas-register:initial=4");
  compare_monitor(knossos, {.keys = 2}, 8'000'000);
}

}  // namespace porpentine::differential
