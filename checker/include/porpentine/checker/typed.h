// The entry for models of your own: a thin template that interns the user's states, over the one engine.
//
// Include porpentine/checker/check.h; porpentine/models/model.h tells how to write a model.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <porpentine/checker/engine.h>
#include <porpentine/checker/interning_machine.h>
#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>
#include <porpentine/models/model.h>

namespace porpentine {
namespace detail {

template <typename T>
concept Hashable = requires(const T& value) {
  { std::hash<T>{}(value) } -> std::convertible_to<std::size_t>;
};
template <typename T>
concept Ordered = requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
};
template <typename M>
concept HashesStates = requires(const M& model, const typename M::State& state) {
  { model.hash(state) } -> std::convertible_to<std::size_t>;
};
template <typename M>
concept ComparesStates = requires(const M& model, const typename M::State& state) {
  { model.equal(state, state) } -> std::convertible_to<bool>;
};
template <typename M>
concept KnowsReadOnly = requires(const M& model, const typename M::Input& input) {
  { model.read_only(input) } -> std::convertible_to<bool>;
};
template <typename M>
concept KnowsTouches = requires(const M& model, const typename M::Input& input) {
  { model.touches(input) } -> std::convertible_to<std::uint64_t>;
};
template <typename M>
concept KnowsViable = requires(const M& model, const typename M::State& state, const typename M::Input& input,
                               const typename M::Output& output) {
  { model.viable(state, input, output) } -> std::convertible_to<bool>;
};
template <typename M>
concept Partitions = requires(const M& model, const typename M::Input& input) {
  model.partition_key(input);
};
template <typename M>
concept DescribesStates = requires(const M& model, const typename M::State& state) {
  { model.describe(state) } -> std::convertible_to<std::string>;
};
template <typename M>
concept DescribesOperations = requires(const M& model, const typename M::Input& input,
                                       const std::optional<typename M::Output>& output) {
  { model.describe(input, output) } -> std::convertible_to<std::string>;
};

template <Model M>
bool equal_states(const M& model, const typename M::State& a, const typename M::State& b) {
  if constexpr (ComparesStates<M>) {
    return model.equal(a, b);
  } else {
    return a == b;
  }
}

/// The user's states, each once. Look-ups by hash where there is one, by order where there is that, else one by one.
template <Model M>
class StateTable {
 public:
  using State = typename M::State;

  StateTable(const M& model, bool test_promises) : model_(model), test_promises_(test_promises) {}

  StateId intern(State state) {
    if constexpr (HashesStates<M>) {
      return intern_hashed(std::move(state), [this](const State& s) { return std::size_t{model_.hash(s)}; });
    } else if constexpr (Hashable<State> && !ComparesStates<M>) {
      return intern_hashed(std::move(state), std::hash<State>{});
    } else if constexpr (Ordered<State> && !ComparesStates<M>) {
      const auto [found, fresh] = ordered_.try_emplace(state, static_cast<StateId>(states_.size()));
      if (fresh) states_.push_back(std::move(state));
      return found->second;
    } else {
      for (std::size_t id = 0; id < states_.size(); ++id) {
        if (equal_states(model_, states_[id], state)) return static_cast<StateId>(id);
      }
      return append(std::move(state));
    }
  }
  const State& operator[](StateId id) const { return states_[id]; }
  [[nodiscard]] std::size_t memory() const { return states_.size() * (sizeof(State) + 48); }

 private:
  template <typename Hash>
  StateId intern_hashed(State state, const Hash& hash) {
    const std::size_t key = hash(state);
    const auto [first, last] = hashed_.equal_range(key);
    for (auto it = first; it != last; ++it) {
      if (equal_states(model_, states_[it->second], state)) return it->second;
    }
    if (test_promises_) {
      for (const State& other : states_) {
        if (equal_states(model_, other, state)) {
          throw std::logic_error("the model breaks its promise of hash: equal states have different hashes");
        }
      }
    }
    hashed_.emplace(key, static_cast<StateId>(states_.size()));
    return append(std::move(state));
  }
  StateId append(State state) {
    states_.push_back(std::move(state));
    return static_cast<StateId>(states_.size() - 1);
  }

