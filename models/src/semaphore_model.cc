// semaphore: permits that are acquired and released, by anyone.

#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "semaphore_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAcquire, kRelease };

/// An operation without an input is about one permit.
std::optional<std::uint64_t> permit_count(const ValueTable& values, ValueId input) {
  if (input == kNull) return 1;
  const auto count = values.as_uint64(input);
  return count == std::uint64_t{0} ? std::nullopt : count;
}

std::string counted(std::uint64_t permits) {
  if (permits == 0) return "no permit is";
  return permits == 1 ? "1 permit is" : std::to_string(permits) + " permits are";
}

class SemaphoreReplay final : public ResumableReplay {
 public:
  SemaphoreReplay(const History& history, std::uint64_t permits) : history_(history), permits_(permits) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    std::uint64_t& held = held_[history_.key[i]];
    const std::uint64_t count = *permit_count(history_.values, history_.input[i]);
    if (history_.function_name(i) == "acquire") {
      if (count > permits_ - held) return counted(permits_ - held) + " free";
      held += count;
    } else {
      if (count > held) return counted(held) + " held";
      held -= count;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string state() const override {
    const std::uint64_t held = held_.empty() ? 0 : held_.begin()->second;
    return std::to_string(permits_ - held) + " of " + std::to_string(permits_) + " free";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        held_, [](std::uint64_t held) { return held == 0; }, [&](std::uint64_t& held) { archive.number(held); });
  }
  [[nodiscard]] bool reads_only(const BoundOperation&) const override { return false; }

 private:
  const History& history_;
  std::uint64_t permits_;
  std::map<ValueId, std::uint64_t> held_;  // by key: operations of one partition have one
};

class SemaphoreSpecification final : public BasicSpecification {
 public:
  SemaphoreSpecification(const std::string& name, std::uint64_t permits)
      : BasicSpecification(name, {"acquire", "release"}), permits_(permits) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<SemaphoreOperation> decoded;
    decoded.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      const std::uint32_t i = operation.operation;
      decoded.push_back({kind_of[history.function[i]] == kAcquire, operation.indeterminate,
                         *permit_count(history.values, history.input[i])});
    }
    return bind_semaphore(permits_, decoded);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<SemaphoreReplay>(history, permits_);
  }

 private:
  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t) const override {
    const ValueId input = history.input[operation];
    if (permit_count(history.values, input)) return std::nullopt;
    return takes(history.function_name(operation).c_str(), "a number of permits, a positive integer", history.values,
                 input);
  }

  std::uint64_t permits_;
};

/// A semaphore has one permit unless it is told.
std::optional<std::uint64_t> permits_of(const ModelOptions& options, ValueTable& values) {
  return permit_count(values, options.json("permits", values));
}

}  // namespace

ModelInfo semaphore_info() {
  return {"semaphore",
          "Permits that are acquired and released, by anyone, judged key by key.",
          "acquire (n, or null = 1); release (n, or null = 1)",
          {{"permits", "VALUE", "How many there are, 1 by default."}},
          R"({"process": 0, "f": "acquire", "input": 2, "call": 10, "return": 20})"};
}

std::optional<Error> semaphore_options_error(const ModelOptions& options, ValueTable& values) {
  if (permits_of(options, values)) return std::nullopt;
  return Error{ErrorCode::usage, "the option permits of the model semaphore is a positive integer, not " +
                                     shown(values, options.json("permits", values))};
}

std::unique_ptr<Specification> make_semaphore(const ModelOptions& options, ValueTable& values) {
  return std::make_unique<SemaphoreSpecification>(options.text(), *permits_of(options, values));
}

}  // namespace porpentine::detail
