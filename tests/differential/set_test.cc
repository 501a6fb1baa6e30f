// Sets against brute force.
#include "matrix.h"
#include "set_object.h"

namespace porpentine::differential {
namespace {

using Op = SetObject::Op;
using F = SetObject::F;
using Answer = SetObject::Answer;

Op add(int value, Answer answer = Answer::silent) { return {F::add, value, answer}; }
Op remove(int value, Answer answer = Answer::silent) { return {F::remove, value, answer}; }
Op contains(int value, bool there) { return {F::contains, value, there ? Answer::yes : Answer::no}; }
Op read(std::set<int> shown) { return {F::read, 0, Answer::silent, std::move(shown)}; }

}  // namespace

TEST_CASE("every small set history is judged as by brute force", "[set]") {
  Subject<SetObject> subject({}, "set");
  compare_every(
      subject,
      {.wide = {known(add(1)), known(add(1, Answer::yes)), known(add(2, Answer::no)), known(remove(1)),
                known(remove(1, Answer::yes)), known(remove(2, Answer::no)), known(contains(1, true)),
                known(contains(1, false)), known(read({})), known(read({1})), known(read({1, 2})), unknown(add(1)),
                unknown(remove(1)), unknown(read({}))},
       .medium = {known(add(1)), known(add(1, Answer::yes)), known(remove(1, Answer::yes)), known(contains(1, false)),
                  known(read({})), known(read({1})), known(read({1, 2})), unknown(add(2)), unknown(remove(1))},
       .narrow = {known(add(1, Answer::yes)), known(remove(1)), known(read({})), known(read({1, 2})), unknown(add(2)),
                  unknown(remove(1))},
       .least = {known(add(1)), known(read({})), known(read({1})), unknown(remove(1))}});
}

TEST_CASE("every small history of a set that is not read whole is judged as by brute force", "[set]") {
  Subject<SetObject> subject({}, "set");
  compare_every(subject, {.wide = {known(add(1)), known(add(1, Answer::yes)), known(add(1, Answer::no)), known(add(2)),
                                   known(remove(1)), known(remove(1, Answer::yes)), known(remove(1, Answer::no)),
                                   known(contains(1, true)), known(contains(1, false)), known(contains(2, true)),
                                   unknown(add(1)), unknown(remove(1)), unknown(add(2))},
                          .medium = {known(add(1)), known(add(1, Answer::yes)), known(add(1, Answer::no)),
                                     known(remove(1)), known(remove(1, Answer::yes)), known(contains(1, false)),
                                     known(contains(2, true)), unknown(add(1)), unknown(remove(1))},
                          .narrow = {known(add(1)), known(add(1, Answer::yes)), known(remove(1)),
                                     known(contains(1, true)), known(contains(1, false)), unknown(add(1))},
                          .least = {known(add(1)), known(remove(1)), known(contains(1, true)), unknown(remove(1))}});
}

TEST_CASE("random set histories are judged as by brute force", "[set]") {
  Subject<SetObject> subject({}, "set");
  compare_random(subject, {}, 60'000'000);
}

TEST_CASE("random histories of two sets by key are judged as by brute force", "[set]") {
  Subject<SetObject> subject({}, "set");
  compare_random(subject, {.keys = 2}, 61'000'000);
}

TEST_CASE("random histories of sets that are not read whole are judged as by brute force", "[set]") {
  Subject<SetObject> subject({.whole_reads = false}, "set");
  compare_random(subject, {}, 62'000'000);
  compare_random(subject, {.keys = 2}, 63'000'000);
}

TEST_CASE("longer random set histories are judged as by brute force", "[set]") {
  Subject<SetObject> subject({}, "set");
  compare_longer(subject, longer(), 64'000'000);
  Subject<SetObject> by_value({.whole_reads = false}, "set");
  compare_longer(by_value, longer(), 64'100'000);
}

TEST_CASE("random histories of sets whose answers are told are judged by the monitor as by brute force", "[set]") {
  Subject<SetObject> subject({.whole_reads = false, .told_percent = 97}, "set");
  compare_monitor(subject, {}, 69'000'000);
}

}  // namespace porpentine::differential
