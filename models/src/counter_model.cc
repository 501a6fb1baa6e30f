// counter: a number that is added to and read.

#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "counter_machine.h"
#include "wide_integer.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAdd, kRead };

class CounterReplay final : public ResumableReplay {
 public:
  explicit CounterReplay(const History& history) : history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    WideInteger& sum = sums_[history_.key[i]];
    if (history_.function_name(i) == "add") {
      sum = sum + *as_wide_integer(history_.values, history_.input[i]);
      return std::nullopt;
    }
    if (operation.indeterminate || *as_wide_integer(history_.values, history_.output[i]) == sum) return std::nullopt;
    return "the counter is " + to_text(sum);
  }

  [[nodiscard]] std::string state() const override { return sums_.empty() ? "0" : to_text(sums_.begin()->second); }

  void transfer(StateArchive& archive) override {
    archive.parts(
        sums_, [](const WideInteger& sum) { return sum == WideInteger{}; },
        [&](WideInteger& sum) {
          auto high = static_cast<std::uint64_t>(sum.high);
          archive.number(high);
          archive.number(sum.low);
          sum.high = static_cast<std::int64_t>(high);
        });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    return history_.function_name(operation.operation) == "read";
  }

 private:
  const History& history_;
  std::map<ValueId, WideInteger> sums_;  // by key: operations of one partition have one
};

class CounterSpecification final : public BasicSpecification {
 public:
  explicit CounterSpecification(const std::string& name) : BasicSpecification(name, {"add", "read"}) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<CounterOperation> decoded;
    decoded.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      const std::uint32_t i = operation.operation;
      if (kind_of[history.function[i]] == kAdd) {
        const WideInteger number = *as_wide_integer(history.values, history.input[i]);
        decoded.push_back({CounterKind::add, operation.indeterminate, number});
      } else if (operation.indeterminate) {
        decoded.emplace_back();
      } else {
        decoded.push_back({CounterKind::read, false, *as_wide_integer(history.values, history.output[i])});
      }
    }
    return bind_counter(decoded);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<CounterReplay>(history);
  }

 private:
  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    const ValueId input = history.input[operation];
    if (kind == kRead || as_wide_integer(history.values, input)) return std::nullopt;
    return takes("add", "an integer", history.values, input);
  }
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueId output = history.output[operation];
    if (kind == kAdd || as_wide_integer(history.values, output)) return std::nullopt;
    return returns("read", "an integer", history.values, output);
  }
};

}  // namespace

ModelInfo counter_info() {
  return {"counter",
          "A number that starts at 0, is added to and read, judged key by key.",
          "add (n: an integer, also negative); read -> n",
          {},
          R"({"process": 0, "f": "add", "input": 2, "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_counter(const ModelOptions& options, ValueTable&) {
  return std::make_unique<CounterSpecification>(options.text());
}

}  // namespace porpentine::detail