  const M& model_;
  bool test_promises_;
  std::vector<State> states_;
  std::unordered_multimap<std::size_t, StateId> hashed_;
  struct Nothing {};
  std::conditional_t<Ordered<State>, std::map<State, StateId>, Nothing> ordered_;
};

/// Labels for operations: equal ones share one where Input and Output can be ordered (a defaulted <=> will do).
template <Model M>
class LabelTable {
 public:
  Label label(std::uint32_t index, const typename M::Input& input, const std::optional<typename M::Output>& output) {
    Label next = static_cast<Label>(examples_.size());
    if constexpr (Ordered<typename M::Input> && Ordered<typename M::Output>) {
      next = labels_.try_emplace(std::pair(input, output), next).first->second;
    }
    if (next == examples_.size()) examples_.push_back(index);
    return next;
  }
  /// For each label the index of an operation that has it.
  [[nodiscard]] const std::vector<std::uint32_t>& examples() const { return examples_; }

 private:
  struct Less {
    using Key = std::pair<typename M::Input, std::optional<typename M::Output>>;
    bool operator()(const Key& a, const Key& b) const {
      if (a.first < b.first) return true;
      if (b.first < a.first) return false;
      if (!a.second || !b.second) return !a.second && b.second;
      return *a.second < *b.second;
    }
  };
  struct Nothing {};
  std::conditional_t<Ordered<typename M::Input> && Ordered<typename M::Output>,
                     std::map<typename Less::Key, Label, Less>, Nothing>
      labels_;
  std::vector<std::uint32_t> examples_;
};

template <Model M>
class TypedMachine final : public InterningMachine {
 public:
  TypedMachine(const M& model, std::span<const Operation<M>> history, bool test_promises)
      : model_(model), history_(history), states_(model, test_promises) {}

  /// The label of an operation, with its output or without.
  Label bind(const BoundOperation& bound) {
    const Operation<M>& operation = history_[bound.operation];
    const std::optional<typename M::Output> output =
        bound.indeterminate ? std::optional<typename M::Output>() : operation.output;
    LabelTraits traits;
    if constexpr (KnowsReadOnly<M>) traits.read_only = model_.read_only(operation.input);
    if (traits.read_only && bound.indeterminate) return kIrrelevant;
    if constexpr (KnowsTouches<M>) traits.touches = model_.touches(operation.input);
    if constexpr (KnowsViable<M>) traits.bounded = output.has_value();
    const Label label = labels_.label(bound.operation, operation.input, output);
    if (label == traits_.size()) {
      traits_.push_back(traits);
      indeterminate_.push_back(bound.indeterminate);
    }
    return label;
  }

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return states_.intern(model_.initial()); }
  [[nodiscard]] bool viable(StateId state, Label label) override {
    if constexpr (KnowsViable<M>) {
      const Operation<M>& operation = history_[labels_.examples()[label]];
      return model_.viable(states_[state], operation.input, *operation.output);
    } else {
      return true;
    }
  }
  [[nodiscard]] std::size_t memory() const override {
    return InterningMachine::memory() + states_.memory() + traits_.capacity() * sizeof(LabelTraits);
  }

 protected:
  void compute(StateId state, Label label, std::vector<StateId>& next) override {
    const Operation<M>& operation = history_[labels_.examples()[label]];
    const typename M::State from = states_[state];  // interning moves the states
    Step<typename M::State> answer = model_.step(
        from, operation.input, indeterminate_[label] ? std::optional<typename M::Output>() : operation.output);
    if (auto* single = answer.single()) {
      next.push_back(states_.intern(std::move(*single)));
    } else if (auto* several = answer.several()) {
      for (typename M::State& successor : *several) next.push_back(states_.intern(std::move(successor)));
    }
  }

 private:
  const M& model_;
  std::span<const Operation<M>> history_;
  StateTable<M> states_;
  LabelTable<M> labels_;
  std::vector<LabelTraits> traits_;
  std::vector<bool> indeterminate_;
};

/// Executes operations as the model says, holding every state that is possible.
template <Model M>
class TypedReplay final : public Replay {
 public:
  TypedReplay(const M& model, std::span<const Operation<M>> history)
      : model_(model), history_(history), states_{model.initial()} {}

