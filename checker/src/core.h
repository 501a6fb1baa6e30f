// Few operations that prove a refusal.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "decision.h"
#include "meter.h"

namespace porpentine::detail {

/// Failure::core and Failure::context.
struct Core {
  std::vector<std::uint32_t> operations = {};
  std::vector<std::uint32_t> context = {};
  bool minimal = false;
};

/// What finding all cores of a history may cost together, in work, so that it finds the same cores on every machine. A
/// search for small ones gets the more the longer the check may take.
struct CoreBudget {
  static constexpr std::chrono::seconds kTimeOfOne{5};  ///< of the time limit: what each part of it allows
  static constexpr std::chrono::seconds kLongestOfOne{10};
  static constexpr std::int64_t kMostTimes = 1000;

  explicit CoreBudget(const CheckOptions& options);

  std::uint64_t work = 12'000'000;  ///< steps, and operations that a check looks at: one to two seconds
  std::uint64_t steps = 50'000;     ///< of one check
  /// For models whose steps are slow. Where they are quick, work ends first.
  Clock::time_point end = Clock::now() + kLongestOfOne;
};

/// The core of an exactly placed fault. `witness`: operations that may well be one, or none. It takes a part of what
/// is left of the budget. Not minimal, or all there is, where that or a limit was in the way.
Core find_core(const Problem& problem, std::span<const BoundOperation> operations, const Fault& fault,
               std::span<const std::uint32_t> witness, const CheckOptions& options, const Limits& limits,
               CoreBudget& budget);

}  // namespace porpentine::detail
