// Parts of a history.
#pragma once

#include <cstdint>
#include <span>

#include <porpentine/history/history.h>

namespace porpentine {

/// Leaves only these operations (indices, rising) in the history, without annotations. O(size).
void keep_operations(History& history, std::span<const std::uint32_t> operations);

/// Makes the operation one that may have taken effect at any moment after its call, or never.
void forget_outcome(History& history, std::uint32_t operation);

}  // namespace porpentine
