// What the machines of queue, stack, bag and priority-queue have in common: values are put in and taken out.
//
// All ok operations of a binding are in every order, so what they took is **evidence**:
//
// - A value that no ok operation took is **loose**. Nothing tells loose values apart that nothing taken lies between.
//   A put of one with an unknown outcome is irrelevant: either nobody took the value, or an operation did whose own
//   outcome is unknown, and leaving out both changes nothing for the others. Nobody needs it there, and an empty
//   result can't have come while it was.
// - A value that ok operations took as often as it is put at all (they are all that may be in an order) **must** be
//   taken by them each time; one that is put more often is **spare**. An operation with an unknown outcome can't have
//   taken a value that must be taken by others: such a step is refused, though replay goes on to a dead end.
// - A value that ok operations took more often than it is put has no order at all. Where that, or what comes below, is
//   so, every step is refused: a search need not try all that could come before.
// - The takes of a value say when it is there: no copy of it is taken before the first call of one, and where it must
//   be taken, each copy is by the last return. So the machines of queues and stacks refuse to put a value where it
//   would be taken too late, or would keep another from being taken in time. A search that keeps to real time would
//   find out later, after it has tried every order of what was put in between.
// - An empty result during all of which some value was there has no place in any order; and neither has a value of a
//   queue all of whose takes returned before the first call for one that was put in before it.
//
// The last two look at times, which no other part of a machine does: at returns of ok operations before calls, which
// the search puts in this order too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>

namespace porpentine::detail {

/// Which value is taken.
enum class Discipline : std::uint8_t { first_in, last_in, any, least };

struct ContainerOperation {
  bool puts = false;
  bool indeterminate = false;
  ValueId value = kNull;  ///< that was put, or that was seen to be taken; null where it was found empty
  std::int64_t call = 0;
  std::int64_t ret = 0;  ///< meaningless where indeterminate
};

/// Operations as a machine sees them.
struct ContainerBinding {
  enum class Act : std::uint8_t {
    put,
    take,
    find_empty,
    lose,   // a take with an unknown outcome
    never,  // has no place in any order, so that there is none
  };
  struct What {
    Act act = Act::never;
    std::uint32_t value = 0;  // of put and take: its class
  };
  static constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();

  /// Values that nothing tells apart.
  struct Class {
    bool loose = false;
    bool spare = false;                   // loose ones are, too
    std::int64_t taken_from = kEarliest;  // in no order any of them is taken before that
    std::int64_t taken_by = kLatest;      // in every order each of them is taken by then
  };

  std::vector<What> what;  // by label
  std::vector<LabelTraits> traits;
  /// Least: in rising order. Else the spare ones stand before those that must be taken.
  std::vector<Class> classes;
  std::uint32_t spare_classes = 0;
  bool impossible = false;    // whether an operation has label `never`
  std::uint32_t loses = 0;    // operations with label `lose`
  std::vector<Label> labels;  // by operation
};

/// O(n + v log v), v values being there.
ContainerBinding bind_container(Discipline discipline, const ValueTable& values,
                                std::span<const ContainerOperation> operations);

class ContainerMachine : public Machine {
 public:
  explicit ContainerMachine(ContainerBinding binding) : binding_(std::move(binding)) {}

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return binding_.traits; }
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId state, Label label) final;
  /// Only `never` is bounded.
  [[nodiscard]] bool viable(StateId, Label) final { return false; }
  [[nodiscard]] std::size_t memory() const override;

 protected:
  [[nodiscard]] const ContainerBinding::Class& class_of(std::uint32_t value) const { return binding_.classes[value]; }
  [[nodiscard]] bool is_loose(std::uint32_t value) const { return binding_.classes[value].loose; }
  [[nodiscard]] bool is_spare(std::uint32_t value) const { return binding_.classes[value].spare; }
  [[nodiscard]] std::uint32_t spare_classes() const { return binding_.spare_classes; }
  /// How many takes with an unknown outcome there are, all in all.
  [[nodiscard]] std::uint32_t loses() const { return binding_.loses; }

 private:
  [[nodiscard]] virtual bool is_empty(StateId state) const = 0;
  virtual StateId put(StateId state, std::uint32_t value) = 0;
  /// kRefused where `value` is not what is taken.
  virtual StateId take(StateId state, std::uint32_t value) = 0;
  /// Takes whatever is taken from what is not empty, unless it must be taken by others.
  virtual StateId lose(StateId state) = 0;

  ContainerBinding binding_;
};

}  // namespace porpentine::detail
