// bank: accounts between which amounts are transferred, none of which goes below zero.

#include <map>
#include <utility>

#include "bank_machine.h"
#include "basic_specification.h"
#include "builtin_models.h"
#include "dense_ids.h"
#include "wide_integer.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kTransfer, kRead };

struct Accounts {
  DenseIds<ValueId> names;              // their numbers
  std::vector<std::uint64_t> balances;  // at first, by number

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(balances.size()); }
};

/// What a transfer says, as far as it does.
struct Transfer {
  std::optional<std::uint32_t> from = {};
  std::optional<std::uint32_t> to = {};
  std::optional<std::uint64_t> amount = {};
};

std::optional<std::uint32_t> find_account(const ValueTable& values, const Accounts& accounts, ValueId named) {
  // Histories of Jepsen number their accounts.
  const bool is_number = as_wide_integer(values, named).has_value();
  const std::optional<ValueId> name = is_number ? values.find_string(values.to_json(named)) : named;
  const std::uint32_t number = name ? accounts.names.find(*name) : kAbsent;
  return number == kAbsent ? std::nullopt : std::optional(number);
}

/// A member of an object; null where there is none.
ValueId member(const ValueTable& values, ValueId object, std::string_view name) {
  if (values.kind(object) != ValueKind::object) return kNull;
  const auto members = values.elements(object);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    if (values.as_string(members[i]) == name) return members[i + 1];
  }
  return kNull;
}

Transfer parse_transfer(const ValueTable& values, const Accounts& accounts, ValueId input) {
  return {find_account(values, accounts, member(values, input, "from")),
          find_account(values, accounts, member(values, input, "to")),
          values.as_uint64(member(values, input, "amount"))};
}

class BankReplay final : public ResumableReplay {
 public:
  BankReplay(const History& history, const Accounts& accounts) : history_(history), accounts_(accounts) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    std::vector<std::uint64_t>& balances = balances_of(history_.key[i]);
    if (history_.function_name(i) == "read") {
      return operation.indeterminate ? std::nullopt : read(balances, history_.output[i]);
    }
    const Transfer transfer = parse_transfer(history_.values, accounts_, history_.input[i]);
    std::uint64_t& source = balances[*transfer.from];
    const bool enough = source >= *transfer.amount;
    const bool said_enough = history_.output[i] != kFalse;
    if (!operation.indeterminate && enough != said_enough) return holds_amount(*transfer.from, source);
    if (enough) {
      source -= *transfer.amount;
      balances[*transfer.to] += *transfer.amount;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string state() const override {
    std::string text;
    for (std::uint32_t number = 0; number < accounts_.size(); ++number) {
      const std::uint64_t balance = banks_.empty() ? accounts_.balances[number] : banks_.begin()->second[number];
      text +=
          (text.empty() ? "" : ", ") + shown(history_.values, accounts_.names[number]) + ": " + std::to_string(balance);
    }
    return "{" + text + "}";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        banks_, [&](const std::vector<std::uint64_t>& balances) { return balances == accounts_.balances; },
        [&](std::vector<std::uint64_t>& balances) {
          for (std::uint64_t& balance : balances) archive.number(balance);
        },
        accounts_.balances);
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const bool is_read = history_.function_name(operation.operation) == "read";
    return is_read || (!operation.indeterminate && history_.output[operation.operation] == kFalse);
  }

 private:
  std::vector<std::uint64_t>& balances_of(ValueId key) {
    return banks_.try_emplace(key, accounts_.balances).first->second;
  }

  [[nodiscard]] std::optional<std::string> read(const std::vector<std::uint64_t>& balances, ValueId output) const {
    const auto members = history_.values.elements(output);
    for (std::size_t i = 0; i < members.size(); i += 2) {
      const std::uint32_t number = *find_account(history_.values, accounts_, members[i]);
      if (history_.values.as_uint64(members[i + 1]) != balances[number]) return holds_amount(number, balances[number]);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string holds_amount(std::uint32_t number, std::uint64_t balance) const {
    return "account " + shown(history_.values, accounts_.names[number]) + " holds " + std::to_string(balance);
  }

  const History& history_;
  const Accounts& accounts_;
  std::map<ValueId, std::vector<std::uint64_t>> banks_;  // by key: operations of one partition have one
};

class BankSpecification final : public BasicSpecification {
 public:
  BankSpecification(const std::string& name, Accounts accounts)
      : BasicSpecification(name, {"transfer", "read"}), accounts_(std::move(accounts)) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<std::uint64_t> balances = accounts_.balances;
    auto machine = std::make_unique<BankMachine>(balances);
    Bound bound;
    bound.labels.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      const bool transfers = kind_of[history.function[operation.operation]] == kTransfer;
      bound.labels.push_back(
          machine->add(transfers ? decoded_transfer(history, operation) : decoded_read(history, operation, balances)));
    }
    bound.machine = std::move(machine);
    return bound;
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<BankReplay>(history, accounts_);
  }

 private:
  [[nodiscard]] BankOperation decoded_transfer(const History& history, const BoundOperation& operation) const {
    const std::uint32_t i = operation.operation;
    const Transfer transfer = parse_transfer(history.values, accounts_, history.input[i]);
    const bool refused = !operation.indeterminate && history.output[i] == kFalse;
    const BankKind kind = operation.indeterminate ? BankKind::attempt
                          : refused               ? BankKind::refusal
                                                  : BankKind::transfer;
    return {kind, *transfer.from, *transfer.to, *transfer.amount};
  }

