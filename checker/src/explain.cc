// Saying in one line why an operation can't be placed.

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "decision.h"
#include "monitors/monitor.h"

namespace porpentine::detail {
namespace {

constexpr std::size_t kMostReasons = 3;
constexpr std::size_t kMostStuck = 8;
// Operations of a core, and pairs of them, whose order in time is part of the message.
constexpr std::size_t kMostTold = 3;
constexpr std::size_t kMostNamed = 4;             // operations of a core, beside the fault, that a message names
constexpr std::size_t kShort = 20'000;            // operations; a search that only finds words must not cost much
constexpr std::size_t kMostReplayed = 4'000'000;  // operations; explaining must not cost more than deciding

/// Collects different reasons, the first ones first.
class Reasons {
 public:
  void add(const std::string& reason) {
    if (!reason.empty() && std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) {
      reasons_.push_back(reason);
    }
  }
  [[nodiscard]] bool full() const { return reasons_.size() > kMostReasons; }
  /// "the register holds 1, 2 or 3" where the reasons differ in their last word alone, else each in full.
  [[nodiscard]] std::string text() const {
    if (reasons_.empty()) return {};
    const std::size_t shared = shared_words();
    std::string text = reasons_.front();
    for (std::size_t i = 1; i < std::min(reasons_.size(), kMostReasons); ++i) {
      text += i + 1 == reasons_.size() ? " or " : ", ";
      text += reasons_[i].substr(shared);
    }
    return full() ? text + ", ..." : text;
  }

 private:
  /// The length of the words that all reasons begin with, if there is but one value after them; else 0.
  [[nodiscard]] std::size_t shared_words() const {
    const std::string& first = reasons_.front();
    const std::size_t words = last_word(first);
    for (const std::string& reason : reasons_) {
      if (last_word(reason) != words || reason.compare(0, words, first, 0, words) != 0) return 0;
    }
    return words;
  }
  /// Where the last word begins: after the last blank that is in no quotes and brackets.
  static std::size_t last_word(const std::string& reason) {
    std::size_t begin = 0;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < reason.size(); ++i) {
      const char c = reason[i];
      if (c == '\\' && quoted) ++i;
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      if (c == ' ' && depth == 0) begin = i + 1;
    }
    return begin;
  }

  std::vector<std::string> reasons_;
};

/// The operations that an order leaves out: those that may or may not have happened.
std::vector<BoundOperation> left_out(std::span<const BoundOperation> operations, std::vector<std::uint32_t> order) {
  std::sort(order.begin(), order.end());
  std::vector<BoundOperation> left_out;
  for (const BoundOperation& bound : operations) {
    if (!std::binary_search(order.begin(), order.end(), bound.operation)) left_out.push_back(bound);
  }
  return left_out;
}

bool is_indeterminate(std::span<const BoundOperation> operations, std::uint32_t operation) {
  const auto found =
      std::lower_bound(operations.begin(), operations.end(), operation,
                       [](const BoundOperation& bound, std::uint32_t wanted) { return bound.operation < wanted; });
  return found->indeterminate;
}

/// What a monitor says of the prefix that ends with the fault; nothing where none applies.
std::optional<Explanation> explain_by_monitor(const Problem& problem, const Fault& fault, Limits& limits) {
  std::vector<BoundOperation> operations = fault.prefix;
  for (BoundOperation& bound : operations) {
    if (bound.operation == fault.operation) bound.indeterminate = false;
  }
  Ruling ruling = problem.monitor->rule(operations, limits);
  if (ruling.answer != Answer::no) return std::nullopt;
  std::sort(ruling.core.begin(), ruling.core.end());
  ruling.core.erase(std::unique(ruling.core.begin(), ruling.core.end()), ruling.core.end());
  return Explanation{std::move(ruling.why), std::move(ruling.core)};
}

/// What the model says of those that have to come after the fault, which it accepts.
std::string refusal_after(const Problem& problem, const Fault& fault, std::span<const std::uint32_t> after,
                          Replay& replay) {
  for (const std::uint32_t operation : after) {
    const auto reason = replay.apply({operation, is_indeterminate(fault.prefix, operation)});
    if (reason) return " where others need it: " + problem.describe(operation) + " can't come after it, as " + *reason;
  }
  return {};
}

/// " where ...", by the states that an order of everything before leads to; empty where a limit is in the way.
Explanation explain_by_search(const Problem& problem, const Fault& fault, const CheckOptions& options, Limits& limits) {
  // Where nothing observed it yet, it can be tried last; else at the place that the others give it.
  std::vector<BoundOperation> others = fault.prefix;
  std::erase_if(others, [&](const BoundOperation& bound) { return bound.operation == fault.operation; });
  Decision before = decide(problem, others, Guess::valid, true, options, limits);
  const bool last = before.status == Status::valid;
  if (!last) before = decide(problem, fault.prefix, Guess::valid, true, options, limits);
  if (before.status != Status::valid) return {};
  Explanation explanation;
  explanation.order = complete_order(problem, last ? others : fault.prefix, before.attempt->search().linearization());
  std::vector<std::uint32_t>& order = explanation.order;
  const std::vector<BoundOperation> unused = last ? left_out(others, order) : std::vector<BoundOperation>{};
  const auto place = std::find(order.begin(), order.end(), fault.operation);
  const std::vector<std::uint32_t> after(place == order.end() ? place : place + 1, order.end());
  order.erase(place, order.end());

  Reasons reasons;
  const std::size_t replays = std::min(unused.size() + 1, kMostReplayed / (order.size() + 1) + 1);
  for (std::size_t r = 0; r < replays && !reasons.full(); ++r) {
    const std::unique_ptr<Replay> replay = problem.replay();
    for (const std::uint32_t operation : order) replay->apply({operation, is_indeterminate(fault.prefix, operation)});
    StuckConfiguration stuck;
    if (r > 0) {
      if (auto reason = replay->apply(unused[r - 1])) {
        if (explanation.stuck.empty()) continue;
        std::vector<RefusedStep>& refused = explanation.stuck.front().refused;
        if (refused.size() < kMostStuck) refused.push_back({unused[r - 1].operation, *std::move(reason)});
        continue;
      }
      stuck.added.push_back(unused[r - 1].operation);
    }
    stuck.state = replay->state();
    if (!explanation.stuck.empty() && stuck.state == explanation.stuck.front().state) continue;  // it changes nothing
    auto reason = replay->apply({fault.operation, false});
    if (!reason && r == 0) explanation.message = refusal_after(problem, fault, after, *replay);
    if (!reason) continue;  // or no order: its process did the unused one after it
    reasons.add(*reason);
    stuck.refused.push_back({fault.operation, *std::move(reason)});
    if (explanation.stuck.size() < kMostStuck) explanation.stuck.push_back(std::move(stuck));
  }
  const std::string where = reasons.text();
  if (!where.empty()) explanation.message = " where " + where;
  return explanation;
}

/// How the operations of a core follow one another in time, from the fault back.
std::string order_in_words(const Problem& problem, const Failure& failure) {
  std::vector<PrecedingPair> pairs = failure.core_order;
  std::sort(pairs.begin(), pairs.end(), [&](const PrecedingPair& one, const PrecedingPair& other) {
    return problem.intervals[one.second].call > problem.intervals[other.second].call;
  });
  std::string text;
  std::uint32_t last = failure.operation;
  for (const auto& [first, second] : pairs) {
    const std::string later = second == failure.operation ? "it" : problem.describe(second);
    if (text.empty()) {
      text = problem.describe(first) + " had returned before " + later + " was called";
    } else if (second == last) {
      text += ", and " + problem.describe(first) + " before that one was";
    } else {
      text += ", " + problem.describe(first) + " before " + later + " was";
    }
    last = first;
  }
  return text;
}

/// Where their order in time is not what tells, or too long a story: which operations a core has beside the fault.
std::string others_in_words(const Problem& problem, const Failure& failure) {
  std::vector<std::uint32_t> others = failure.core;
  const bool elsewhere = std::erase(others, failure.operation) == 0;
  if (others.empty()) return {};
  // The latest say most.
  const std::size_t named = others.size() <= kMostNamed ? others.size() : kMostNamed - 1;
  std::string text;
  for (std::size_t i = others.size() - named; i < others.size(); ++i) {
    if (!text.empty()) text += named == others.size() && i + 1 == named ? " and " : ", ";
    text += problem.describe(others[i]);
  }
  if (named < others.size()) text += " and " + std::to_string(others.size() - named) + " earlier ones";
  if (elsewhere) return text + (others.size() == 1 ? " can't be placed either" : " can't be ordered either");
  return text + (others.size() == 1 ? " leaves" : " leave") + " no place for it";
}

}  // namespace

