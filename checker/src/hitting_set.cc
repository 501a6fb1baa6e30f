#include "hitting_set.h"

#include <algorithm>
#include <utility>

namespace porpentine::detail {

std::optional<std::vector<std::uint32_t>> HittingSet::smallest(std::size_t bound) {
  bound_ = bound;
  best_.reset();
  work_ = 0;
  branch();
  return work_ > kMostWork ? std::nullopt : best_;
}

void HittingSet::branch() {
  std::vector<std::uint32_t> fewest;
  bool any = false;
  std::size_t apart = 0;  // sets that have no member in common each need one of their own
  std::vector<bool> seen(chosen_.size());
  for (const std::vector<std::uint32_t>& set : sets_) {
    std::optional<std::vector<std::uint32_t>> members = open(set);
    if (!members) continue;
    const bool disjoint =
        std::none_of(members->begin(), members->end(), [&](std::uint32_t each) { return seen[each]; });
    if (disjoint) {
      ++apart;
      for (const std::uint32_t member : *members) seen[member] = true;
    }
    if (!any || members->size() < fewest.size()) fewest = *std::move(members);
    any = true;
  }
  if (members_.size() + apart >= bound_ || work_ > kMostWork) return;
  if (!any) {
    best_ = members_;
    bound_ = members_.size();
    return;
  }
  for (const std::uint32_t member : fewest) {
    choose(member, true);
    branch();
    choose(member, false);
    excluded_[member] = true;
  }
  for (const std::uint32_t member : fewest) excluded_[member] = false;
}

std::optional<std::vector<std::uint32_t>> HittingSet::open(const std::vector<std::uint32_t>& set) {
  work_ += set.size();
  std::vector<std::uint32_t> members;
  for (const std::uint32_t member : set) {
    if (chosen_[member]) return std::nullopt;
    if (!excluded_[member]) members.push_back(member);
  }
  return members;
}

void HittingSet::choose(std::uint32_t member, bool whether) {
  chosen_[member] = whether;
  if (whether) {
    members_.push_back(member);
  } else {
    members_.pop_back();
  }
}

}  // namespace porpentine::detail
