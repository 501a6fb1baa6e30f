// Saying in one line why an operation can't be placed.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "decision.h"
#include "monitors/monitor.h"

namespace porpentine::detail {
namespace {

constexpr std::size_t kMostReasons = 3;
constexpr std::size_t kMostStuck = 8;
constexpr std::size_t kMostPlaces = 256;
constexpr std::size_t kMostAccepted = 3;  // places at which what follows has to be looked at
// Operations of a core, and pairs of them, whose order in time is part of the message.
constexpr std::size_t kMostTold = 3;
constexpr std::size_t kMostCounted = 24;          // operations of a core that a message speaks of
constexpr std::size_t kMostNamed = 4;             // operations of a core, beside the fault, that a message names
constexpr std::size_t kShort = 20'000;            // operations; a search that only finds words must not cost much
constexpr std::size_t kMostReplayed = 4'000'000;  // operations; explaining must not cost more than deciding

/// Cuts a text at its blanks, but for those in quotes and brackets.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ' ' && !quoted && depth == 0) {
      words.emplace_back();
      continue;
    }
    words.back() += c;
    if (c == '\\' && quoted && i + 1 < text.size()) words.back() += text[++i];
  }
  return words;
}

/// "a", "a or b", "a, b or c": with `last` before the last one.
std::string joined(std::span<const std::string> texts, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text += i + 1 == texts.size() ? last : ", ";
    text += texts[i];
  }
  return text;
}

/// Where it is a list of examples alone, "1, 2, 3, ...".
std::string joined_by_or(std::span<const std::string> texts, bool examples) {
  return examples ? joined(texts, ", ") + ", ..." : joined(texts, " or ");
}

/// Collects different reasons. The latest ones are told, in their order.
class Reasons {
 public:
  void add(const std::string& reason) {
    if (reason.empty()) return;
    std::erase(reasons_, reason);
    reasons_.push_back(reason);
  }
  /// "the register holds 1, 2 or 3" where the reasons differ in one word alone, else each in full.
  [[nodiscard]] std::string text() const {
    const std::size_t told = std::min(reasons_.size(), kMostReasons);
    const std::span<const std::string> latest = std::span(reasons_).last(told);
    const bool examples = told < reasons_.size();
    if (told < 2) return told == 0 ? std::string() : latest.front();
    std::vector<std::vector<std::string>> words;
    words.reserve(told);
    for (const std::string& reason : latest) words.push_back(words_of(reason));
    const std::size_t different = the_different_word(words);
    if (different == kNoWord) return joined_by_or(latest, examples);
    std::vector<std::string> values;
    values.reserve(told);
    for (const std::vector<std::string>& reason : words) values.push_back(reason[different]);
    std::string text;
    for (std::size_t k = 0; k < words.front().size(); ++k) {
      if (k > 0) text += ' ';
      text += k == different ? joined_by_or(values, examples) : words.front()[k];
    }
    return text;
  }

 private:
  static constexpr std::size_t kNoWord = ~std::size_t{0};