  /// `balances` holds what was read, where it can be a balance.
  [[nodiscard]] BankOperation decoded_read(const History& history, const BoundOperation& operation,
                                           std::vector<std::uint64_t>& balances) const {
    if (operation.indeterminate) return {};
    BankOperation read{BankKind::read};
    const auto members = history.values.elements(history.output[operation.operation]);
    for (std::size_t k = 0; k < members.size(); k += 2) {
      const auto balance = history.values.as_uint64(members[k + 1]);
      if (!balance) return read;
      balances[*find_account(history.values, accounts_, members[k])] = *balance;
    }
    read.balances = balances;
    return read;
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    if (kind == kRead) return std::nullopt;
    const ValueTable& values = history.values;
    const ValueId input = history.input[operation];
    const auto is_missing = [&](const char* name) { return member(values, input, name) == kNull; };
    const Transfer transfer = parse_transfer(values, accounts_, input);
    if (is_missing("from") || is_missing("to") || !transfer.amount) {
      return takes("transfer", R"({"from": account, "to": account, "amount": a non-negative integer})", values, input);
    }
    if (!transfer.from) return unknown_account(values, member(values, input, "from"));
    if (!transfer.to) return unknown_account(values, member(values, input, "to"));
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueTable& values = history.values;
    const ValueId output = history.output[operation];
    if (kind == kRead) return read_complaint(values, output);
    if (output == kTrue || output == kFalse || output == kNull) return std::nullopt;
    return returns("transfer", "true or false", values, output);
  }

  /// A balance below zero is a violation, not an input error.
  [[nodiscard]] std::optional<std::string> read_complaint(const ValueTable& values, ValueId output) const {
    constexpr const char* kShape = "{account: balance, an integer}";
    if (values.kind(output) != ValueKind::object) return returns("read", kShape, values, output);
    const auto members = values.elements(output);
    for (std::size_t i = 0; i < members.size(); i += 2) {
      if (!find_account(values, accounts_, members[i])) return unknown_account(values, members[i]);
      if (!as_wide_integer(values, members[i + 1])) return returns("read", kShape, values, output);
    }
    if (members.size() / 2 == accounts_.size()) return std::nullopt;
    std::uint32_t missing = 0;
    while (member(values, output, *values.as_string(accounts_.names[missing])) != kNull) ++missing;
    return "read returns the balances of all accounts, and account " + shown(values, accounts_.names[missing]) +
           " is missing";
  }

  [[nodiscard]] std::string unknown_account(const ValueTable& values, ValueId name) const {
    std::vector<std::string> names;
    for (std::uint32_t number = 0; number < accounts_.size(); ++number) {
      names.push_back(shown(values, accounts_.names[number]));
    }
    return "there is no account " + shown(values, name) + " (there are " + list(names) + ")";
  }

  Accounts accounts_;
};

constexpr const char* kOptions = R"(:accounts={"a":100,"b":0})";

Result<Accounts> accounts_of(const ModelOptions& options, ValueTable& values) {
  const auto error = [](const std::string& message) {
    return Error{ErrorCode::usage, message + ", as in bank" + kOptions};
  };
  const ValueId option = options.json("accounts", values);
  if (option == kNull) return error("the model bank needs its accounts and what they hold at first");
  const auto members = values.elements(option);
  if (values.kind(option) != ValueKind::object || members.empty()) {
    return error("the option accounts of the model bank is an object of balances, not " + shown(values, option));
  }
  Accounts accounts;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < members.size(); i += 2) {
    const auto balance = values.as_uint64(members[i + 1]);
    const std::string subject = "account " + shown(values, members[i]) + " of the model bank";
    if (!balance) return error(subject + " holds a non-negative integer, not " + shown(values, members[i + 1]));
    total += *balance;
    if (total < *balance) return error("the accounts of the model bank hold 2^64 or more together");
    accounts.names.add(members[i]);
    accounts.balances.push_back(*balance);
  }
  return accounts;
}

}  // namespace

ModelInfo bank_info() {
  return {
      "bank",
      "Accounts between which amounts are transferred, none of which goes below zero.",
      R"(transfer ({"from": account, "to": account, "amount": n}) -> true, false = the source holds less, or null = )"
      R"(true; read -> {account: balance, ...}, all of them)",
      {{"accounts", "VALUE", R"(What each account holds at first, as in {"a":100,"b":0}; required.)"}},
      R"({"process": 0, "f": "transfer", "input": {"from": "a", "to": "b", "amount": 5}, "output": true, )"
      R"("call": 10, "return": 20})",
      kOptions};
}

std::optional<Error> bank_options_error(const ModelOptions& options, ValueTable& values) {
  const Result<Accounts> accounts = accounts_of(options, values);
  return accounts ? std::nullopt : std::optional(accounts.error());
}

std::unique_ptr<Specification> make_bank(const ModelOptions& options, ValueTable& values) {
  return std::make_unique<BankSpecification>(options.text(), accounts_of(options, values).value());
}

}  // namespace porpentine::detail
