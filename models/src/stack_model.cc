// stack: last in, first out.

#include "builtin_models.h"
#include "container_model.h"
#include "stack_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

class StackContents {
 public:
  explicit StackContents(const ValueTable& table) : table_(table) {}

  void put(ValueId value) { values_.push_back(value); }

  std::optional<std::string> take(ValueId seen) {
    if (seen == kNull) return values_.empty() ? std::nullopt : std::optional(holds_count("the stack", values_.size()));
    if (values_.empty()) return "the stack is empty";
    if (values_.back() != seen) return holds("the top of the stack", table_, values_.back(), seen);
    values_.pop_back();
    return std::nullopt;
  }

  void lose() {
    if (!values_.empty()) values_.pop_back();
  }

  /// The top first.
  [[nodiscard]] std::string to_string() const {
    return shown_contents(table_, std::vector<ValueId>(values_.rbegin(), values_.rend()));
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  void transfer(StateArchive& archive) { archive.values(values_); }

 private:
  const ValueTable& table_;
  std::vector<ValueId> values_;
};

constexpr ContainerKind kStack{"push",
                               "pop",
                               Discipline::last_in,
                               ObjectKind::stack,
                               [](ContainerBinding binding) -> std::unique_ptr<Machine> {
                                 return std::make_unique<StackMachine>(std::move(binding));
                               },
                               [](const History& history) -> std::unique_ptr<ResumableReplay> {
                                 return std::make_unique<ContainerReplay<StackContents>>(history, kStack.put);
                               }};

}  // namespace

ModelInfo stack_info() {
  return {"stack",
          "A stack, last in, first out, judged key by key.",
          "push (v); pop -> v, or null = empty",
          {},
          R"({"process": 0, "f": "push", "input": "a", "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_stack(const ModelOptions& options, ValueTable&) {
  return std::make_unique<ContainerSpecification>(options.text(), kStack);
}

}  // namespace porpentine::detail
