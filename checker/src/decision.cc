#include "decision.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "monitors/monitor.h"

namespace porpentine::detail {
namespace {

Bound bind(const Problem& problem, std::span<const BoundOperation> operations, const CheckOptions& options) {
  Bound bound = problem.bind(operations);
  if (options.test_promises) bound.machine = test_promises_of(std::move(bound.machine));
  return bound;
}

std::unique_ptr<Search> make_search(SearchOrder order, const Timeline& timeline, Machine& machine, Meter& meter,
                                    bool record) {
  return order == SearchOrder::depth_first ? make_depth_first(timeline, machine, meter)
                                           : make_breadth_first(timeline, machine, meter, record);
}

/// Prefixes of a history by number of returns.
class Prefixes {
 public:
  Prefixes(const Problem& problem, std::span<const BoundOperation> operations)
      : problem_(problem), operations_(operations), returns_(in_order_of_return(problem.intervals, operations)) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;  // operation, and the returns up to its own
    for (const std::uint32_t operation : returns_) {
      counts.emplace_back(operation, static_cast<std::uint32_t>(counts.size() + 1));
    }
    std::sort(counts.begin(), counts.end());
    returned_by_.reserve(operations_.size());
    std::size_t next = 0;
    for (const BoundOperation& bound : operations_)
      returned_by_.push_back(bound.indeterminate ? kNone : counts[next++].second);
  }

  [[nodiscard]] std::size_t size() const { return returns_.size(); }
  /// The operation that returns as the `count`th one, from 1.
  [[nodiscard]] std::uint32_t last_of(std::size_t count) const { return returns_[count - 1]; }
  [[nodiscard]] std::size_t count_up_to(std::uint32_t operation) const {
    const auto found = std::find(returns_.begin(), returns_.end(), operation);
    return static_cast<std::size_t>(found - returns_.begin()) + 1;
  }
  /// What was called by the `called_by`th return, with the outcomes that were known at the `count`th.
  [[nodiscard]] std::vector<BoundOperation> prefix(std::size_t count, std::size_t called_by) const {
    std::vector<BoundOperation> prefix;
    const std::int64_t now = problem_.intervals[last_of(called_by)].ret;
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      const std::uint32_t operation = operations_[k].operation;
      if (problem_.intervals[operation].call <= now) prefix.push_back({operation, returned_by_[k] > count});
    }
    return prefix;
  }
  /// What was called by the `count`th return, with all outcomes that are known ever, but for those of `doubted` that
  /// were not known by then. Where that is linearizable, so is the prefix, which knows less.
  [[nodiscard]] std::vector<BoundOperation> foreseen(std::size_t count, std::span<const std::uint32_t> doubted) const {
    std::vector<BoundOperation> all = prefix(size(), count);
    const std::vector<BoundOperation> known = prefix(count, count);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool doubts = std::find(doubted.begin(), doubted.end(), all[k].operation) != doubted.end();
      all[k].indeterminate |= doubts && known[k].indeterminate;
    }
    return all;
  }

 private:
  const Problem& problem_;
  std::span<const BoundOperation> operations_;  // by index
  std::vector<std::uint32_t> returns_;
  std::vector<std::uint32_t> returned_by_;  // by position in operations_: returns up to its own; kNone: none
};

}  // namespace

Attempt::Attempt(const Problem& problem, std::span<const BoundOperation> operations,
                 std::shared_ptr<const Timeline> timeline, SearchOrder order, bool record, const CheckOptions& options,
                 Limits& limits, const std::atomic<bool>& stop)
    : order_(order),
      bound_(bind(problem, operations, options)),
      timeline_(timeline ? std::move(timeline)
                         : std::make_shared<const Timeline>(
                               make_timeline(problem.intervals, operations, std::exchange(bound_.labels, {})))),
      meter_(limits, stop),
      search_(make_search(order, *timeline_, *bound_.machine, meter_, record)) {
  bound_.labels = {};
}

std::uint32_t Attempt::reached_operation() const {
  const std::uint32_t index = search_->reached();
  return index < timeline_->returns.size() ? timeline_->operation[timeline_->returns[index]] : kNone;
}

std::uint32_t Attempt::blamed_operation() const {
  return search_->blamed() == kNone ? kNone : timeline_->operation[search_->blamed()];
}

std::vector<BoundOperation> bound_operations(const Problem& problem, const Problem::Part& part) {
  std::vector<BoundOperation> operations;
  operations.reserve(part.operations.size());
  for (const std::uint32_t operation : part.operations) {
    operations.push_back({operation, problem.intervals[operation].indeterminate});
  }
  return operations;
}

