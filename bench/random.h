// Random numbers that are the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace porpentine::bench {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to bound - 1; the bias is far below what a benchmark could notice.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>((bits() >> 1) % static_cast<std::uint64_t>(bound));
  }
  bool chance(double probability) { return static_cast<double>(bits() >> 11) < probability * 0x1p53; }
  /// At least 1, about `mean` on average: the exponential distribution, drawn as straight lines between the points
  /// where it halves.
  std::int64_t exponential(std::int64_t mean) {
    const std::uint64_t draw = bits();
    const auto halvings = static_cast<std::int64_t>(std::countl_zero(draw | 1));
    const auto fraction = static_cast<std::int64_t>(draw & 0xffff);
    return 1 + mean * 2 * (halvings * 0x10000 + fraction) / (std::int64_t{3} * 0x10000);
  }

 private:
  std::uint64_t state_;
};

}  // namespace porpentine::bench
