// The exact order of numbers, across integers of 64 bits, signed and unsigned, and doubles.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include <porpentine/history/value.h>

#include "wide_integer.h"

namespace porpentine::detail {

/// Compares as the number does.
struct Number {
  WideInteger whole = {};  ///< rounded down; beyond all integers of 64 bits where it is
  double rest = 0;         ///< what is left; the number itself where it is beyond

  auto operator<=>(const Number&) const = default;
};

/// Nothing where the value is no number.
inline std::optional<Number> as_number(const ValueTable& values, ValueId value) {
  if (const auto whole = as_wide_integer(values, value)) return Number{*whole, 0};
  if (values.kind(value) != ValueKind::real) return std::nullopt;
  // Equal integers have no other form in a table: what is left has a fraction, which no double of 2^53 or more has, or
  // is beyond 64 bits.
  const double number = values.as_double(value);
  constexpr double kAllAreWhole = 9007199254740992;
  if (number > kAllAreWhole) return Number{{std::numeric_limits<std::int64_t>::max(), 0}, number};
  if (number < -kAllAreWhole) return Number{{std::numeric_limits<std::int64_t>::min(), 0}, number};
  const auto whole = static_cast<std::int64_t>(std::floor(number));
  return Number{{whole < 0 ? -1 : 0, static_cast<std::uint64_t>(whole)}, number - std::floor(number)};
}

}  // namespace porpentine::detail
