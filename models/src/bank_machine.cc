#include "bank_machine.h"

namespace porpentine::detail {

BankMachine::BankMachine(std::span<const std::uint64_t> balances) : last_read_(balances.begin(), balances.end()) {
  balances_.add(0);
  for (std::uint32_t account = 0; account < balances.size(); ++account) {
    total_ += balances[account];
    initial_ = with_balance(initial_, account, balances[account]);
  }
  last_read_state_ = initial_;
}

Label BankMachine::add(const BankOperation& operation) {
  if (operation.kind == BankKind::nothing) return kIrrelevant;
  if (operation.kind == BankKind::read) return read(operation.balances);
  if (irrelevant(operation)) return kIrrelevant;
  return labelled({operation.kind, operation.from, operation.to, operation.amount});
}

/// Whether an operation is accepted everywhere and changes nothing.
bool BankMachine::irrelevant(const BankOperation& operation) const {
  const bool possible = operation.amount <= total_;
  switch (operation.kind) {
    case BankKind::transfer:
      return operation.amount == 0;
    case BankKind::refusal:
      return !possible;
    default:
      return operation.amount == 0 || operation.from == operation.to || !possible;
  }
}

/// Reads that follow one another show nearly the same, so each state is made of the last one.
Label BankMachine::read(std::span<const std::uint64_t> balances) {
  bool possible = !balances.empty();
  std::uint64_t left = total_;
  for (const std::uint64_t balance : balances) {
    possible = possible && balance <= left;
    left -= balance;
  }
  if (!possible || left != 0) return labelled({BankKind::read, 0, 0, kNever});
  for (std::uint32_t account = 0; account < balances.size(); ++account) {
    if (balances[account] == last_read_[account]) continue;
    last_read_[account] = balances[account];
    last_read_state_ = with_balance(last_read_state_, account, balances[account]);
  }
  return labelled({BankKind::read, 0, 0, last_read_state_});
}

Label BankMachine::labelled(const What& what) {
  const IdTable::Found found = labels_.find_or_add(what);
  if (!found.added) return found.id;
  LabelTraits traits;
  const bool is_read = what.kind == BankKind::read;
  traits.read_only = is_read || what.kind == BankKind::refusal || what.from == what.to;
  traits.bounded = !viable(initial_, found.id);
  if (!is_read) traits.touches = std::uint64_t{1} << (what.from % 64) | std::uint64_t{1} << (what.to % 64);
  traits_.push_back(traits);
  return found.id;
}

StateId BankMachine::step(StateId state, Label label) {
  const What& what = labels_[label];
  if (what.kind == BankKind::read) return state == what.amount ? state : kRefused;
  const std::uint64_t source = balance(state, what.from);
  const bool enough = source >= what.amount;
  if (what.kind == BankKind::refusal) return enough ? kRefused : state;
  if (!enough) return what.kind == BankKind::attempt ? state : kRefused;
  if (what.from == what.to) return state;
  state = with_balance(state, what.from, source - what.amount);
  return with_balance(state, what.to, balance(state, what.to) + what.amount);
}

/// Some operations can be accepted in no state at all.
bool BankMachine::viable(StateId, Label label) {
  const What& what = labels_[label];
  switch (what.kind) {
    case BankKind::read:
      return what.amount != kNever;
    case BankKind::refusal:
      return what.amount != 0;
    default:
      return what.amount <= total_;
  }
}

std::size_t BankMachine::memory() const {
  return balances_.memory() + states_.memory() + labels_.memory() + last_read_.capacity() * sizeof(std::uint64_t) +
         traits_.capacity() * sizeof(LabelTraits);
}

}  // namespace porpentine::detail
