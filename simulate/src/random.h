// Random numbers that are the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace porpentine::detail {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// 0 <= result < bound; bound > 0.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((bits() >> 32U) % bound); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace porpentine::detail

namespace porpentine::simulate {

/// What workloads draw.
class Random {
 public:
  explicit Random(std::uint64_t seed) : source_(seed) {}

  /// From 0 to bound - 1; the bias is far below what anybody could notice.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>((source_.bits() >> 1) % static_cast<std::uint64_t>(bound));
  }
  bool chance(double probability) { return static_cast<double>(source_.bits() >> 11) < probability * 0x1p53; }
  /// At least 1, about `mean` on average: the exponential distribution, drawn as straight lines between the points
  /// where it halves.
  std::int64_t exponential(std::int64_t mean) {
    const std::uint64_t draw = source_.bits();
    const auto halvings = static_cast<std::int64_t>(std::countl_zero(draw | 1));
    const auto fraction = static_cast<std::int64_t>(draw & 0xffff);
    return 1 + mean * 2 * (halvings * 0x10000 + fraction) / (std::int64_t{3} * 0x10000);
  }

 private:
  detail::SplitMix source_;
};

}  // namespace porpentine::simulate
