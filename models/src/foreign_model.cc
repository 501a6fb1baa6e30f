#include <porpentine/models/foreign_model.h>

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "basic_specification.h"
#include "dense_ids.h"

namespace porpentine {
namespace detail {
namespace {

/// Operations that the model can't tell apart.
struct Kind {
  std::uint32_t function;
  ValueId key;
  ValueId input;
  ValueId output;
  std::uint32_t process;
  bool indeterminate;

  bool operator==(const Kind&) const = default;
  friend std::uint64_t hash_of(const Kind& kind) {
    const std::uint64_t values = mix(kind.input, std::uint64_t{kind.output} << 1U | (kind.indeterminate ? 1U : 0U));
    return mix(values, mix(kind.key, std::uint64_t{kind.function} << 32U | kind.process));
  }
};

/// Everything that was asked of the model, once.
class Answers {
 public:
  using Answer = ForeignModel::Answer;

  Answers(std::shared_ptr<ForeignModel> model, const History& history) : model_(std::move(model)), history_(history) {}

  [[nodiscard]] const ForeignModel& model() const { return *model_; }

  std::uint32_t kind(const BoundOperation& bound) {
    const std::uint32_t i = bound.operation;
    const Kind kind = {history_.function[i],
                       history_.key[i],
                       history_.input[i],
                       bound.indeterminate ? kNull : history_.output[i],
                       model_->tells_processes() ? history_.process[i] : 0,
                       bound.indeterminate};
    const std::lock_guard lock(mutex_);
    const IdTable::Found found = kinds_.find_or_add(kind);
    if (found.added) {
      examples_.push_back(bound);
      read_only_.emplace_back();
    }
    return found.id;
  }
  bool read_only(std::uint32_t kind) {
    const std::lock_guard lock(mutex_);
    if (!read_only_[kind]) read_only_[kind] = model_->read_only(examples_[kind]);
    return *read_only_[kind];
  }
  StateId initial() {
    const std::lock_guard lock(mutex_);
    if (!initial_) initial_ = model_->initial();
    return *initial_;
  }
  /// Stays where it is.
  const Answer& step(StateId state, std::uint32_t kind) {
    const std::uint64_t transition = std::uint64_t{state} << 32U | kind;
    const std::lock_guard lock(mutex_);
    if (const auto known = steps_.find(transition); known != steps_.end()) return answers_[known->second];
    Answer answer = model_->step(state, examples_[kind]);
    std::sort(answer.next.begin(), answer.next.end());
    answer.next.erase(std::unique(answer.next.begin(), answer.next.end()), answer.next.end());
    steps_.emplace(transition, answers_.size());
    return answers_.emplace_back(std::move(answer));
  }
  std::string describe(StateId state) {
    const std::lock_guard lock(mutex_);
    const auto known = descriptions_.find(state);
    if (known != descriptions_.end()) return known->second;
    return descriptions_[state] = model_->describe(state);
  }

 private:
  const std::shared_ptr<ForeignModel> model_;
  const History& history_;
  std::mutex mutex_;
  DenseIds<Kind> kinds_;
  std::vector<BoundOperation> examples_;  // by kind
  std::vector<std::optional<bool>> read_only_;
  std::optional<StateId> initial_;
  absl::flat_hash_map<std::uint64_t, std::size_t> steps_;  // state and kind -> index
  std::deque<Answer> answers_;
  absl::flat_hash_map<StateId, std::string> descriptions_;
};

/// Numbers states and labels of its own partition densely, and remembers their steps without a lock.
class ForeignMachine final : public Machine {
 public:
  explicit ForeignMachine(Answers& answers) : answers_(answers) {}