std::vector<PrecedingPair> order_in_time(const Problem& problem, std::span<const std::uint32_t> core) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Interval& first = problem.intervals[a];
    const Interval& second = problem.intervals[b];
    if (first.ret != second.call) return first.ret < second.call;
    // A process orders its own operations, also where their times tie.
    return first.process == second.process &&
           std::tuple(first.call, first.ret, a) < std::tuple(second.call, second.ret, b);
  };
  std::vector<PrecedingPair> pairs;
  for (const std::uint32_t b : core) {
    for (const std::uint32_t a : core) {
      const bool direct = before(a, b) && std::none_of(core.begin(), core.end(), [&](std::uint32_t between) {
                            return before(a, between) && before(between, b);
                          });
      if (direct) pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::string core_in_words(const Problem& problem, const Failure& failure) {
  const bool ordered = !failure.core_order.empty() && failure.core_order.size() <= kMostTold;
  const bool of_it = std::binary_search(failure.core.begin(), failure.core.end(), failure.operation);
  if (ordered && of_it && failure.core.size() <= kMostTold) return order_in_words(problem, failure);
  return others_in_words(problem, failure);
}

Explanation explain_fault(const Problem& problem, const Fault& fault, const CheckOptions& options, Limits& limits) {
  std::string text = problem.describe(fault.operation);
  if (fault.place == Fault::Place::it_or_later) {
    return {text + " or a later operation can't be placed (a limit ended the search for the first one)"};
  }
  if (fault.place == Fault::Place::it_or_earlier) {
    text += " or an operation that returned before it can't be placed";
    return {fault.refutation.message.empty() ? text : text + ": " + fault.refutation.message, fault.refutation.core};
  }
  text += " can't be placed";
  auto by_monitor = problem.monitor != nullptr ? explain_by_monitor(problem, fault, limits) : std::nullopt;
  if (!by_monitor && !fault.by_monitor) {
    Explanation explanation = explain_by_search(problem, fault, options, limits);
    explanation.message.insert(0, text);
    return explanation;
  }
  // What the object can hold says more than which operations contradict one another, but takes a search.
  Explanation explanation;
  if ((options.engine != Engine::monitor || !by_monitor) && fault.prefix.size() <= kShort) {
    Brief brief(options, limits);
    explanation = explain_by_search(problem, fault, brief.options, brief.limits);
  }
  if (by_monitor) {
    explanation.core = std::move(by_monitor->core);
    explanation.by_core = explanation.message.empty();
    if (explanation.by_core) explanation.message = ": " + by_monitor->message;
  }
  explanation.message.insert(0, text);
  return explanation;
}

}  // namespace porpentine::detail