  std::optional<std::string> apply(const BoundOperation& bound) override {
    const Operation<M>& operation = history_[bound.operation];
    std::vector<typename M::State> next;
    std::string reason;
    for (const typename M::State& state : states_) {
      Step<typename M::State> answer = model_.step(
          state, operation.input, bound.indeterminate ? std::optional<typename M::Output>() : operation.output);
      if (const Refusal* refusal = answer.refusal()) {
        reason = refusal->reason;
      } else if (auto* single = answer.single()) {
        add(next, std::move(*single));
      } else {
        for (typename M::State& successor : *answer.several()) add(next, std::move(successor));
      }
    }
    if (next.empty()) return reason;
    states_ = std::move(next);
    return std::nullopt;
  }
  [[nodiscard]] std::string state() const override {
    std::string text;
    if constexpr (DescribesStates<M>) {
      for (const typename M::State& state : states_)
        text += (text.empty() ? "" : " or ") + std::string(model_.describe(state));
    }
    return text;
  }

 private:
  void add(std::vector<typename M::State>& states, typename M::State state) const {
    const bool there = std::any_of(states.begin(), states.end(),
                                   [&](const auto& other) { return equal_states(model_, other, state); });
    if (!there) states.push_back(std::move(state));
  }

  const M& model_;
  std::span<const Operation<M>> history_;
  std::vector<typename M::State> states_;
};

/// Operations that can be judged alone, in order of their first one.
template <Model M>
std::vector<Problem::Part> typed_parts(const M& model, std::span<const Operation<M>> history) {
  std::vector<Problem::Part> parts;
  if constexpr (Partitions<M>) {
    std::map<std::decay_t<decltype(model.partition_key(history[0].input))>, std::size_t> by_key;
    for (std::uint32_t i = 0; i < history.size(); ++i) {
      const auto part = by_key.try_emplace(model.partition_key(history[i].input), parts.size()).first->second;
      if (part == parts.size()) parts.emplace_back();
      parts[part].operations.push_back(i);
    }
  } else if (!history.empty()) {
    parts.emplace_back();
    for (std::uint32_t i = 0; i < history.size(); ++i) parts[0].operations.push_back(i);
  }
  return parts;
}

/// Numbers processes densely. Throws InputError for a history that is none: a return before its call, or a process
/// that calls an operation while another of its own is running.
std::vector<Interval> typed_intervals(std::span<const std::int64_t> processes, std::vector<Interval> intervals);

}  // namespace detail

/// Checks operations of a model of your own. Indices in the result are indices into `history`.
/// Throws InputError where `history` is not a history, and whatever the model throws.
template <Model M>
CheckResult check(const M& model, std::span<const Operation<M>> history, const CheckOptions& options = {}) {
  std::vector<std::int64_t> processes;
  std::vector<Interval> intervals;
  processes.reserve(history.size());
  intervals.reserve(history.size());
  for (const Operation<M>& operation : history) {
    processes.push_back(operation.process);
    intervals.push_back({operation.call, operation.ret, 0, !operation.output.has_value()});
  }
  intervals = detail::typed_intervals(processes, std::move(intervals));

  Problem problem;
  problem.intervals = intervals;
  problem.parts = detail::typed_parts(model, history);
  problem.bind = [&](std::span<const BoundOperation> operations) {
    auto machine = std::make_unique<detail::TypedMachine<M>>(model, history, options.test_promises);
    Bound bound;
    bound.labels.reserve(operations.size());
    for (const BoundOperation& operation : operations) bound.labels.push_back(machine->bind(operation));
    bound.machine = std::move(machine);
    return bound;
  };
  problem.replay = [&] { return std::make_unique<detail::TypedReplay<M>>(model, history); };
  problem.describe = [&](std::uint32_t index) {
    const Operation<M>& operation = history[index];
    std::string text = "operation " + std::to_string(index);
    if constexpr (detail::DescribesOperations<M>)
      text += ", " + std::string(model.describe(operation.input, operation.output));
    return text + " by process " + std::to_string(operation.process);
  };
  return solve(problem, options);
}

template <Model M>
CheckResult check(const M& model, const std::vector<Operation<M>>& history, const CheckOptions& options = {}) {
  return check(model, std::span<const Operation<M>>(history), options);
}

}  // namespace porpentine
