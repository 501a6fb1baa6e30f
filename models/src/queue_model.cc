// queue: first in, first out.

#include <deque>

#include "builtin_models.h"
#include "container_model.h"
#include "queue_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

class QueueContents {
 public:
  explicit QueueContents(const ValueTable& table) : table_(table) {}

  void put(ValueId value) { values_.push_back(value); }

  std::optional<std::string> take(ValueId seen) {
    if (seen == kNull) return values_.empty() ? std::nullopt : std::optional(holds_count("the queue", values_.size()));
    if (values_.empty()) return "the queue is empty";
    if (values_.front() != seen) return holds("the head of the queue", table_, values_.front(), seen);
    values_.pop_front();
    return std::nullopt;
  }

  void lose() {
    if (!values_.empty()) values_.pop_front();
  }

  /// The head first.
  [[nodiscard]] std::string to_string() const {
    return shown_contents(table_, std::vector<ValueId>(values_.begin(), values_.end()));
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  void transfer(StateArchive& archive) { archive.values(values_); }

 private:
  const ValueTable& table_;
  std::deque<ValueId> values_;
};

constexpr ContainerKind kQueue{"enqueue",
                               "dequeue",
                               Discipline::first_in,
                               ObjectKind::queue,
                               [](ContainerBinding binding) -> std::unique_ptr<Machine> {
                                 return std::make_unique<QueueMachine>(std::move(binding));
                               },
                               [](const History& history) -> std::unique_ptr<ResumableReplay> {
                                 return std::make_unique<ContainerReplay<QueueContents>>(history, kQueue.put);
                               }};

}  // namespace

ModelInfo queue_info() {
  return {"queue",
          "A queue, first in, first out, judged key by key.",
          "enqueue (v); dequeue -> v, or null = empty",
          {},
          R"({"process": 0, "f": "enqueue", "input": "a", "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_queue(const ModelOptions& options, ValueTable&) {
  return std::make_unique<ContainerSpecification>(options.text(), kQueue);
}

}  // namespace porpentine::detail
