// Integers that hold both ends of the 64-bit ranges, signed and unsigned, and sums of billions of them.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include <porpentine/history/value.h>

namespace porpentine::detail {

/// In two's complement, so that comparing the halves compares the numbers.
struct WideInteger {
  std::int64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const WideInteger&) const = default;
  [[nodiscard]] WideInteger next() const { return *this + WideInteger{0, 1}; }
  [[nodiscard]] WideInteger operator+(const WideInteger& other) const {
    const std::uint64_t sum = low + other.low;
    return {high + other.high + (sum < low ? 1 : 0), sum};
  }
  [[nodiscard]] WideInteger operator-() const {
    return WideInteger{static_cast<std::int64_t>(~static_cast<std::uint64_t>(high)), ~low}.next();
  }
};

/// Nothing where the value is no integer.
inline std::optional<WideInteger> as_wide_integer(const ValueTable& values, ValueId value) {
  if (const auto number = values.as_uint64(value)) return WideInteger{0, *number};
  if (const auto number = values.as_int64(value)) return WideInteger{-1, static_cast<std::uint64_t>(*number)};
  return std::nullopt;
}

/// In decimal.
inline std::string to_text(const WideInteger& number) {
  if (number < WideInteger{}) return "-" + to_text(-number);
  std::uint64_t quarters[4] = {static_cast<std::uint64_t>(number.high) >> 32,
                               static_cast<std::uint64_t>(number.high) & 0xffffffff, number.low >> 32,
                               number.low & 0xffffffff};
  std::string digits;
  do {
    std::uint64_t remainder = 0;
    for (std::uint64_t& quarter : quarters) {
      const std::uint64_t dividend = remainder << 32 | quarter;
      quarter = dividend / 10;
      remainder = dividend % 10;
    }
    digits += static_cast<char>('0' + remainder);
  } while ((quarters[0] | quarters[1] | quarters[2] | quarters[3]) != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace porpentine::detail
