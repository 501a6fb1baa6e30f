#pragma once

#include <vector>

#include <porpentine/checker/causal.h>

namespace porpentine::detail {

/// By line, then by kind.
void sort_by_place(std::vector<CausalViolation>& violations);

}  // namespace porpentine::detail
