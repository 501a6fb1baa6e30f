// mutex: a lock that is acquired and released.

#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "mutex_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAcquire, kRelease };

class MutexReplay final : public ResumableReplay {
 public:
  MutexReplay(const History& history, const MutexSettings& settings) : history_(history), settings_(settings) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    Lock& lock = locks_[history_.key[i]];
    if (history_.function_name(i) == "release") return release(lock, i);
    const bool has_token = settings_.fenced && !operation.indeterminate;
    return acquire(lock, i, has_token ? std::optional(history_.output[i]) : std::nullopt);
  }

  [[nodiscard]] std::string state() const override {
    if (locks_.empty()) return "free";
    const Lock& lock = locks_.begin()->second;
    if (lock.holds == 0) return "free";
    return owners_count() ? "held by process " + name(lock.process) + times(lock.holds) : "held";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        locks_, [](const Lock& lock) { return lock.holds == 0 && !lock.last_token; },
        [&](Lock& lock) { transfer(archive, lock); });
  }
  [[nodiscard]] bool reads_only(const BoundOperation&) const override { return false; }
  [[nodiscard]] bool tells_processes() const override { return owners_count(); }

 private:
  struct Lock {
    unsigned holds = 0;
    std::uint32_t process = 0;                    // that acquired it
    std::optional<ValueId> token = {};            // of the present hold, where it was seen
    std::optional<ValueId> last_token = {};       // that was seen
    std::optional<WideInteger> least_token = {};  // that the last one can have been
  };

  /// Of a lock that is free, who held it last makes no difference.
  static void transfer(StateArchive& archive, Lock& lock) {
    std::uint64_t holds = lock.holds;
    archive.number(holds);
    lock.holds = static_cast<unsigned>(holds);
    if (holds > 0) archive.process(lock.process);
    for (std::optional<ValueId>* const token : {&lock.token, &lock.last_token}) {
      std::uint64_t is_there = *token ? 1 : 0;
      archive.number(is_there);
      if (is_there == 0) continue;
      if (!*token) token->emplace(kNull);
      archive.value(**token);
    }
    if (!lock.last_token) return;
    if (!lock.least_token) lock.least_token.emplace();
    auto high = static_cast<std::uint64_t>(lock.least_token->high);
    archive.number(high);
    archive.number(lock.least_token->low);
    lock.least_token->high = static_cast<std::int64_t>(high);
  }

  std::optional<std::string> acquire(Lock& lock, std::uint32_t i, std::optional<ValueId> token) {
    if (lock.holds > 0 && !(settings_.reentrant && lock.process == history_.process[i])) return held(lock);
    const bool again = lock.holds > 0;
    if (token && again && lock.token && *token != *lock.token) {
      return "the lock is held with token " + shown(history_.values, *lock.token);
    }
    const bool must_rise = token && !(again && lock.token) && lock.least_token;
    if (must_rise) {
      const WideInteger seen = *as_wide_integer(history_.values, *token);
      // The hold that is acquired again has a token already, the least one or a greater one.
      if (again ? seen < *lock.least_token : seen <= *lock.least_token) return not_rising(lock);
    }
    ++lock.holds;
    lock.process = history_.process[i];
    if (token) {
      lock.token = lock.last_token = token;
      lock.least_token = as_wide_integer(history_.values, *token);
    } else if (!again && lock.least_token) {
      lock.least_token = lock.least_token->next();
    }
    return std::nullopt;
  }

  std::optional<std::string> release(Lock& lock, std::uint32_t i) {
    if (lock.holds == 0) return "the lock is free";
    if (owners_count() && lock.process != history_.process[i]) return held(lock);
    if (--lock.holds == 0) lock.token.reset();
    return std::nullopt;
  }

  [[nodiscard]] std::string not_rising(const Lock& lock) const {
    const std::string seen = "token " + shown(history_.values, *lock.last_token) + " was given before";
    const bool unseen_since = *as_wide_integer(history_.values, *lock.last_token) != *lock.least_token;
    return unseen_since ? seen + ", and a greater one that nobody saw" : seen;
  }

  [[nodiscard]] std::string held(const Lock& lock) const { return "the lock is held by process " + name(lock.process); }
  [[nodiscard]] bool owners_count() const { return settings_.owned || settings_.reentrant; }
  [[nodiscard]] std::string name(std::uint32_t process) const {
    return shown(history_.values, history_.processes[process]);
  }
  static std::string times(unsigned holds) { return holds == 1 ? "" : " " + std::to_string(holds) + " times"; }

  const History& history_;
  MutexSettings settings_;
  std::map<ValueId, Lock> locks_;  // by key: operations of one partition have one
};

class MutexSpecification final : public BasicSpecification {
 public:
  MutexSpecification(const std::string& name, const MutexSettings& settings)
      : BasicSpecification(name, {"acquire", "release"}), settings_(settings) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    auto machine = std::make_unique<MutexMachine>(settings_);
    Bound bound;
    bound.labels.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      const std::uint32_t i = operation.operation;
      const bool acquires = kind_of[history.function[i]] == kAcquire;
      MutexOperation decoded{acquires, operation.indeterminate, history.process[i]};
      if (acquires && settings_.fenced && !operation.indeterminate) {
        decoded.token = as_wide_integer(history.values, history.output[i]);
      }
      bound.labels.push_back(machine->add(decoded));
    }
    bound.machine = std::move(machine);
    return bound;
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<MutexReplay>(history, settings_);
  }

 private:
  [[nodiscard]] std::optional<std::string> complaint(const History&, std::uint32_t, std::uint8_t) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const bool shows_token = settings_.fenced && kind == kAcquire;
    const ValueId output = history.output[operation];
    if (!shows_token || as_wide_integer(history.values, output)) return std::nullopt;
    return returns("acquire", "a token, an integer", history.values, output);
  }

  MutexSettings settings_;
};

}  // namespace

ModelInfo mutex_info() {
  return {
      "mutex",
      "A lock that is acquired and released, by anyone unless it is owned.",
      "acquire (-> token where fenced); release",
      {{"owned", "", "Only the process that holds the lock can release it."},
       {"reentrant", "", "The holder may acquire again and releases as often; implies owned."},
       {"fenced", "", "acquire returns a token, an integer; tokens strictly rise. Acquired again, it is the same."}},
      R"({"process": 0, "f": "acquire", "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_mutex(const ModelOptions& options, ValueTable&) {
  return std::make_unique<MutexSpecification>(
      options.text(), MutexSettings{options.is_on("owned"), options.is_on("reentrant"), options.is_on("fenced")});
}

}  // namespace porpentine::detail
