// The other side of the comparison: events as a History in memory, and the library's check of it.
//
// The matrix takes any subject that answers as Subject does; typed_subject.h has the one for models of one's own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/checker/check.h>
#include <porpentine/history/history.h>
#include <porpentine/history/writer.h>
#include <porpentine/models/specification.h>

#include "brute_force.h"
#include "event.h"
#include "names.h"

namespace porpentine::differential {

/// The indices of each partition's events.
using Parts = std::vector<std::vector<std::size_t>>;

/// A history whose table of values is kept from one use to the next, and a built-in model for it.
template <typename R>
class Subject {
 public:
  using Object = R;
  using Op = typename R::Op;

  Subject(const R& object, std::string model)
      : object_(object),
        model_(std::move(model)),
        specification_(make_specification(model_, history_.values).value()) {}

  [[nodiscard]] const R& object() const { return object_; }
  [[nodiscard]] const std::string& model() const { return model_; }
  [[nodiscard]] const History& history() const { return history_; }

  /// What the model says against the history, which is never malformed.
  [[nodiscard]] std::optional<std::string> input_error() const {
    const auto error = specification_->validate(history_);
    return error ? std::optional(error->to_string()) : std::nullopt;
  }

  [[nodiscard]] Parts parts() const {
    Parts parts;
    for (const Partition& partition : specification_->partitions(history_)) {
      parts.emplace_back(partition.operations.begin(), partition.operations.end());
    }
    return parts;
  }

  [[nodiscard]] CheckResult check(const CheckOptions& options) const {
    return porpentine::check(*specification_, history_, options);
  }

  void load(const Events<Op>& events, Names::Scheme scheme = Names::Scheme::plain) {
    clear();
    const Names names(history_.values, scheme);
    for (const Event<Op>& event : events) {
      const bool known = event.ended == Ended::ok;
      const Encoded encoded = object_.encode(event.op, known, names);
      history_.process.push_back(process(event.process, scheme));
      history_.function.push_back(function(encoded.f));
      history_.key.push_back(names.key(event.key));
      history_.input.push_back(encoded.input);
      history_.output.push_back(known ? encoded.output : kNull);
      history_.call.push_back(event.call);
      history_.ret.push_back(event.ended == Ended::unknown ? event.call : event.ret);
      history_.outcome.push_back(outcome(event, history_.size()));
      history_.line.push_back(history_.size());
    }
  }

  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    write_jsonl(history_, out);
    return out.str();
  }

 private:
  void clear() {
    history_.process.clear();
    history_.function.clear();
    history_.key.clear();
    history_.input.clear();
    history_.output.clear();
    history_.call.clear();
    history_.ret.clear();
    history_.outcome.clear();
    history_.line.clear();
    history_.processes.clear();
  }

  static Outcome outcome(const Event<Op>& event, std::size_t index) {
    switch (event.ended) {
      case Ended::ok:
        return Outcome::ok;
      case Ended::fail:
        return Outcome::fail;
      default:
        return index % 2 == 0 ? Outcome::open : Outcome::info;
    }
  }

  std::uint32_t process(int number, Names::Scheme scheme) {
    ValueTable& values = history_.values;
    const ValueId name =
        scheme == Names::Scheme::plain ? values.integer(number) : values.string("client " + std::to_string(number));
    return index_of(history_.processes, name);
  }

  std::uint16_t function(const char* name) {
    return static_cast<std::uint16_t>(index_of(history_.functions, std::string(name)));
  }

  template <typename T>
  static std::uint32_t index_of(std::vector<T>& table, const T& entry) {
    const auto place = std::find(table.begin(), table.end(), entry);
    const auto index = static_cast<std::uint32_t>(place - table.begin());
    if (place == table.end()) table.push_back(entry);
    return index;
  }

  R object_;
  std::string model_;
  History history_;
  std::unique_ptr<Specification> specification_;
};

/// One way of asking the library.
struct Way {
  const char* name;
  SearchOrder order;
  unsigned jobs;
  bool test_promises = false;
  bool monitors = false;  ///< where they apply; they find no order, so none is compared
};

inline CheckOptions options_of(const Way& way) {
  CheckOptions options;
  options.order = way.order;
  options.jobs = way.jobs;
  options.engine = way.monitors ? Engine::automatic : Engine::search;
  options.verify = !way.monitors;
  options.cores = way.monitors ? Cores::small : Cores::none;
  options.linearization = !way.monitors;
  options.test_promises = way.test_promises;
  return options;
}

