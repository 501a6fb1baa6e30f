// Numbers from a seed that are the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace porpentine::differential {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 <= result < bound; bound > 0.
  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }
  /// low <= result <= high
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  template <typename Container>
  auto& pick(Container&& container) {
    return container[static_cast<std::size_t>(below(static_cast<int>(container.size())))];
  }
  template <typename T>
  void shuffle(std::vector<T>& elements) {
    for (std::size_t i = elements.size(); i > 1; --i) {
      std::swap(elements[i - 1], elements[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace porpentine::differential
