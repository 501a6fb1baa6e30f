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

/// What finding all cores of a history may cost together.
struct CoreBudget {
  std::uint64_t work = 12'000'000;  ///< steps, and operations that a check looks at: about a second
  /// Steps differ in what they cost. Where the models' are quick, work ends first, and the same on every machine.
  Clock::time_point end = Clock::now() + std::chrono::seconds(2);
};

/// The core of an exactly placed fault. `witness`: operations that may well be one, or none. It takes a part of what
/// is left of the budget. Empty where that, or a limit, was in the way.
Core find_core(const Problem& problem, std::span<const BoundOperation> operations, const Fault& fault,
               std::span<const std::uint32_t> witness, const CheckOptions& options, const Limits& limits,
               CoreBudget& budget);

}  // namespace porpentine::detail
