#include "counter_machine.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace porpentine::detail {

StateId CounterMachine::step(StateId state, Label label) {
  const What& what = labels_[label];
  const WideInteger before = sums_[state].number;
  if (what.reads) return before == what.number ? state : kRefused;
  return sums_.add({before + what.number});
}

bool CounterMachine::viable(StateId state, Label label) {
  const WideInteger& seen = labels_[label].number;
  return seen >= least_sum_ && seen <= most_sum_ && !passed(sums_[state].number, seen);
}

bool CounterMachine::passed(const WideInteger& sum, const WideInteger& seen) const {
  return (rises_only_ && sum > seen) || (falls_only_ && sum < seen);
}

std::size_t CounterMachine::memory() const {
  return labels_.memory() + sums_.memory() + traits_.capacity() * sizeof(LabelTraits);
}

class CounterBinder {
 public:
  Bound bind(std::span<const CounterOperation> operations) {
    for (const CounterOperation& operation : operations) gather(operation);
    Bound bound;
    bound.labels.reserve(operations.size());
    for (const CounterOperation& operation : operations) bound.labels.push_back(label(operation));
    bound.machine = std::move(machine_);
    return bound;
  }

 private:
  void gather(const CounterOperation& operation) {
    CounterMachine& machine = *machine_;
    const WideInteger& number = operation.number;
    if (operation.kind == CounterKind::add) {
      const bool falls = number < WideInteger{};
      machine.rises_only_ = machine.rises_only_ && !falls;
      machine.falls_only_ = machine.falls_only_ && number <= WideInteger{};
      WideInteger& sum = falls ? machine.least_sum_ : machine.most_sum_;
      sum = sum + number;
    } else if (operation.kind == CounterKind::read) {
      least_read_ = is_read_ ? std::min(least_read_, number) : number;
      most_read_ = is_read_ ? std::max(most_read_, number) : number;
      is_read_ = true;
    }
  }

  Label label(const CounterOperation& operation) {
    const bool reads = operation.kind == CounterKind::read;
    const bool adds = operation.kind == CounterKind::add && !unnoticed(operation);
    if (!reads && !adds) return kIrrelevant;
    CounterMachine& machine = *machine_;
    const IdTable::Found found = machine.labels_.find_or_add({reads, operation.indeterminate, operation.number});
    if (!found.added) return found.id;
    LabelTraits traits;
    traits.read_only = reads;
    traits.bounded = reads;
    if (adds) traits.touches = std::uint64_t{1} << (additions_++ % 64);
    machine.traits_.push_back(traits);
    return found.id;
  }

  /// Whether every order with the addition is one without it.
  [[nodiscard]] bool unnoticed(const CounterOperation& addition) const {
    if (!is_read_ || addition.number == WideInteger{}) return true;
    const bool leads_beyond = machine_->passed(addition.number, machine_->rises_only_ ? most_read_ : least_read_);
    return addition.indeterminate && leads_beyond;
  }

  std::unique_ptr<CounterMachine> machine_ = std::make_unique<CounterMachine>();
  bool is_read_ = false;
  WideInteger least_read_ = {};
  WideInteger most_read_ = {};
  std::uint32_t additions_ = 0;  // different ones
};

Bound bind_counter(std::span<const CounterOperation> operations) { return CounterBinder().bind(operations); }

}  // namespace porpentine::detail