/// How many partitions monitors decided.
struct Ruled {
  std::uint64_t valid = 0;
  std::uint64_t invalid = 0;

  void count(const CheckResult& result) {
    for (const PartitionResult& partition : result.partitions) {
      if (!partition.by_monitor) continue;
      ++(partition.verdict == Verdict::valid ? valid : invalid);
    }
  }
};

/// What a result says against brute force.
template <typename R>
class Judge {
 public:
  using Op = typename R::Op;

  Judge(const R& object, const Events<Op>& events, bool expected)
      : object_(object), events_(events), expected_(expected) {}

  /// What is wrong with the result, if anything.
  [[nodiscard]] std::optional<std::string> objection(const CheckResult& result, const Parts& parts,
                                                     bool with_orders) const {
    const Verdict right = expected_ ? Verdict::valid : Verdict::invalid;
    if (result.verdict != right) {
      return std::string("verdict ") + to_string(result.verdict) + ", by brute force " + to_string(right);
    }
    if (result.partitions.size() != parts.size()) {
      return std::to_string(result.partitions.size()) + " partitions instead of " + std::to_string(parts.size());
    }
    std::size_t failures = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const PartitionResult& partition = result.partitions[k];
      const Events<Op> events = selection(parts[k]);
      const std::string place = "partition " + std::to_string(k) + ": ";
      if (partition.verdict == Verdict::valid) {
        auto wrong = with_orders ? wrong_order(events, parts[k], partition.linearization) : std::nullopt;
        if (wrong) return place + *wrong;
      } else if (partition.verdict == Verdict::invalid) {
        const auto failure = std::find_if(result.failures.begin(), result.failures.end(), [&](const Failure& each) {
          return std::find(parts[k].begin(), parts[k].end(), each.operation) != parts[k].end();
        });
        if (failure == result.failures.end()) return place + "no failure is reported for it";
        if (auto wrong = wrong_failure(events, parts[k], *failure)) return place + *wrong;
        ++failures;
      } else {
        return place + "unknown";
      }
    }
    if (failures != result.failures.size()) return "more failures than invalid partitions";
    const bool ordered = std::is_sorted(
        result.failures.begin(), result.failures.end(),
        [&](const Failure& a, const Failure& b) { return events_[a.operation].ret < events_[b.operation].ret; });
    if (!ordered) return "the failures are not in order of time";
    return std::nullopt;
  }

 private:
  [[nodiscard]] Events<Op> selection(const std::vector<std::size_t>& part) const {
    Events<Op> events;
    for (const std::size_t i : part) events.push_back(events_[i]);
    return events;
  }

  [[nodiscard]] std::optional<std::string> wrong_order(const Events<Op>& events, const std::vector<std::size_t>& part,
                                                       const std::vector<std::uint32_t>& linearization) const {
    std::vector<std::size_t> order;
    for (const std::uint32_t operation : linearization) {
      const auto place = std::find(part.begin(), part.end(), operation);
      if (place == part.end()) return "its linearization holds operation " + std::to_string(operation);
      order.push_back(static_cast<std::size_t>(place - part.begin()));
    }
    if (is_linearization(object_, events, order)) return std::nullopt;
    return "the linearization" + list(linearization) + " is none";
  }

  [[nodiscard]] std::optional<std::string> wrong_failure(const Events<Op>& events, const std::vector<std::size_t>& part,
                                                         const Failure& failure) const {
    if (linearizable(object_, events)) return "invalid, by brute force valid";
    const FirstFailure<R> first(object_, events);
    const auto place = std::find(part.begin(), part.end(), failure.operation);
    if (place == part.end() || !first.accepts(static_cast<std::size_t>(place - part.begin()), failure.longest_prefix)) {
      std::ostringstream text;
      text << "fails at operation " << failure.operation << " after " << failure.longest_prefix
           << " returns; by brute force at time " << first.time() << ", after " << first.before()
           << " returns and some of the tied";
      for (const std::size_t i : first.tied()) text << ' ' << part[i];
      return text.str();
    }
    if (failure.message.empty()) return "a failure without a message";
    return wrong_core(events, part, failure);
  }

  [[nodiscard]] std::optional<std::string> wrong_core(const Events<Op>& events, const std::vector<std::size_t>& part,
                                                      const Failure& failure) const {
    if (failure.core.empty()) return failure.context.empty() ? std::nullopt : std::optional("a context without a core");
    if (linearizable(object_, weakened(events, part, failure.core))) {
      return "the core" + list(failure.core) + " can be ordered";
    }
    for (const std::uint32_t operation : failure.core) {
      std::vector<std::uint32_t> rest = failure.core;
      std::erase(rest, operation);
      std::vector<std::uint32_t> kept = failure.core;
      kept.insert(kept.end(), failure.context.begin(), failure.context.end());
      if (failure.core_minimal && !linearizable(object_, excerpt(weakened(events, part, rest), part, kept))) {
        return "the core" + list(failure.core) + " with" + list(failure.context) + " can't be ordered without " +
               std::to_string(operation) + " either";
      }
    }
    return std::nullopt;
  }

  static Events<Op> excerpt(const Events<Op>& events, const std::vector<std::size_t>& part,
                            const std::vector<std::uint32_t>& kept) {
    Events<Op> some;
    for (std::size_t k = 0; k < part.size(); ++k) {
      if (std::find(kept.begin(), kept.end(), part[k]) != kept.end()) some.push_back(events[k]);
    }
    return some;
  }

  /// The events with all but those of `core` made indeterminate.
  static Events<Op> weakened(Events<Op> events, const std::vector<std::size_t>& part,
                             const std::vector<std::uint32_t>& core) {
    for (std::size_t k = 0; k < part.size(); ++k) {
      const bool kept = std::find(core.begin(), core.end(), part[k]) != core.end();
      if (!kept && events[k].ended == Ended::ok) events[k].ended = Ended::unknown;
    }
    return events;
  }

  static std::string list(const std::vector<std::uint32_t>& operations) {
    std::string text;
    for (const std::uint32_t operation : operations) text += ' ' + std::to_string(operation);
    return text;
  }

  const R& object_;
  const Events<Op>& events_;
  bool expected_;
};

