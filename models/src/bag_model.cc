// bag: an unordered queue.

#include <algorithm>

#include "bag_machine.h"
#include "builtin_models.h"
#include "container_model.h"
#include "words.h"

namespace porpentine::detail {

namespace {

/// Which value an operation with an unknown outcome took is left open. All that is certain is that for each j the first
/// j of those operations found j values that no other operation took, neither before nor since. (By Hall's theorem
/// that is enough: each could take what those before it could.) So of equal values the last that was put in is
/// taken, which leaves them the most.
class BagContents {
 public:
  explicit BagContents(const ValueTable& table) : table_(table) {}

  void put(ValueId value) {
    times_[value].push_back(++clock_);
    ++count_;
  }

  std::optional<std::string> take(ValueId seen) {
    if (seen == kNull) return size() == 0 ? std::nullopt : std::optional(holds_count("the bag", size()));
    if (size() == 0) return "the bag is empty";
    const std::string none = "the bag holds no " + shown_with_type(table_, seen);
    const auto times = times_.find(seen);
    if (times == times_.end()) return none;
    const auto later = std::upper_bound(losses_.begin(), losses_.end(), times->second.back(),
                                        [](std::uint64_t time, const Loss& loss) { return time < loss.time; });
    if (std::any_of(later, losses_.end(), [](const Loss& loss) { return loss.left == 0; })) {
      return none + " any more: operations with an unknown outcome took all there was";
    }
    std::for_each(later, losses_.end(), [](Loss& loss) { --loss.left; });
    times->second.pop_back();
    if (times->second.empty()) times_.erase(times);
    --count_;
    return std::nullopt;
  }

  void lose() {
    if (size() > 0) losses_.push_back({++clock_, size() - 1});
  }

  [[nodiscard]] std::string to_string() const {
    std::vector<ValueId> contents;
    for (const auto& [value, times] : times_) contents.insert(contents.end(), times.size(), value);
    const std::string text = shown_contents(table_, contents);
    return losses_.empty() ? text : text + " less " + std::to_string(losses_.size()) + " of unknown value";
  }

  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Of the times only their order among puts and losses counts.
  void transfer(StateArchive& archive) {
    std::uint64_t losses = losses_.size();
    archive.number(losses);
    losses_.resize(losses);
    for (std::size_t i = 0; i < losses; ++i) {
      std::uint64_t left = losses_[i].left;
      archive.number(left);
      if (!archive.writes()) losses_[i] = {2 * i + 2, left};
    }
    archive.parts(
        times_, [](const std::vector<std::uint64_t>&) { return false; },
        [&](std::vector<std::uint64_t>& times) { transfer(archive, times); });
    if (archive.writes()) return;
    clock_ = 2 * losses + 1;
    count_ = 0;
    for (const auto& [value, times] : times_) count_ += times.size();
  }

 private:
  struct Loss {
    std::uint64_t time;
    std::size_t left;  // of what was put in before it, taken by neither it nor those before it nor since by others
  };

  [[nodiscard]] std::size_t size() const { return count_ - losses_.size(); }

  /// Each put as the number of losses before it.
  void transfer(StateArchive& archive, std::vector<std::uint64_t>& times) const {
    std::uint64_t count = times.size();
    archive.number(count);
    times.resize(count);
    for (std::uint64_t& time : times) {
      const auto before =
          std::partition_point(losses_.begin(), losses_.end(), [&](const Loss& loss) { return loss.time < time; });
      auto rank = static_cast<std::uint64_t>(before - losses_.begin());
      archive.number(rank);
      if (!archive.writes()) time = 2 * rank + 1;
    }
  }

  const ValueTable& table_;
  std::map<ValueId, std::vector<std::uint64_t>> times_;  // of the puts; those whose values were lost are among them
  std::size_t count_ = 0;                                // of these
  std::vector<Loss> losses_;
  std::uint64_t clock_ = 0;
};

constexpr ContainerKind kBag{"enqueue",
                             "dequeue",
                             Discipline::any,
                             ObjectKind::bag,
                             [](ContainerBinding binding) -> std::unique_ptr<Machine> {
                               return std::make_unique<BagMachine>(std::move(binding));
                             },
                             [](const History& history) -> std::unique_ptr<ResumableReplay> {
                               return std::make_unique<ContainerReplay<BagContents>>(history, kBag.put);
                             }};

}  // namespace

ModelInfo bag_info() {
  return {"bag",
          "An unordered queue: dequeue returns any of the values; judged key by key.",
          "enqueue (v); dequeue -> v, or null = empty",
          {},
          R"({"process": 1, "f": "dequeue", "output": "a", "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_bag(const ModelOptions& options, ValueTable&) {
  return std::make_unique<ContainerSpecification>(options.text(), kBag);
}

}  // namespace porpentine::detail
