// register and cas-register: one value that is read, written, and compared and set.

#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "cas.h"
#include "cell_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kRead, kWrite, kCas };

struct Settings {
  ValueId initial = kNull;
  bool nil_read_any = false;
};

class RegisterReplay final : public ResumableReplay {
 public:
  RegisterReplay(const History& history, const Settings& settings) : history_(history), settings_(settings) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    ValueId& held = registers_.emplace(history_.key[i], settings_.initial).first->second;
    const std::string& f = history_.function_name(i);
    if (f == "write") {
      held = history_.input[i];
      return std::nullopt;
    }
    const ValueId output = history_.output[i];
    if (f == "cas") {
      const auto pair = history_.values.elements(history_.input[i]);
      return cas(held, pair[0], pair[1], operation.indeterminate ? std::nullopt : std::optional(output != kFalse));
    }
    const bool says_nothing = operation.indeterminate || (output == kNull && settings_.nil_read_any);
    if (says_nothing || output == held) return std::nullopt;
    return holds("the register", history_.values, held, output);
  }

  [[nodiscard]] std::string state() const override {
    return shown(history_.values, registers_.empty() ? settings_.initial : registers_.begin()->second);
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        registers_, [&](ValueId held) { return held == settings_.initial; },
        [&](ValueId& held) { archive.value(held); }, settings_.initial);
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const std::string& f = history_.function_name(operation.operation);
    return f == "read" || (f == "cas" && !operation.indeterminate && history_.output[operation.operation] == kFalse);
  }

 private:
  std::optional<std::string> cas(ValueId& held, ValueId from, ValueId to, std::optional<bool> succeeded) {
    const bool matches = held == from;
    if (succeeded && *succeeded != matches) {
      return matches ? "the register holds " + shown(history_.values, held) + ", so the comparison can't have failed"
                     : holds("the register", history_.values, held, from);
    }
    if (matches) held = to;
    return std::nullopt;
  }

  const History& history_;
  Settings settings_;
  std::map<ValueId, ValueId> registers_;  // by key: operations of one partition have one
};

class RegisterSpecification final : public BasicSpecification {
 public:
  RegisterSpecification(const std::string& name, const Settings& settings)
      : BasicSpecification(name, {"read", "write", "cas"}), settings_(settings) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<CellOperation> cells;
    cells.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      cells.push_back(decoded(history, operation, kind_of[history.function[operation.operation]]));
    }
    BoundCell bound = bind_cell(history.values, cells, settings_.initial);
    return {std::move(bound.machine), std::move(bound.labels)};
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<RegisterReplay>(history, settings_);
  }

  [[nodiscard]] Vocabulary vocabulary(const History& history) const override {
    return {ObjectKind::reg, words<RegisterWord>(history, {RegisterWord::read, RegisterWord::write, RegisterWord::cas}),
            settings_.initial, settings_.nil_read_any};
  }

 private:
  [[nodiscard]] CellOperation decoded(const History& history, const BoundOperation& operation,
                                      std::uint8_t kind) const {
    const std::uint32_t i = operation.operation;
    const ValueId output = history.output[i];
    switch (kind) {
      case kWrite:
        return {CellKind::write, operation.indeterminate, history.input[i]};
      case kCas:
        return decoded_cas(history, operation);
      default:
        if (operation.indeterminate || (output == kNull && settings_.nil_read_any)) return {};
        return {CellKind::read, false, output};
    }
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    return kind == kCas ? cas_complaint(history, operation) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    return kind == kCas ? cas_output_complaint(history, operation) : std::nullopt;
  }

  Settings settings_;
};

std::vector<ModelOption> register_options() {
  return {{"initial", "VALUE", "What the register holds at first; null by default."},
          {"nil-read", "any", "A read that returned null says nothing."}};
}

}  // namespace

ModelInfo register_info() {
  return {"register", "A register: a read returns what was last written.",
          "read -> v or null; write (v); cas ([old, new]) -> true, false, or null = true", register_options(),
          R"({"process": 0, "f": "cas", "input": [1, 2], "output": true, "call": 10, "return": 20})"};
}

ModelInfo cas_register_info() {
  ModelInfo info = register_info();
  info.name = "cas-register";
  info.summary = "Knossos's register: register:nil-read=any.";
  return info;
}

std::unique_ptr<Specification> make_register(const ModelOptions& options, ValueTable& values) {
  const Settings settings{options.json("initial", values), options.is_on("nil-read")};
  return std::make_unique<RegisterSpecification>(options.text(), settings);
}

std::unique_ptr<Specification> make_cas_register(const ModelOptions& options, ValueTable& values) {
  return std::make_unique<RegisterSpecification>(options.text(), Settings{options.json("initial", values), true});
}

}  // namespace porpentine::detail
