// The judge judged: brute force against its definition spelt out over permutations, and on histories whose verdict
// anybody can see.
#include "brute_force.h"

#include <algorithm>
#include <numeric>

#include "enumerate.h"
#include "random.h"
#include "random_history.h"
#include "register_object.h"
#include "support/catch.h"

namespace porpentine::differential {
namespace {

using Op = RegisterObject::Op;
using F = RegisterObject::F;

/// Every subset that holds all known operations, in every order.
bool linearizable_by_permutations(const RegisterObject& object, const Events<Op>& events) {
  for (std::uint64_t subset = 0; subset < std::uint64_t{1} << events.size(); ++subset) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if ((subset >> i & 1) != 0) order.push_back(i);
    }
    do {
      if (is_linearization(object, events, order)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return false;
}

Event<Op> read(int process, int value, std::int64_t call, std::int64_t ret) {
  return {{F::read, value}, Ended::ok, process, 0, call, ret};
}

Event<Op> write(int process, int value, std::int64_t call, std::int64_t ret) {
  return {{F::write, value}, Ended::ok, process, 0, call, ret};
}

Event<Op> lost_write(int process, int value, std::int64_t call) {
  return {{F::write, value}, Ended::unknown, process, 0, call, 0};
}

}  // namespace

TEST_CASE("brute force agrees with the trial of every permutation") {
  const RegisterObject object;
  std::uint64_t valid = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const Events<Op> events = random_history(object, {.least_operations = 1, .most_operations = 6}, random);
    const bool verdict = linearizable(object, events);
    INFO("seed " << seed);
    CHECK(verdict == linearizable_by_permutations(object, events));
    valid += verdict ? 1 : 0;
  }
  CHECK(valid > 500);
  CHECK(valid < 2500);
}

TEST_CASE("a write of unknown outcome may take effect late, or never") {
  const RegisterObject object;
  CHECK(linearizable(object, {lost_write(0, 1, 0), read(1, 0, 1, 2), read(1, 1, 3, 4)}));
  CHECK(linearizable(object, {lost_write(0, 1, 0), read(1, 0, 1, 2), read(1, 0, 3, 4)}));
  CHECK_FALSE(linearizable(object, {lost_write(0, 1, 0), read(1, 1, 1, 2), read(1, 0, 3, 4)}));
  CHECK_FALSE(linearizable(object, {read(1, 1, 1, 2), lost_write(0, 1, 3)}));
}

TEST_CASE("times that tie order the operations of one process, but not those of two") {
  const RegisterObject object;
  CHECK_FALSE(linearizable(object, {write(0, 2, 1, 2), read(0, 0, 2, 3)}));
  CHECK(linearizable(object, {write(0, 2, 1, 2), read(1, 0, 2, 3)}));
  CHECK_FALSE(linearizable(object, {write(0, 2, 1, 2), read(1, 0, 3, 4)}));
}

TEST_CASE("two processes may each stand before what the other does next at the same time") {
  const RegisterObject object;
  // read 0 and write 1; read 1 and write 2: each read ends when the other's write begins.
  CHECK(linearizable(object, {read(0, 0, 1, 2), write(0, 1, 2, 3), read(1, 1, 1, 2), write(1, 2, 2, 3)}));
  CHECK_FALSE(linearizable(object, {read(0, 2, 1, 2), write(0, 1, 2, 3), read(1, 1, 1, 2), write(1, 2, 2, 3)}));
}

TEST_CASE("a failed operation never happened") {
  const RegisterObject object;
  Event<Op> failed = write(0, 1, 0, 1);
  failed.ended = Ended::fail;
  CHECK(linearizable(object, {failed, read(1, 0, 2, 3)}));
  CHECK_FALSE(linearizable(object, {failed, read(1, 1, 2, 3)}));
}

TEST_CASE("the first failure is the first return at which what is known contradicts itself") {
  const RegisterObject object;
  const Events<Op> events{write(0, 1, 0, 1), write(1, 2, 2, 9), read(2, 2, 3, 4), read(2, 1, 5, 6), read(2, 2, 7, 8)};
  const FirstFailure<RegisterObject> first(object, events);
  CHECK(first.time() == 6);
  CHECK(first.accepts(3, 2));
  CHECK_FALSE(first.accepts(3, 3));
  CHECK_FALSE(first.accepts(2, 1));
}

TEST_CASE("of failures that tie each is accepted with the returns before it") {
  const RegisterObject object;
  const Events<Op> events{read(0, 1, 0, 1), write(1, 1, 0, 1), read(2, 2, 0, 1), write(3, 3, 0, 1)};
  const FirstFailure<RegisterObject> first(object, events);
  CHECK(first.accepts(2, 0));
  CHECK(first.accepts(2, 3));
  CHECK_FALSE(first.accepts(2, 4));
  CHECK_FALSE(first.accepts(0, 0));
}

TEST_CASE("enumeration knows every interval structure") {
  CHECK(structures_of(1, Structures::all).size() == 2);
  CHECK(structures_of(2, Structures::all).size() == 14);
  // Sorted by call, a structure is how many later calls each return precedes.
  CHECK(structures_of(3, Structures::precedence).size() == 6);
  CHECK(structures_of(4, Structures::precedence).size() == 24);
}

}  // namespace porpentine::differential
