// Streams of s2 against brute force.
#include "matrix.h"
#include "s2_object.h"

namespace porpentine::differential {
namespace {

using Op = S2Object::Op;
using F = S2Object::F;

Op append(std::vector<int> records, int tail = 0) { return {F::append, std::move(records), tail}; }
Op setting(int token, Op op) {
  op.new_token = token;
  return op;
}
Op demanding(int token, Op op) {
  op.demanded_token = token;
  return op;
}
Op at(int tail, Op op) {
  op.demanded_tail = tail;
  return op;
}
Op read(std::vector<int> records) {
  const auto tail = static_cast<int>(records.size());
  return {F::read, std::move(records), tail};
}
Op check_tail(int tail) { return {F::check_tail, {}, tail}; }

}  // namespace

TEST_CASE("every small s2 history is judged as by brute force", "[s2]") {
  Subject<S2Object> subject({}, "s2");
  compare_every(
      subject, {.wide = {known(append({1}, 1)), known(append({2}, 2)), known(append({1, 2}, 2)),
                         known(at(0, append({1}, 1))), known(at(1, append({1}, 1))), known(read({})), known(read({1})),
                         known(read({2})), known(read({1, 2})), known(check_tail(1)), known(check_tail(2)),
                         unknown(append({1})), unknown(append({1, 2})), unknown(at(1, append({2}))), unknown(read({}))},
                .medium = {known(append({1}, 1)), known(append({2}, 2)), known(append({1, 2}, 2)), known(read({})),
                           known(read({1})), known(read({2, 1})), known(check_tail(2)), unknown(append({1})),
                           unknown(at(1, append({2})))},
                .narrow = {known(append({1}, 1)), known(append({2}, 2)), known(read({})), known(read({1, 2})),
                           unknown(append({1})), unknown(append({1, 2}))},
                .least = {known(append({1}, 1)), known(read({1})), known(check_tail(2)), unknown(append({1}))}});
}

TEST_CASE("every small s2 history with fencing tokens is judged as by brute force", "[s2]") {
  Subject<S2Object> subject({}, "s2");
  compare_every(subject, {.wide = {known(setting(1, append({1}, 1))), known(setting(2, append({}, 1))),
                                   known(setting(1, append({}, 0))), known(demanding(1, append({1}, 2))),
                                   known(demanding(2, append({1}, 1))), known(demanding(1, append({}, 1))),
                                   known(demanding(1, setting(2, append({2}, 2)))), known(append({1}, 1)),
                                   known(read({1})), unknown(setting(1, append({1}))), unknown(setting(1, append({}))),
                                   unknown(demanding(1, append({2}))), unknown(demanding(2, append({1})))},
                          .medium = {known(setting(1, append({1}, 1))), known(setting(2, append({}, 1))),
                                     known(demanding(1, append({1}, 2))), known(demanding(1, append({}, 1))),
                                     known(read({1})), unknown(setting(1, append({1}))),
                                     unknown(setting(1, append({}))), unknown(demanding(1, append({2})))},
                          .narrow = {known(setting(1, append({1}, 1))), known(setting(2, append({}, 1))),
                                     known(demanding(1, append({1}, 2))), unknown(setting(1, append({}))),
                                     unknown(demanding(1, append({2}))), known(check_tail(2))},
                          .least = {known(setting(1, append({1}, 1))), known(demanding(1, append({1}, 2))),
                                    unknown(setting(2, append({}))), known(check_tail(1))}});
}

TEST_CASE("random s2 histories are judged as by brute force", "[s2]") {
  Subject<S2Object> subject({}, "s2");
  compare_random(subject, {}, 95'000'000);
}

TEST_CASE("random histories of two streams by key are judged as by brute force", "[s2]") {
  Subject<S2Object> subject({}, "s2");
  compare_random(subject, {.keys = 2}, 96'000'000);
}

TEST_CASE("longer random s2 histories are judged as by brute force", "[s2]") {
  Subject<S2Object> subject({}, "s2");
  compare_longer(subject, longer(), 97'000'000);
}

}  // namespace porpentine::differential
