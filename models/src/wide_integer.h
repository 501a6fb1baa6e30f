// Integers that hold both ends of the 64-bit ranges, signed and unsigned, and what lies just beyond.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include <porpentine/history/value.h>

namespace porpentine::detail {

/// In two's complement, so that comparing the halves compares the numbers.
struct WideInteger {
  std::int64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const WideInteger&) const = default;
  [[nodiscard]] WideInteger next() const { return {high + (low + 1 == 0 ? 1 : 0), low + 1}; }
};

/// Nothing where the value is no integer.
inline std::optional<WideInteger> as_wide_integer(const ValueTable& values, ValueId value) {
  if (const auto number = values.as_uint64(value)) return WideInteger{0, *number};
  if (const auto number = values.as_int64(value)) return WideInteger{-1, static_cast<std::uint64_t>(*number)};
  return std::nullopt;
}

}  // namespace porpentine::detail
