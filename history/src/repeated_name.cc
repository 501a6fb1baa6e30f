#include "repeated_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace porpentine {
namespace {

constexpr std::size_t kFew = 32;  ///< ids that are compared each with each

std::optional<ValueId> repeated_of_many(std::span<const ValueId> members) {
  std::vector<ValueId> names;
  names.reserve(members.size() / 2);
  for (std::size_t i = 0; i < members.size(); i += 2) names.push_back(members[i]);
  std::sort(names.begin(), names.end());
  const auto repeated = std::adjacent_find(names.begin(), names.end());
  return repeated == names.end() ? std::nullopt : std::optional(*repeated);
}

}  // namespace

std::optional<ValueId> repeated_name(std::span<const ValueId> members) {
  if (members.size() > kFew) return repeated_of_many(members);
  for (std::size_t i = 2; i < members.size(); i += 2) {
    for (std::size_t before = 0; before < i; before += 2) {
      if (members[before] == members[i]) return members[i];
    }
  }
  return std::nullopt;
}

}  // namespace porpentine
