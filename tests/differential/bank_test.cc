// Banks against brute force.
#include "bank_object.h"
#include "matrix.h"

namespace porpentine::differential {
namespace {

using Op = BankObject::Op;
using Answer = BankObject::Answer;

Op transfer(std::size_t from, std::size_t to, int amount, Answer answer = Answer::silent) {
  return {false, from, to, amount, answer};
}
Op refused(std::size_t from, std::size_t to, int amount) { return transfer(from, to, amount, Answer::no); }
Op read(BankObject::Balances shown) { return {true, 0, 0, 0, Answer::silent, shown}; }

}  // namespace

TEST_CASE("every small bank history is judged as by brute force", "[bank]") {
  Subject<BankObject> subject({}, BankObject::kModel);
  compare_every(subject, {.wide = {known(transfer(0, 1, 2)), known(transfer(1, 0, 2, Answer::yes)),
                                   known(refused(0, 1, 2)), known(refused(1, 2, 1)), known(transfer(2, 0, 1)),
                                   known(transfer(0, 0, 2)), known(transfer(0, 1, 0)), known(read({3, 0, 1})),
                                   known(read({1, 2, 1})), known(read({4, 0, 0})), known(read({3, 0, 0})),
                                   unknown(transfer(0, 1, 2)), unknown(transfer(1, 2, 2)), unknown(transfer(0, 1, 5))},
                          .medium = {known(transfer(0, 1, 2)), known(transfer(1, 0, 2)), known(refused(0, 1, 2)),
                                     known(refused(1, 2, 1)), known(read({3, 0, 1})), known(read({1, 2, 1})),
                                     unknown(transfer(0, 1, 2)), unknown(transfer(1, 2, 2))},
                          .narrow = {known(transfer(0, 1, 2)), known(transfer(1, 0, 2)), known(refused(0, 1, 2)),
                                     known(read({1, 2, 1})), unknown(transfer(0, 1, 2)), unknown(transfer(1, 2, 2))},
                          .least = {known(transfer(0, 1, 2)), known(refused(0, 1, 2)), known(read({1, 2, 1})),
                                    unknown(transfer(0, 1, 2))}});
}

TEST_CASE("random bank histories are judged as by brute force", "[bank]") {
  Subject<BankObject> subject({}, BankObject::kModel);
  compare_random(subject, {}, 90'000'000);
}

TEST_CASE("random histories of two banks by key are judged as by brute force", "[bank]") {
  Subject<BankObject> subject({}, BankObject::kModel);
  compare_random(subject, {.keys = 2}, 91'000'000);
}

TEST_CASE("longer random bank histories are judged as by brute force", "[bank]") {
  Subject<BankObject> subject({}, BankObject::kModel);
  compare_longer(subject, longer(), 92'000'000);
}

}  // namespace porpentine::differential
