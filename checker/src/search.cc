#include "search.h"

#include <algorithm>

namespace porpentine::detail {

TokenIndex::TokenIndex(const Timeline& timeline, std::span<const LabelTraits> labels) {
  Token tokens = 0;
  const auto see = [&](Token token) {
    if (token != kNoToken) tokens = std::max(tokens, token + 1);
  };
  for (const LabelTraits& traits : labels) {
    see(traits.needs);
    see(traits.makes);
  }
  uses_.resize(tokens);

  last_curious_return_ = 0;
  for (const Timeline::Group& group : timeline.groups) {
    if (!labels[group.label].overwrites) last_curious_return_ = kNone;
  }
  std::uint32_t before_return = 0;
  for (std::uint32_t op = 0; op < timeline.operation.size(); ++op) {
    while (timeline.called[before_return] <= op) ++before_return;
    const LabelTraits& traits = labels[timeline.label[op]];
    if (traits.makes != kNoToken) uses_[traits.makes].last_make_call = before_return + 1;
    if (is_curious(traits)) last_curious_return_ = std::max(last_curious_return_, timeline.return_index[op] + 1);
    if (traits.needs == kNoToken) continue;
    Use& use = uses_[traits.needs];
    use.last_need_call = before_return + 1;
    if (use.last_need_return <= timeline.return_index[op]) {
      use.last_need_return = timeline.return_index[op] + 1;
      use.last_need = op;
    }
  }

  if (timeline.groups.empty()) return;
  makers_begin_.resize(tokens + 1);
  for (const Timeline::Group& group : timeline.groups) {
    if (labels[group.label].makes != kNoToken) ++makers_begin_[labels[group.label].makes + 1];
  }
  for (Token token = 0; token < tokens; ++token) makers_begin_[token + 1] += makers_begin_[token];
  makers_.resize(makers_begin_.back());
  std::vector<std::uint32_t> next(makers_begin_.begin(), makers_begin_.end() - 1);
  for (std::uint32_t group = 0; group < timeline.groups.size(); ++group) {
    const Token token = labels[timeline.groups[group].label].makes;
    if (token != kNoToken) makers_[next[token]++] = group;
  }
}

std::span<const std::uint32_t> TokenIndex::makers(Token token) const {
  if (token >= uses_.size() || makers_begin_.empty()) return {};
  return std::span(makers_).subspan(makers_begin_[token], makers_begin_[token + 1] - makers_begin_[token]);
}

std::size_t TokenIndex::memory() const {
  return uses_.capacity() * sizeof(Use) + (makers_begin_.capacity() + makers_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace porpentine::detail
