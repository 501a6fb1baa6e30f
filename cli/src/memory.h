// How much memory there is, and how much this process holds of it.
#pragma once

#include <cstdint>

namespace porpentine::cli {

/// Has large blocks that are freed go back to the system at once, so that what one search held does not count while the
/// next one runs. To be called before any thread starts.
void return_large_blocks();

/// Bytes of this process that are in memory, as the system counts them. Freed memory is given back first.
[[nodiscard]] std::uint64_t resident_memory();

/// 80 % of the memory of the machine, or of the container that this process runs in.
[[nodiscard]] std::uint64_t default_memory_limit();

}  // namespace porpentine::cli
