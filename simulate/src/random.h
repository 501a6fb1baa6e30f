// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace porpentine::detail {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// 0 <= result < bound; bound > 0.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((bits() >> 32U) % bound); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

}  // namespace porpentine::detail
