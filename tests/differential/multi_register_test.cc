// Registers under transactions against brute force.
#include "matrix.h"
#include "multi_register_object.h"

namespace porpentine::differential {
namespace {

using Op = MultiRegisterObject::Op;
using Micro = MultiRegisterObject::Micro;

Micro r(int where, int value = 0) { return {false, where, value}; }
Micro w(int where, int value) { return {true, where, value}; }

Op txn(std::vector<Micro> micros) { return {std::move(micros)}; }

const Alphabets<Op>& alphabets() {
  static const Alphabets<Op> result{
      .wide = {known(txn({r(0, 0)})), known(txn({r(0, 1)})), known(txn({w(0, 1)})), known(txn({w(0, 1), w(1, 1)})),
               known(txn({r(0, 1), r(1, 0)})), known(txn({r(0, 0), r(1, 1)})), known(txn({r(1, 1), w(0, 2)})),
               known(txn({w(1, 2), r(1, 2), r(2, 1)})), known(txn({w(2, 1)})), unknown(txn({w(0, 1)})),
               unknown(txn({w(0, 2), w(1, 1)})), unknown(txn({r(0), w(2, 1)})), unknown(txn({r(0), r(1)}))},
      .medium = {known(txn({r(0, 0)})), known(txn({r(0, 1), r(1, 0)})), known(txn({r(0, 0), r(1, 1)})),
                 known(txn({w(0, 1)})), known(txn({w(1, 1)})), known(txn({r(1, 1), w(0, 1)})),
                 unknown(txn({w(0, 1), w(1, 1)}))},
      .narrow = {known(txn({r(0, 1), r(1, 0)})), known(txn({r(0, 0), r(1, 1)})), known(txn({w(0, 1)})),
                 known(txn({w(1, 1)})), unknown(txn({w(0, 1), w(1, 1)}))},
      .least = {known(txn({r(0, 1), r(1, 0)})), known(txn({w(0, 1)})), known(txn({w(1, 1)}))}};
  return result;
}

}  // namespace

TEST_CASE("every small history of transactions is judged as by brute force", "[multi-register]") {
  Subject<MultiRegisterObject> subject({}, "multi-register");
  compare_every(subject, alphabets());
}

TEST_CASE("every small history of transactions where null reads say nothing is judged as by brute force",
          "[multi-register]") {
  Subject<MultiRegisterObject> subject({.nil_says_nothing = true}, "multi-register:nil-read=any");
  compare_every(subject, alphabets());
}

TEST_CASE("random histories of transactions are judged as by brute force", "[multi-register]") {
  Subject<MultiRegisterObject> subject({}, "multi-register");
  compare_random(subject, {}, 30'000'000);
}

TEST_CASE("random histories of transactions where null reads say nothing are judged as by brute force",
          "[multi-register]") {
  Subject<MultiRegisterObject> subject({.nil_says_nothing = true}, "multi-register:nil-read=any");
  compare_random(subject, {}, 31'000'000);
}

TEST_CASE("longer random histories of transactions are judged as by brute force", "[multi-register]") {
  Subject<MultiRegisterObject> subject({}, "multi-register");
  compare_longer(subject, longer(), 32'000'000);
}

}  // namespace porpentine::differential
