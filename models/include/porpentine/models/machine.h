// What the search sees of a model: dense ids of states and of kinds of operations.
//
// A Machine is one sequential object, bound to the operations of one partition of a history. It is stateless
// apart from its tables: a state is an id, and `step` answers where a kind of operation leads from there.
// Everything that the search may exploit (what only reads, what commutes, what can never happen any more)
// is declared in LabelTraits, and each declaration is a promise that check's debug mode tests.
//
// Operations that behave alike share a **label**: the same input and the same observed output, or the same
// input and an unknown output. Operations with one label are interchangeable for the search.
//
// Thread safety: none; each search has a machine of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace porpentine {

using StateId = std::uint32_t;
using Label = std::uint32_t;
using Token = std::uint32_t;

inline constexpr StateId kRefused = 0xffffffff;  ///< step: the operation can't happen in this state
inline constexpr StateId kSeveral = 0xfffffffe;  ///< step: more than one next state, see successors()
inline constexpr Token kNoToken = 0xffffffff;
/// Label of an operation that can be left out: whatever order there is, there is one without it.
inline constexpr Label kIrrelevant = 0xffffffff;

/// What a label promises. The defaults promise nothing.
struct LabelTraits {
  /// Where it is accepted it leaves the state as it was.
  bool read_only = false;
  /// It is accepted in every state and leads to one and the same state from all of them.
  bool overwrites = false;
  /// viable() has something to say about this label.
  bool bounded = false;
  /// The parts of the state that it reads or writes, as a set of up to 64 (hash them where there are more):
  /// two labels without a common part commute.
  std::uint64_t touches = ~std::uint64_t{0};
  /// For states that show one token at a time: the token that the state must show for this label to be
  /// accepted, and the only token that the state can show after it has changed the state.
  Token needs = kNoToken;
  Token makes = kNoToken;
};

class Machine {
 public:
  Machine() = default;
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;  // states are ids into tables that only one machine owns
  Machine& operator=(const Machine&) = delete;

  [[nodiscard]] virtual std::span<const LabelTraits> labels() const = 0;
  [[nodiscard]] virtual StateId initial() = 0;
  /// The next state, kRefused, or kSeveral. A label of an operation with an unknown output answers with the
  /// state after it took effect, whatever it returned then; kRefused where it can't take effect.
  [[nodiscard]] virtual StateId step(StateId state, Label label) = 0;
  /// The next states, where step answered kSeveral. Valid until the next call of a member.
  [[nodiscard]] virtual std::span<const StateId> successors(StateId, Label) { return {}; }
  /// Whether `label` can still be accepted in any state that any operations whatever lead to from `state`.
  /// Asked only of labels that are `bounded`.
  [[nodiscard]] virtual bool viable(StateId, Label) { return true; }
  /// Whether the states show tokens, so that LabelTraits::needs and makes may be used.
  [[nodiscard]] virtual bool has_tokens() const { return false; }
  [[nodiscard]] virtual Token token(StateId) const { return kNoToken; }
  /// Bytes on the heap.
  [[nodiscard]] virtual std::size_t memory() const = 0;
};

/// A machine with the labels of the operations that it was bound to.
struct Bound {
  std::unique_ptr<Machine> machine;
  std::vector<Label> labels;  ///< one for each operation given to bind(); kIrrelevant ones are left out
};

}  // namespace porpentine