Decision decide(const Problem& problem, std::span<const BoundOperation> operations, Guess guess, bool record,
                const CheckOptions& options, Limits& limits) {
  const std::atomic<bool> never = false;
  const bool both = options.order == SearchOrder::portfolio;
  std::array<std::unique_ptr<Attempt>, 2> attempts;
  std::array<std::uint64_t, 2> budgets{};
  for (std::size_t turn = 0;; turn = both ? 1 - turn : turn) {
    std::unique_ptr<Attempt>& attempt = attempts[turn];
    if (!attempt) {
      if (!limits.has_time() || !limits.admits(Attempt::memory_to_begin(operations.size()))) return {};
      const bool depth = (turn == 0) == (guess == Guess::valid);
      const SearchOrder order = !both ? options.order : depth ? SearchOrder::depth_first : SearchOrder::breadth_first;
      auto timeline = attempts[1 - turn] ? attempts[1 - turn]->timeline() : nullptr;
      attempt =
          std::make_unique<Attempt>(problem, operations, std::move(timeline), order, record, options, limits, never);
      budgets[turn] = attempt->first_budget();
    }
    const Status status = attempt->run(budgets[turn]);
    if (status == Status::stopped) return {};
    if (status != Status::undecided) return {status, std::move(attempt)};
    budgets[turn] *= 2;
  }
}

Suspect suspect(const Ruling& ruling, std::span<const Interval> intervals) {
  std::uint32_t last = kNone;
  for (const std::uint32_t operation : ruling.core) {
    if (intervals[operation].indeterminate) continue;
    if (last == kNone || std::tuple(intervals[operation].ret, intervals[operation].call, operation) >
                             std::tuple(intervals[last].ret, intervals[last].call, last)) {
      last = operation;
    }
  }
  static_assert(kNobody == kNone);
  return last == kNone ? Suspect{ruling.suspect} : Suspect{last, true};
}

namespace {

/// Finds the first return at which a refuted history stops being linearizable.
class FaultFinder {
 public:
  FaultFinder(const Problem& problem, std::span<const BoundOperation> operations, const CheckOptions& options,
              Limits& limits)
      : problem_(problem), options_(options), limits_(limits), prefixes_(problem, operations) {
    invalid_ = prefixes_.size();
  }

  Fault find(const Refutation& refutation) {
    Fault fault;
    fault.by_monitor = refutation.by_monitor;
    const bool exact = refutation.by_monitor ? narrow_by_monitor(refutation.blamed) : narrow_by_search(refutation);
    if (!exact) fault.place = refutation.by_monitor ? Fault::Place::it_or_earlier : Fault::Place::it_or_later;
    const std::size_t count = fault.place == Fault::Place::it_or_later ? valid_ + 1 : invalid_;
    fault.operation = prefixes_.last_of(count);
    fault.longest_prefix = exact ? count - 1 : valid_;
    fault.prefix = prefixes_.prefix(count - 1, count);
    if (fault.place == Fault::Place::it_or_earlier) {
      Ruling ruling = problem_.monitor->rule(prefixes_.prefix(count, count), limits_);
      fault.refutation = {std::move(ruling.why), std::move(ruling.core)};
    }
    return fault;
  }

 private:
  /// Whether a prefix is linearizable: by a monitor where that can tell.
  struct PrefixDecision {
    Status status;
    Suspect suspect = {};
  };

  /// False where it can't be told, or a limit is reached.
  bool try_prefix(std::size_t count, Guess guess = Guess::valid) {
    suspect_ = {};
    if (count <= valid_ || count >= invalid_) return true;
    const PrefixDecision decision = decide_prefix(count, guess);
    if (decision.status == Status::stopped) return false;
    (decision.status == Status::valid ? valid_ : invalid_) = count;
    suspect_ = decision.suspect;
    return true;
  }

  PrefixDecision decide_prefix(std::size_t count, Guess guess) {
    const std::vector<BoundOperation> prefix = prefixes_.prefix(count, count);
    if (problem_.monitor != nullptr) {
      const Ruling ruling = problem_.monitor->rule(prefix, limits_);
      if (ruling.answer == Answer::yes) return {Status::valid};
      if (ruling.answer == Answer::no) return {Status::invalid, suspect(ruling, problem_.intervals)};
      if (ruling.answer == Answer::stopped) return {Status::stopped};
      if (holds_as_foreseen(count)) return {Status::valid};
    }
    if (brief_) return {decide(problem_, prefix, guess, false, brief_->options, brief_->limits).status};
    return {decide(problem_, prefix, guess, false, options_, limits_).status};
  }