  Label bind(const BoundOperation& bound) {
    const std::uint32_t kind = answers_.kind(bound);
    const bool read_only = answers_.read_only(kind);
    if (read_only && bound.indeterminate) return kIrrelevant;
    const IdTable::Found label = kinds_.find_or_add(kind);
    if (label.added) traits_.push_back({.read_only = read_only});
    return label.id;
  }

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return states_.add(answers_.initial()); }
  [[nodiscard]] StateId step(StateId state, Label label) override {
    const std::uint64_t transition = std::uint64_t{state} << 32U | label;
    if (const auto known = steps_.find(transition); known != steps_.end()) return known->second;
    const auto& next = answers_.step(states_[state], kinds_[label]).next;
    StateId answer = kRefused;
    if (next.size() == 1) answer = states_.add(next.front());
    if (next.size() > 1) {
      answer = kSeveral;
      std::vector<StateId>& several = several_[transition];
      for (const StateId successor : next) several.push_back(states_.add(successor));
      several_states_ += next.size();
    }
    steps_.emplace(transition, answer);
    return answer;
  }
  [[nodiscard]] std::span<const StateId> successors(StateId state, Label label) override {
    return several_.at(std::uint64_t{state} << 32U | label);
  }
  [[nodiscard]] std::size_t memory() const override {
    constexpr std::size_t kBytesAState = 256;  // of the model's, about
    return states_.memory() + states_.size() * kBytesAState + kinds_.memory() +
           traits_.capacity() * sizeof(LabelTraits) +
           steps_.capacity() * (sizeof(std::uint64_t) + sizeof(StateId) + 5) +
           several_.capacity() * (sizeof(std::uint64_t) + sizeof(std::vector<StateId>) + 1) +
           several_states_ * sizeof(StateId);
  }

 private:
  Answers& answers_;
  DenseIds<std::uint32_t> states_;  // the model's
  DenseIds<std::uint32_t> kinds_;
  std::vector<LabelTraits> traits_;
  absl::flat_hash_map<std::uint64_t, StateId> steps_;
  absl::flat_hash_map<std::uint64_t, std::vector<StateId>> several_;
  std::size_t several_states_ = 0;
};

/// Holds every state that is possible.
class ForeignReplay final : public ResumableReplay {
 public:
  explicit ForeignReplay(Answers& answers) : answers_(answers), states_{answers.initial()} {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t kind = answers_.kind(operation);
    std::vector<StateId> next;
    std::string reason;
    for (const StateId state : states_) {
      const ForeignModel::Answer& answer = answers_.step(state, kind);
      if (answer.next.empty()) reason = answer.reason;
      next.insert(next.end(), answer.next.begin(), answer.next.end());
    }
    if (next.empty()) return reason;
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    states_ = std::move(next);
    return std::nullopt;
  }
  [[nodiscard]] std::string state() const override {
    std::string text;
    for (const StateId state : states_) text += (text.empty() ? "" : " or ") + answers_.describe(state);
    return text;
  }
  void transfer(StateArchive& archive) override {
    std::uint64_t count = states_.size();
    archive.number(count);
    states_.resize(count);
    for (StateId& state : states_) {
      std::uint64_t number = state;
      archive.number(number);
      state = static_cast<StateId>(number);
    }
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    return answers_.read_only(answers_.kind(operation));
  }
  [[nodiscard]] bool tells_processes() const override { return answers_.model().tells_processes(); }

 private:
  Answers& answers_;
  std::vector<StateId> states_;  // sorted
};

class ForeignSpecification final : public Specification {
 public:
  ForeignSpecification(std::shared_ptr<ForeignModel> model, const History& history, std::vector<ValueId> partition_keys)
      : answers_(std::move(model), history), partition_keys_(std::move(partition_keys)) {}

  [[nodiscard]] const std::string& name() const override { return answers_.model().name(); }
  [[nodiscard]] std::optional<Error> validate(const History&) const override { return std::nullopt; }
  [[nodiscard]] std::optional<Error> validate(const History&, std::uint32_t) const override { return std::nullopt; }
  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override {
    return by_key(history, partition_keys_.empty() ? history.key : partition_keys_);
  }
  [[nodiscard]] Bound bind(const History&, std::span<const BoundOperation> operations) const override {
    auto machine = std::make_unique<ForeignMachine>(answers_);
    Bound bound;
    bound.labels.reserve(operations.size());
    for (const BoundOperation& operation : operations) bound.labels.push_back(machine->bind(operation));
    bound.machine = std::move(machine);
    return bound;
  }
  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History&) const override {
    return std::make_unique<ForeignReplay>(answers_);
  }

 private:
  mutable Answers answers_;  // it has a lock
  std::vector<ValueId> partition_keys_;
};

}  // namespace
}  // namespace detail

std::unique_ptr<Specification> make_foreign_specification(std::shared_ptr<ForeignModel> model, const History& history,
                                                          std::vector<ValueId> partition_keys) {
  return std::make_unique<detail::ForeignSpecification>(std::move(model), history, std::move(partition_keys));
}

}  // namespace porpentine
