// Models of your own: the concept that porpentine::check takes.
//
// A model is a small value type that says what each operation may answer if operations happened one after
// the other:
//
//     struct Register {
//       using State = int;
//       struct Input { bool is_write; int value; };
//       using Output = int;
//       State initial() const { return 0; }
//       porpentine::Step<State> step(const State& state, const Input& input, const std::optional<int>& output) const {
//         if (input.is_write) return input.value;
//         if (output && *output != state) return porpentine::refuse("it holds " + std::to_string(state));
//         return state;
//       }
//     };
//
// `output` is empty for an operation whose outcome nobody knows: answer with the state (or the states) after it
// took effect. Returning a state accepts; `refuse(reason)` refuses; a std::vector<State> accepts with
// several possible next states, for nondeterministic models; an empty one refuses.
//
// Optional members, each a promise that CheckOptions::test_promises tests:
//
//     bool read_only(const Input&) const            it never changes the state
//     K partition_key(const Input&) const           operations with different keys are independent; K has < and ==
//     std::uint64_t touches(const Input&) const     the parts of the state it concerns, as a set of 64 bits:
//                                                   operations without a common part commute
//     bool viable(const State&, const Input&, const Output&) const
//                                                   false: from here on nothing can lead to that observation
//     bool equal(const State&, const State&) const  instead of ==
//     std::size_t hash(const State&) const          instead of std::hash; it must agree with equality
//     std::string describe(const State&) const
//     std::string describe(const Input&, const std::optional<Output>&) const
//
// A State needs == or equal. With hash or std::hash look-ups are O(1); with < they are O(log n); with neither
// they are linear, which only very small state spaces bear. Exceptions that a model throws arrive at the
// caller of check.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace porpentine {

/// Why a model doesn't accept an operation.
struct Refusal {
  std::string reason;
};

/// Refuses, with a reason in words that follow "where": `the register holds 3`.
[[nodiscard]] inline Refusal refuse(std::string reason = {}) { return Refusal{std::move(reason)}; }

/// What a step answers: one next state, several, or a refusal.
template <typename State>
class Step {
 public:
  Step(State next) : answer_(std::in_place_index<0>, std::move(next)) {}               // NOLINT: implicit on purpose
  Step(std::vector<State> next) : answer_(std::in_place_index<1>, std::move(next)) {}  // NOLINT: implicit on purpose
  Step(Refusal refusal) : answer_(std::in_place_index<2>, std::move(refusal)) {}       // NOLINT: implicit on purpose

  /// The one next state, or null.
  [[nodiscard]] State* single() { return std::get_if<0>(&answer_); }
  /// The several next states, or null.
  [[nodiscard]] std::vector<State>* several() { return std::get_if<1>(&answer_); }
  [[nodiscard]] const Refusal* refusal() const { return std::get_if<2>(&answer_); }

 private:
  std::variant<State, std::vector<State>, Refusal> answer_;
};

template <typename M>
concept Model = requires(const M& model, const typename M::State& state, const typename M::Input& input,
                         const std::optional<typename M::Output>& output) {
  { model.initial() } -> std::convertible_to<typename M::State>;
  { model.step(state, input, output) } -> std::convertible_to<Step<typename M::State>>;
};

/// One operation of a history for a model of your own. Times are any 64-bit integers of one clock.
template <Model M>
struct Operation {
  std::int64_t process = 0;  ///< the client; its operations are ordered even where their times tie
  typename M::Input input;
  std::optional<typename M::Output> output;  ///< empty: indeterminate (it may have happened, or not)
  std::int64_t call = 0;
  std::int64_t ret = 0;  ///< when it returned; ignored where output is empty
};

}  // namespace porpentine
