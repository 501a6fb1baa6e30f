// Counters against brute force.
#include "counter_object.h"
#include "matrix.h"

namespace porpentine::differential {
namespace {

using Op = CounterObject::Op;

Op add(int number) { return {true, number}; }
Op read(int number) { return {false, number}; }

}  // namespace

TEST_CASE("every small counter history is judged as by brute force", "[counter]") {
  Subject<CounterObject> subject({}, "counter");
  compare_every(subject, {.wide = {known(add(1)), known(add(2)), known(add(0)), known(add(-1)), known(read(0)),
                                   known(read(1)), known(read(2)), known(read(3)), known(read(-1)), unknown(add(1)),
                                   unknown(add(2)), unknown(add(-1)), unknown(read(0))},
                          .medium = {known(add(1)), known(add(2)), known(add(-1)), known(read(0)), known(read(1)),
                                     known(read(2)), unknown(add(1)), unknown(add(-1))},
                          .narrow = {known(add(1)), known(add(-1)), known(read(0)), known(read(1)), unknown(add(1)),
                                     unknown(add(2))},
                          .least = {known(add(1)), known(read(0)), known(read(1)), unknown(add(1))}});
}

TEST_CASE("every small history of a counter that only rises is judged as by brute force", "[counter]") {
  Subject<CounterObject> subject({}, "counter");
  compare_every(subject, {.wide = {known(add(1)), known(add(2)), known(read(0)), known(read(1)), known(read(2)),
                                   known(read(3)), unknown(add(1)), unknown(add(2))},
                          .medium = {known(add(1)), known(add(2)), known(read(0)), known(read(1)), known(read(2)),
                                     unknown(add(1)), unknown(add(2))},
                          .narrow = {known(add(1)), known(add(2)), known(read(0)), known(read(1)), known(read(2)),
                                     unknown(add(1))},
                          .least = {known(add(1)), known(read(0)), known(read(1)), unknown(add(1))}});
}

TEST_CASE("random counter histories are judged as by brute force", "[counter]") {
  Subject<CounterObject> subject({}, "counter");
  compare_random(subject, {}, 70'000'000);
}

TEST_CASE("random histories of two counters by key are judged as by brute force", "[counter]") {
  Subject<CounterObject> subject({}, "counter");
  compare_random(subject, {.keys = 2}, 71'000'000);
}

TEST_CASE("random histories of counters that only rise or only fall are judged as by brute force", "[counter]") {
  Subject<CounterObject> rising({.least = 0}, "counter");
  compare_random(rising, {}, 72'000'000);
  Subject<CounterObject> falling({.most = 0}, "counter");
  compare_random(falling, {}, 73'000'000);
}

TEST_CASE("longer random counter histories are judged as by brute force", "[counter]") {
  Subject<CounterObject> subject({}, "counter");
  compare_longer(subject, longer(), 74'000'000);
  Subject<CounterObject> rising({.least = 1}, "counter");
  compare_longer(rising, longer(), 74'100'000);
}

}  // namespace porpentine::differential
