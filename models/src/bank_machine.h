// Accounts between which amounts are transferred.
//
// A state is a PersistentArray of the accounts' balances, each by the number under which it was first met, so that
// reading all balances compares one id. A transfer touches its two accounts, a read all of them.
//
// Transfers leave the total as it is: more than that no account ever holds, and a read of any other total can't be
// accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <porpentine/models/machine.h>
#include <porpentine/models/persistent_array.h>

#include "dense_ids.h"

namespace porpentine::detail {

enum class BankKind : std::uint8_t {
  nothing,   ///< accepted everywhere, changes nothing
  transfer,  ///< was done
  refusal,   ///< of a transfer, because the source held too little
  attempt,   ///< a transfer that was done, or refused, or nothing
  read,
};

struct BankOperation {
  BankKind kind = BankKind::nothing;
  std::uint32_t from = 0;  ///< number of the account
  std::uint32_t to = 0;
  std::uint64_t amount = 0;
  /// What a read showed, by account. Empty where one of them can't be a balance.
  std::span<const std::uint64_t> balances = {};
};

class BankMachine final : public Machine {
 public:
  /// The balances at first; there are some, and they add up to less than 2^64.
  explicit BankMachine(std::span<const std::uint64_t> balances);

  /// The label of an operation; all of them, before anything else.
  Label add(const BankOperation& operation);

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return initial_; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  using Root = PersistentArray::Root;

  struct What {
    BankKind kind = BankKind::nothing;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t amount = 0;  // of a read: the state that it shows, or kNever
    bool operator==(const What&) const = default;
    friend std::uint64_t hash_of(const What& what) {
      return mix(mix(std::uint64_t{what.from} << 32 | what.to, what.amount), static_cast<std::uint64_t>(what.kind));
    }
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  Label read(std::span<const std::uint64_t> balances);
  [[nodiscard]] bool irrelevant(const BankOperation& operation) const;
  Label labelled(const What& what);
  [[nodiscard]] std::uint64_t balance(StateId state, std::uint32_t account) const {
    return balances_[states_.get(state, account)];
  }
  [[nodiscard]] Root with_balance(Root state, std::uint32_t account, std::uint64_t balance) {
    return states_.set(state, account, balances_.add(balance));
  }

  std::uint64_t total_ = 0;
  DenseIds<std::uint64_t> balances_;
  PersistentArray states_;
  Root initial_ = PersistentArray::kZeros;
  std::vector<std::uint64_t> last_read_;  // balances of the state last_read_state_
  Root last_read_state_ = PersistentArray::kZeros;
  DenseIds<What> labels_;
  std::vector<LabelTraits> traits_;
};

}  // namespace porpentine::detail
