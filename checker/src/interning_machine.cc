#include <porpentine/checker/interning_machine.h>

#include <algorithm>
#include <cstdint>

#include <absl/container/flat_hash_map.h>

namespace porpentine::detail {

struct InterningMachine::Cache {
  absl::flat_hash_map<std::uint64_t, StateId> next;
  absl::flat_hash_map<std::uint64_t, std::vector<StateId>> several;
  std::size_t several_states = 0;
};

namespace {
std::uint64_t transition(StateId state, Label label) { return std::uint64_t{state} << 32 | label; }
}  // namespace

InterningMachine::InterningMachine() : cache_(std::make_unique<Cache>()) {}
InterningMachine::~InterningMachine() = default;

StateId InterningMachine::step(StateId state, Label label) {
  const std::uint64_t key = transition(state, label);
  if (const auto known = cache_->next.find(key); known != cache_->next.end()) return known->second;
  std::vector<StateId> next;
  compute(state, label, next);
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  const StateId answer = next.empty() ? kRefused : next.size() == 1 ? next.front() : kSeveral;
  cache_->next.emplace(key, answer);
  if (answer == kSeveral) {
    cache_->several_states += next.size();
    cache_->several.emplace(key, std::move(next));
  }
  return answer;
}

std::span<const StateId> InterningMachine::successors(StateId state, Label label) {
  const auto known = cache_->several.find(transition(state, label));
  return known == cache_->several.end() ? std::span<const StateId>{} : std::span<const StateId>(known->second);
}

std::size_t InterningMachine::memory() const {
  return cache_->next.capacity() * (sizeof(std::uint64_t) + sizeof(StateId) + 5) +
         cache_->several.capacity() * (sizeof(std::uint64_t) + sizeof(std::vector<StateId>) + 1) +
         cache_->several_states * sizeof(StateId);
}

}  // namespace porpentine::detail
