#include "text_states.h"

#include <algorithm>

namespace porpentine::detail {

namespace {

/// Bytes that may_occur looks at in all: it must not cost more than it saves.
constexpr std::size_t kSearchBudget = std::size_t{1} << 24;

}  // namespace

TextStates::TextStates(std::vector<std::string_view> observed)
    : observed_(std::move(observed)), search_budget_(kSearchBudget) {
  std::sort(observed_.begin(), observed_.end());
  observed_.erase(std::unique(observed_.begin(), observed_.end()), observed_.end());
}

StateId TextStates::add(const State& state) {
  states_.push_back(state);
  return static_cast<StateId>(states_.size() - 1);
}

StateId TextStates::add_value() { return add({}); }

StateId TextStates::null() {
  if (null_ == kRefused) null_ = add({Kind::null, 0, end(), 0});
  return null_;
}

StateId TextStates::extend(std::uint32_t begin, std::uint32_t end, std::size_t length, std::string_view text) {
  const auto tail = [&](std::string_view whole) { return whole.substr(length, text.size()); };
  const auto first = std::partition_point(observed_.begin() + begin, observed_.begin() + end,
                                          [&](std::string_view whole) { return tail(whole) < text; });
  const auto last =
      std::partition_point(first, observed_.begin() + end, [&](std::string_view whole) { return tail(whole) == text; });
  if (first == last) {
    if (other_text_ == kRefused) other_text_ = add({Kind::other_text, 0, 0, 0});
    return other_text_;
  }
  begin = static_cast<std::uint32_t>(first - observed_.begin());
  end = static_cast<std::uint32_t>(last - observed_.begin());
  length += text.size();
  const IdTable::Found found = prefixes_.find_or_add({begin, length});
  if (found.added) prefix_states_.push_back(add({Kind::prefix, begin, end, length}));
  return prefix_states_[found.id];
}

StateId TextStates::append(StateId state, Label label, std::string_view text) {
  const IdTable::Found found = steps_.find_or_add(std::uint64_t{state} << 32 | label);
  if (found.added) after_.push_back(append_uncached(states_[state], text));
  return after_[found.id];
}

StateId TextStates::append_uncached(State state, std::string_view text) {
  if (state.kind == Kind::value) return kRefused;
  return extend(state.begin, state.end, state.length, text);
}

bool TextStates::leads_to(StateId state, StateId goal) const {
  if (state == goal) return true;
  const State& from = states_[state];
  const State& to = states_[goal];
  const bool texts = (from.kind == Kind::null || from.kind == Kind::prefix) && to.kind == Kind::prefix;
  return texts && from.begin <= to.begin && to.begin < from.end && from.length <= to.length;
}

bool TextStates::may_occur(std::string_view text) {
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    const std::string_view whole = observed_[i];
    const bool covered_by_next = i + 1 < observed_.size() && observed_[i + 1].substr(0, whole.size()) == whole;
    if (covered_by_next) continue;
    if (whole.size() > search_budget_) return true;
    search_budget_ -= whole.size();
    if (whole.find(text) != std::string_view::npos) return true;
  }
  return false;
}

std::size_t TextStates::memory() const {
  return observed_.capacity() * sizeof(std::string_view) + states_.capacity() * sizeof(State) + prefixes_.memory() +
         steps_.memory() + (prefix_states_.capacity() + after_.capacity()) * sizeof(StateId);
}

}  // namespace porpentine::detail
