#include "s2_chain.h"

#include <array>
#include <cstddef>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace porpentine::detail {

std::uint64_t chained(std::uint64_t stream_hash, std::uint64_t record_hash) {
  std::array<unsigned char, sizeof record_hash> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(record_hash >> (8 * i));
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), stream_hash);
}

}  // namespace porpentine::detail
