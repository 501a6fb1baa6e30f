#include <porpentine/models/vocabulary.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "number.h"

namespace porpentine {
namespace {

template <typename Key, typename KeyOf>
std::vector<std::uint32_t> positions_by(std::span<const ValueId> numbers, KeyOf key_of) {
  std::vector<std::pair<Key, std::uint32_t>> keyed;
  keyed.reserve(numbers.size());
  for (const ValueId number : numbers) keyed.push_back({key_of(number), static_cast<std::uint32_t>(keyed.size())});
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> positions;
  positions.reserve(keyed.size());
  for (const auto& [key, position] : keyed) positions.push_back(position);
  return positions;
}

}  // namespace

std::vector<std::uint32_t> in_order_of_number(const ValueTable& values, std::span<const ValueId> numbers) {
  const bool all_small =
      std::all_of(numbers.begin(), numbers.end(), [&](ValueId number) { return values.as_int64(number).has_value(); });
  if (all_small) return positions_by<std::int64_t>(numbers, [&](ValueId number) { return *values.as_int64(number); });
  return positions_by<detail::Number>(numbers, [&](ValueId number) { return *detail::as_number(values, number); });
}

}  // namespace porpentine