/// Whether a process has operations in different parts whose times tie.
template <typename Op>
bool ties_across(const Parts& parts, const Events<Op>& events) {
  const auto tied = [&](std::size_t a, std::size_t b) {
    const std::int64_t end = events[a].ended == Ended::unknown ? events[a].call : events[a].ret;
    return events[a].process == events[b].process && end == events[b].call;
  };
  for (const auto& one : parts) {
    for (const auto& other : parts) {
      if (&one == &other) continue;
      for (const std::size_t a : one) {
        if (std::any_of(other.begin(), other.end(), [&](std::size_t b) { return tied(a, b); })) return true;
      }
    }
  }
  return false;
}

/// The verdict by brute force. A model that is split judges each part alone. As a rule that is the verdict of the
/// whole; but what a process says of the order of operations that tie is no interval order, and where they are of
/// different parts neither part hears of it.
template <typename S>
bool right_verdict(S& subject, const Events<typename S::Op>& events) {
  if (linearizable(subject.object(), events)) return true;
  subject.load(events);
  const Parts parts = subject.parts();
  return ties_across(parts, events) && std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
           Events<typename S::Op> alone;
           for (const std::size_t i : part) alone.push_back(events[i]);
           return linearizable(subject.object(), alone);
         });
}

/// What the library says wrong about `events`, if anything: by the first of `ways` that does.
template <typename S>
std::optional<std::string> objection(S& subject, const Events<typename S::Op>& events, bool expected,
                                     const std::vector<Way>& ways, Ruled* ruled = nullptr) {
  subject.load(events);
  if (const auto error = subject.input_error()) return "an input error: " + *error;
  const Parts parts = subject.parts();
  const Judge<typename S::Object> judge(subject.object(), events, expected);
  for (const Way& way : ways) {
    try {
      const CheckResult result = subject.check(options_of(way));
      if (ruled != nullptr) ruled->count(result);
      if (auto wrong = judge.objection(result, parts, !way.monitors)) return way.name + (": " + *wrong);
    } catch (const std::exception& exception) {
      return std::string(way.name) + ": threw " + exception.what();
    }
  }
  return std::nullopt;
}

}  // namespace porpentine::differential
