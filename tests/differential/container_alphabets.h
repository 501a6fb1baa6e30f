// What queues, bags, stacks and priority queues are enumerated with.
#pragma once

#include "matrix.h"

namespace porpentine::differential {

/// `Op` is {whether it puts a value in, the value; taken: 0 where none was there}.
template <typename Op>
const Alphabets<Op>& container_alphabets() {
  const auto put = [](int value) { return Op{true, value}; };
  const auto take = [](int seen) { return Op{false, seen}; };
  static const Alphabets<Op> result{
      .wide = {known(put(1)), known(put(2)), known(put(3)), known(take(0)), known(take(1)), known(take(2)),
               unknown(put(1)), unknown(put(3)), unknown(take(0)), failed(put(1)), failed(take(0))},
      .medium = {known(put(1)), known(put(2)), known(take(0)), known(take(1)), known(take(2)), unknown(put(1)),
                 unknown(take(0))},
      .narrow = {known(put(1)), known(put(2)), known(take(0)), known(take(1)), unknown(put(1)), unknown(take(0))},
      .least = {known(put(1)), known(put(2)), known(take(1)), unknown(take(0))}};
  return result;
}

}  // namespace porpentine::differential
