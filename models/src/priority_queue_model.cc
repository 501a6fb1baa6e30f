// priority-queue: numbers, the least first.

#include <algorithm>

#include "builtin_models.h"
#include "container_model.h"
#include "number.h"
#include "priority_queue_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

class PriorityQueueContents {
 public:
  explicit PriorityQueueContents(const ValueTable& table) : table_(table) {}

  void put(ValueId value) { values_.emplace(*as_number(table_, value), value); }

  std::optional<std::string> take(ValueId seen) {
    if (seen == kNull) {
      return values_.empty() ? std::nullopt : std::optional(holds_count("the priority queue", values_.size()));
    }
    if (values_.empty()) return "the priority queue is empty";
    const ValueId least = values_.begin()->second;
    if (least != seen) return "the least number of the priority queue is " + shown(table_, least);
    values_.erase(values_.begin());
    return std::nullopt;
  }

  void lose() {
    if (!values_.empty()) values_.erase(values_.begin());
  }

  /// The least first.
  [[nodiscard]] std::string to_string() const {
    std::vector<ValueId> contents;
    for (const auto& [number, value] : values_) contents.push_back(value);
    return shown_contents(table_, contents);
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  void transfer(StateArchive& archive) {
    std::vector<ValueId> contents;
    for (const auto& [number, value] : values_) contents.push_back(value);
    archive.values(contents);
    if (archive.writes()) return;
    values_.clear();
    for (const ValueId value : contents) put(value);
  }

 private:
  const ValueTable& table_;
  std::multimap<Number, ValueId> values_;
};

constexpr ContainerKind kPriorityQueue{"insert",
                                       "pop-min",
                                       Discipline::least,
                                       ObjectKind::priority_queue,
                                       [](ContainerBinding binding) -> std::unique_ptr<Machine> {
                                         return std::make_unique<PriorityQueueMachine>(std::move(binding));
                                       },
                                       [](const History& history) -> std::unique_ptr<ResumableReplay> {
                                         return std::make_unique<ContainerReplay<PriorityQueueContents>>(
                                             history, kPriorityQueue.put);
                                       }};

}  // namespace

ModelInfo priority_queue_info() {
  return {"priority-queue",
          "A priority queue of numbers, the least first, judged key by key.",
          "insert (v: a number); pop-min -> v, or null = empty",
          {},
          R"({"process": 1, "f": "pop-min", "output": 3, "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_priority_queue(const ModelOptions& options, ValueTable&) {
  return std::make_unique<ContainerSpecification>(options.text(), kPriorityQueue);
}

}  // namespace porpentine::detail