  static std::size_t the_different_word(const std::vector<std::vector<std::string>>& reasons) {
    const std::vector<std::string>& first = reasons.front();
    std::size_t different = kNoWord;
    for (const std::vector<std::string>& reason : reasons) {
      if (reason.size() != first.size()) return kNoWord;
      for (std::size_t k = 0; k < first.size(); ++k) {
        if (reason[k] == first[k] || k == different) continue;
        if (different != kNoWord) return kNoWord;
        different = k;
      }
    }
    return different;
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

/// Looks for a place for the fault in an order of what came before it.
class PlaceFinder {
 public:
  PlaceFinder(const Problem& problem, const Fault& fault) : problem_(problem), fault_(fault) {}

  Explanation find(const CheckOptions& options, Limits& limits) {
    std::vector<BoundOperation> others = fault_.prefix;
    std::erase_if(others, [&](const BoundOperation& bound) { return bound.operation == fault_.operation; });
    const auto order = order_of(others, options, limits);
    if (order) {
      explanation_.order = *order;
      try_places();
      try_last(left_out(others, *order));
    } else if (const auto with_fault = order_of(fault_.prefix, options, limits)) {
      // Others saw already what it did: it has to be where they need it.
      const auto place = std::find(with_fault->begin(), with_fault->end(), fault_.operation);
      explanation_.order.assign(with_fault->begin(), place);
      if (place != with_fault->end()) try_before({place + 1, with_fault->end()});
    } else {
      return {};
    }
    const std::string where = reasons_.text();
    if (!where.empty()) explanation_.message = " where " + where;
    if (!followers_.empty()) explanation_.message += (where.empty() ? "" : ";") + followers_;
    return std::move(explanation_);
  }

 private:
  /// An order of all that returned, first without those that still run but for what has no known outcome ever.
  std::optional<std::vector<std::uint32_t>> order_of(std::span<const BoundOperation> operations,
                                                     const CheckOptions& options, Limits& limits) const {
    std::vector<BoundOperation> returned(operations.begin(), operations.end());
    const auto running = std::erase_if(returned, [&](const BoundOperation& bound) { return is_running(bound); });
    if (running > 0 && operations.size() <= kShort) {
      Brief brief(options, limits);
      const Decision decision = decide(problem_, returned, Guess::valid, true, brief.options, brief.limits);
      if (decision.status == Status::valid) {
        return complete_order(problem_, returned, decision.attempt->search().linearization());
      }
    }
    const Decision decision = decide(problem_, operations, Guess::valid, true, options, limits);
    if (decision.status != Status::valid) return std::nullopt;
    return complete_order(problem_, operations, decision.attempt->search().linearization());
  }
  /// Whether it had not returned by then but did so later.
  [[nodiscard]] bool is_running(const BoundOperation& bound) const {
    return bound.indeterminate && !problem_.intervals[bound.operation].indeterminate &&
           bound.operation != fault_.operation;
  }
  void apply(Replay& replay, std::uint32_t operation) const {
    replay.apply({operation, is_indeterminate(fault_.prefix, operation)});
  }
  std::unique_ptr<Replay> replay_of(std::span<const std::uint32_t> order) const {
    std::unique_ptr<Replay> replay = problem_.replay();
    for (const std::uint32_t operation : order) apply(*replay, operation);
    return replay;
  }
  [[nodiscard]] bool is_before_fault(std::uint32_t operation) const {
    const Interval& interval = problem_.intervals[operation];
    const Interval& fault = problem_.intervals[fault_.operation];
    return !interval.indeterminate && (interval.ret < fault.call || interval.process == fault.process);
  }

  /// At all moments at which it ran but the last one.
  void try_places() {
    const std::span<const std::uint32_t> order = explanation_.order;
    const auto last = std::find_if(order.rbegin(), order.rend(), [&](std::uint32_t o) { return is_before_fault(o); });
    auto first = static_cast<std::size_t>(order.rend() - last);
    first = std::max(first, order.size() - std::min(order.size(), kMostPlaces));
    if (order.size() > kMostReplayed || first == order.size()) return;
    std::unique_ptr<Replay> replay = replay_of(order.first(first));
    for (std::size_t accepted = 0; first < order.size() && accepted < kMostAccepted; ++first) {
      if (const auto reason = replay->apply({fault_.operation, false})) {
        reasons_.add(*reason);
      } else {
        ++accepted;
        tell_followers(order.subspan(first), *replay, first == 0 ? kNone : order[first - 1]);
        replay = replay_of(order.first(first));
      }
      apply(*replay, order[first]);
    }
  }
  /// What can't follow the fault where it can be placed.
  void tell_followers(std::span<const std::uint32_t> order, Replay& replay, std::uint32_t before) {
    for (const std::uint32_t operation : order) {
      const auto reason = replay.apply({operation, is_indeterminate(fault_.prefix, operation)});
      if (!reason) continue;
      const std::string place = before == kNone ? "first" : "right after " + problem_.describe(before);
      followers_ =
          " it could come " + place + ", but then " + problem_.describe(operation) + " can't follow, as " + *reason;
      return;
    }
  }

  /// After all, and after one more that may or may not have happened.
  void try_last(std::span<const BoundOperation> unused) {
    const std::vector<std::uint32_t>& order = explanation_.order;
    const std::size_t replays = std::min(unused.size() + 1, kMostReplayed / (order.size() + 1) + 1);
    std::vector<std::string> states;
    for (std::size_t r = 0; r < replays && explanation_.stuck.size() < kMostStuck; ++r) {
      const std::unique_ptr<Replay> replay = replay_of(order);
      StuckConfiguration stuck;
      if (r > 0) {
        const BoundOperation& added = unused[r - 1];
        // What it returned later, where it did, counts too.
        if (auto reason = replay->apply({added.operation, !is_running(added)})) {
          if (explanation_.stuck.empty()) continue;
          std::vector<RefusedStep>& refused = explanation_.stuck.front().refused;
          if (refused.size() < kMostStuck) refused.push_back({added.operation, *std::move(reason)});
          continue;
        }
        stuck.added.push_back(added.operation);
      }
      stuck.state = replay->state();
      if (std::find(states.begin(), states.end(), stuck.state) != states.end()) continue;  // it changes nothing
      auto reason = replay->apply({fault_.operation, false});
      if (!reason) continue;  // no order: its process did the unused one after it
      states.push_back(stuck.state);
      reasons_.add(*reason);
      stuck.refused.push_back({fault_.operation, *std::move(reason)});
      explanation_.stuck.push_back(std::move(stuck));
    }
  }

  /// Before those that saw what it did.
  void try_before(const std::vector<std::uint32_t>& after) {
    const std::unique_ptr<Replay> replay = replay_of(explanation_.order);
    StuckConfiguration stuck;
    stuck.state = replay->state();
    if (auto reason = replay->apply({fault_.operation, false})) {
      reasons_.add(*reason);
      stuck.refused.push_back({fault_.operation, *std::move(reason)});
      explanation_.stuck.push_back(std::move(stuck));
      return;
    }
    for (const std::uint32_t operation : after) {
      const auto reason = replay->apply({operation, is_indeterminate(fault_.prefix, operation)});
      if (!reason) continue;
      followers_ = " where others need it: " + problem_.describe(operation) + " can't come after it, as " + *reason;
      return;
    }
  }

  const Problem& problem_;
  const Fault& fault_;
  Explanation explanation_;
  Reasons reasons_;
  std::string followers_;
};

/// Operations that had all returned before others were called.
struct Succession {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
};

/// The successions of a core, the latest first.
std::vector<Succession> successions(const Problem& problem, const Failure& failure) {
  std::vector<PrecedingPair> pairs = failure.core_order;
  std::stable_sort(pairs.begin(), pairs.end(), [&](const PrecedingPair& one, const PrecedingPair& other) {
    return problem.intervals[one.second].call > problem.intervals[other.second].call;
  });
  std::vector<Succession> all;
  for (const auto& [first, second] : pairs) {
    if (!all.empty() && all.back().second == std::vector{second}) {
      all.back().first.push_back(first);
    } else {
      all.push_back({{first}, {second}});
    }
  }
  for (std::size_t k = 0; k + 1 < all.size();) {
    if (all[k].first == all[k + 1].first) {
      all[k].second.push_back(all[k + 1].second.front());
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    } else {
      ++k;
    }
  }
  return all;
}

/// How the operations of a core follow one another in time, from the fault back.
std::string order_in_words(const Problem& problem, const Failure& failure) {
  const auto names = [&](std::span<const std::uint32_t> operations) {
    std::vector<std::string> texts;
    texts.reserve(operations.size());
    for (const std::uint32_t operation : operations) {
      texts.push_back(operation == failure.operation ? "it" : problem.describe(operation));
    }
    return joined(texts, " and ");
  };
  std::string text;
  const std::vector<std::uint32_t>* last = nullptr;
  for (const Succession& succession : successions(problem, failure)) {
    const std::string called = succession.second.size() == 1 ? " was" : " were";
    if (last == nullptr) {
      text = names(succession.first) + " had returned before " + names(succession.second) + called + " called";
    } else if (last->size() == 1 && succession.second == *last) {
      text += ", and " + names(succession.first) + " before that one" + called;
    } else {
      text += ", and " + names(succession.first) + " before " + names(succession.second) + called;
    }
    last = &succession.first;
  }
  return text;
}

/// Where their order in time is not what tells, or too long a story: which operations a core has beside the fault.
std::string others_in_words(const Problem& problem, std::vector<std::uint32_t> others) {
  if (others.size() > kMostCounted) return {};
  // The latest say most.
  const std::size_t named = others.size() <= kMostNamed ? others.size() : kMostNamed - 1;
  std::vector<std::string> texts;
  for (std::size_t i = others.size() - named; i < others.size(); ++i) texts.push_back(problem.describe(others[i]));
  if (named < others.size()) {
    const std::size_t more = others.size() - named;
    texts.push_back(std::to_string(more) + (more == 1 ? " earlier one" : " earlier ones"));
  }
  return joined(texts, " and ");
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
  const std::int64_t end = problem.intervals[failure.operation].ret;
  std::vector<std::uint32_t> others = failure.core;
  const bool ends_with_it = std::erase(others, failure.operation) > 0 &&
                            std::all_of(others.begin(), others.end(), [&](std::uint32_t operation) {
                              return problem.intervals[operation].ret <= end;
                            });
  if (!ends_with_it) {
    const std::string text = others_in_words(problem, failure.core);
    if (text.empty()) return {};
    return failure.core.size() == 1 ? "; later, " + text + " can't be placed either"
                                    : "; fewer operations contradict one another later: " + text;
  }
  if (others.empty()) return ", whatever the others did";
  const bool ordered = !failure.core_order.empty() && failure.core_order.size() <= kMostTold;
  if (ordered && failure.core.size() <= kMostTold) return ": " + order_in_words(problem, failure);
  const std::string text = others_in_words(problem, others);
  return text.empty() ? text : ": " + text + (others.size() == 1 ? " leaves" : " leave") + " no place for it";
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
    Explanation explanation = PlaceFinder(problem, fault).find(options, limits);
    explanation.message.insert(0, text);
    return explanation;
  }
  // What the object can hold says more than which operations contradict one another, but takes a search.
  Explanation explanation;
  if ((options.engine != Engine::monitor || !by_monitor) && fault.prefix.size() <= kShort) {
    Brief brief(options, limits);
    explanation = PlaceFinder(problem, fault).find(brief.options, brief.limits);
  }
  if (by_monitor) {
    explanation.core = std::move(by_monitor->core);
    // What is wrong with one or two operations is a fact of its own: "nobody wrote 3".
    explanation.by_core = explanation.message.empty() || explanation.core.size() <= 2;
    if (explanation.by_core) explanation.message += ": " + by_monitor->message;
  }
  explanation.message.insert(0, text);
  return explanation;
}

}  // namespace porpentine::detail
