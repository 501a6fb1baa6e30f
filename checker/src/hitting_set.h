// The smallest set that meets all of some sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace porpentine::detail {

/// Sets of the numbers below `size`. Branch and bound; made for some dozens of small sets.
class HittingSet {
 public:
  explicit HittingSet(std::size_t size) : chosen_(size), excluded_(size) {}

  void add(std::vector<std::uint32_t> set) { sets_.push_back(std::move(set)); }

  /// A smallest set that meets all, if one has fewer than `bound` members and is found within the work allowed.
  std::optional<std::vector<std::uint32_t>> smallest(std::size_t bound);

 private:
  static constexpr std::uint64_t kMostWork = 2'000'000;  // members looked at

  void branch();
  /// The members of the set that may be chosen; nothing where one is chosen already.
  std::optional<std::vector<std::uint32_t>> open(const std::vector<std::uint32_t>& set);
  void choose(std::uint32_t member, bool whether);

  std::vector<std::vector<std::uint32_t>> sets_;
  std::vector<bool> chosen_;            // by member
  std::vector<bool> excluded_;          // by member: all sets with it have been looked at
  std::vector<std::uint32_t> members_;  // chosen
  std::optional<std::vector<std::uint32_t>> best_;
  std::size_t bound_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace porpentine::detail
