// The running hash of a stream's records, as the collector of the s2 verification computes it.
#pragma once

#include <cstdint>

namespace porpentine::detail {

/// The stream's hash after a record, from the one before and from the hash of the record's body. At first it is 0.
std::uint64_t chained(std::uint64_t stream_hash, std::uint64_t record_hash);

}  // namespace porpentine::detail