  /// What still runs at the end of a prefix is indeterminate there, of which a monitor may know less than of what it
  /// did later. The operation that returns next, and those that were suspected, may be wrong themselves.
  bool holds_as_foreseen(std::size_t count) {
    std::vector<std::uint32_t> doubted = suspects_;
    doubted.push_back(prefixes_.last_of(count + 1));
    return problem_.monitor->rule(prefixes_.foreseen(count, doubted), limits_).answer == Answer::yes;
  }

  /// Nearly always the operation to blame is the one, or the one at which the search ended.
  bool narrow_by_search(const Refutation& refutation) {
    // It got to the return of `reached`: what returned before that is linearizable.
    valid_ = prefixes_.count_up_to(refutation.reached) - 1;
    if (refutation.blamed.operation != kNone) {
      const std::size_t count = prefixes_.count_up_to(refutation.blamed.operation);
      const Guess hard = refutation.order == SearchOrder::depth_first ? Guess::valid : Guess::invalid;
      if (!try_prefix(count - 1) || !try_prefix(count, hard)) return false;
    }
    return gallop_up() && bisect();
  }

  /// By the last return of its operations a core shows that the history is wrong. If it is wrong before, there is
  /// another core. Without a core it gets wrong about where the monitor suspects.
  bool narrow_by_monitor(Suspect suspect) {
    brief_.emplace(options_, limits_);  // for prefixes that the monitor leaves to a search
    suspect_ = suspect;
    while (suspect_.certain && valid_ + 1 < invalid_) {
      invalid_ = std::min(invalid_, prefixes_.count_up_to(suspect_.operation));
      suspects_.push_back(suspect_.operation);
      if (!try_prefix(invalid_ - 1)) return bound_below();
    }
    if (suspect_.operation != kNone) {
      const std::size_t count = prefixes_.count_up_to(suspect_.operation);
      suspects_.push_back(suspect_.operation);
      if (!try_prefix(count)) {
        bound_above(count);
        return bound_below();
      }
      if (valid_ >= count) return (gallop_up() && bisect()) || bound_below();
    }
    return (gallop_down() && bisect()) || bound_below();
  }

  /// What the monitor can't tell there it may tell a little later.
  void bound_above(std::size_t count) {
    const std::size_t before = invalid_;
    for (std::size_t stride = 1; count + stride < invalid_ && invalid_ == before && limits_.has_time(); stride *= 2) {
      try_prefix(count + stride);
    }
  }
  /// Or a little earlier. Whether that leaves no doubt.
  bool bound_below() {
    const std::size_t before = valid_;
    std::size_t stride = 1;
    for (; valid_ + stride < invalid_ && valid_ == before && limits_.has_time(); stride *= 2) {
      try_prefix(invalid_ - stride);
    }
    std::size_t unclear = std::min(invalid_, valid_ + stride / 2);
    while (valid_ + 1 < unclear && limits_.has_time()) {
      const std::size_t middle = valid_ + (unclear - valid_) / 2;
      try_prefix(middle);
      unclear = valid_ == middle ? std::min(unclear, invalid_) : middle;
    }
    return valid_ + 1 == invalid_;
  }

  // From a bound on, in strides that double, until there is one on the other side.
  bool gallop_up() {
    const std::size_t before = invalid_;
    for (std::size_t stride = 1; valid_ + stride < invalid_ && invalid_ == before; stride *= 2) {
      if (!try_prefix(valid_ + stride)) return false;
    }
    return true;
  }
  bool gallop_down() {
    const std::size_t before = valid_;
    for (std::size_t stride = 1; valid_ + stride < invalid_ && valid_ == before; stride *= 2) {
      if (!try_prefix(invalid_ - stride)) return false;
    }
    return true;
  }

  bool bisect() {
    while (valid_ + 1 < invalid_) {
      if (!try_prefix(valid_ + (invalid_ - valid_) / 2)) return false;
    }
    return true;
  }

  const Problem& problem_;
  const CheckOptions& options_;
  Limits& limits_;
  Prefixes prefixes_;
  std::optional<Brief> brief_;
  std::size_t valid_ = 0;
  std::size_t invalid_ = 0;
  Suspect suspect_ = {};                 // of the last prefix that was tried
  std::vector<std::uint32_t> suspects_;  // all operations that a monitor blamed
};

}  // namespace

Fault locate_fault(const Problem& problem, std::span<const BoundOperation> operations, const Refutation& refutation,
                   const CheckOptions& options, Limits& limits) {
  return FaultFinder(problem, operations, options, limits).find(refutation);
}

}  // namespace porpentine::detail
