// Sorting what is nearly sorted already, as the returns of a history are in order of its calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace porpentine {

/// By insertion while that moves little, O(n) then; O(n log n) otherwise. Equal items may change places.
template <typename Vector, typename Less = std::less<>>
void sort_nearly_sorted(Vector& items, Less less = {}) {
  std::size_t moves_left = 32 * items.size();
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (!less(items[i], items[i - 1])) continue;
    const typename Vector::value_type item = items[i];
    std::size_t hole = i;
    while (hole > 0 && less(item, items[hole - 1])) {
      items[hole] = items[hole - 1];
      --hole;
    }
    items[hole] = item;
    const std::size_t moves = i - hole;
    if (moves > moves_left) {
      std::sort(items.begin(), items.end(), less);
      return;
    }
    moves_left -= moves;
  }
}

}  // namespace porpentine
