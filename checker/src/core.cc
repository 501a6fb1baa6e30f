// Finding a minimal core.
//
// To **weaken** an operation is to forget its outcome: it may have happened at any moment after its call, or never.
// That can only make more orders possible, so what can't be ordered with the outcomes of a few operations alone proves
// that the history can't be. Such a few, from which no further one can be weakened, are a core, and QuickXplain
// (Junker, AAAI 2004) finds one in O(k log(n / k)) checks. (To leave operations out is no such thing: without a write a
// read of its value becomes impossible.)
//
// Each check is one of the whole prefix with nearly everything weakened, which is dear. So we look for the core in a
// small **excerpt** of it, from which other operations are left out. What is minimal there is minimal in the whole,
// where more orders are possible. Whether it is a core there at all, one check of the whole tells: if not, the order
// that it found used operations that the excerpt lacks, and those are added. This ends, because the whole is an excerpt
// too.

#include "core.h"

#include <algorithm>
#include <random>
#include <utility>

#include "hitting_set.h"
#include "monitors/monitor.h"

namespace porpentine::detail {
namespace {

constexpr int kMostUnclear = 40;  // checks that may end without an answer
constexpr int kFewUnclear = 4;    // of them, while there are smaller steps to take
constexpr std::size_t kFirstWindow = 8;
constexpr std::size_t kMostRead = 8;             // operations of a core: with more another one is looked for
constexpr std::size_t kFew = 300;                // operations: any of them may be in the smallest core
constexpr std::size_t kMostContext = 4'000'000;  // operations
constexpr int kCorrectionsAtOnce = 3;

class CoreFinder {
 public:
  /// `fault`: an operation that every core holds; kNone where that is not known.
  CoreFinder(const Problem& problem, std::span<const BoundOperation> operations, std::uint32_t fault,
             const CheckOptions& options, const Limits& limits, const CoreBudget& budget, std::uint64_t most_work)
      : problem_(problem),
        options_(options),
        limits_(limits),
        fault_(fault),
        all_(operations),
        recent_(in_order_of_return(problem.intervals, operations)),
        steps_(budget.steps),
        end_(budget.end),
        most_work_(most_work) {
    std::reverse(recent_.begin(), recent_.end());
    included_.resize(all_.size(), false);
    if (fault_ != kNone) include(fault_);
  }

  [[nodiscard]] std::uint64_t work() const { return work_; }

  /// Does what may take long with three quarters of what is left, for what comes after it.
  template <typename Do>
  auto with_most(const Do& work) {
    const auto most_work = std::exchange(most_work_, most_work_ - (most_work_ - std::min(most_work_, work_)) / 4);
    const int unclear = unclear_;
    auto result = work();
    most_work_ = most_work;
    unclear_ = unclear;
    exhausted_ = false;
    return result;
  }
  Core find(std::span<const std::uint32_t> witness) {
    for (const std::uint32_t operation : witness) include(operation);
    if (witness.empty()) widen();
    while (!exhausted_) {
      const std::vector<std::uint32_t> candidates = included_candidates();
      if (check(with_fault(candidates), Among::excerpt).outcome != Outcome::invalid) {
        if (!widen()) break;
        continue;
      }
      const std::vector<std::uint32_t> core = with_fault(explain(candidates));
      Check whole = check(core, Among::all);
      if (whole.outcome == Outcome::invalid)
        return judged(options_.cores == Cores::small ? smallest_of_all(core) : core);
      if (whole.by_monitor) whole = check(core, Among::all, Wanted::order);
      if (!include_all(whole.used) && !widen()) break;
    }
    return {};
  }
  /// Weakens what it can of the whole, which is known to be wrong: of a history that only many operations together
  /// contradict, such as a sum.
  Core shrink() {
    std::vector<std::uint32_t> kept;  // the earliest first
    for (const std::uint32_t operation : recent_) {
      if (operation != fault_) kept.push_back(operation);
    }
    std::reverse(kept.begin(), kept.end());
    for (std::size_t length = (kept.size() + 1) / 2; length > 0; length /= 2) {
      const int most_unclear = length == 1 ? kMostUnclear : unclear_ + kFewUnclear;
      for (std::size_t begin = 0; begin < kept.size() && unclear_ < most_unclear && !exhausted_;) {
        const std::size_t end = std::min(begin + length, kept.size());
        std::vector<std::uint32_t> fewer(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(begin));
        fewer.insert(fewer.end(), kept.begin() + static_cast<std::ptrdiff_t>(end), kept.end());
        if (check(with_fault(fewer), Among::all).outcome == Outcome::invalid) {
          kept = std::move(fewer);
        } else {
          begin = end;
        }
      }
    }
    return judged(with_fault(std::move(kept)));
  }
  /// A core that is known to be one, with all that it may take to order the rest.
  [[nodiscard]] Core unjudged(const std::vector<std::uint32_t>& core) const { return {core, all_but(core), false}; }
  /// Any core that can be read.
  Core find_readable() {
    if (all_.size() > kFew) return find({});
    include_everything();
    const std::vector<std::uint32_t> core = with_most([&] { return smallest(included_candidates()); });
    return core.size() <= kMostRead ? judged(core) : Core{};
  }

 private:
  enum class Outcome : std::uint8_t { invalid, valid, unclear };
  enum class Among : std::uint8_t { excerpt, all };
  enum class Wanted : std::uint8_t { outcome, order };
  struct Check {
    Outcome outcome = Outcome::unclear;
    bool by_monitor = false;               // which finds no order
    std::vector<std::uint32_t> used = {};  // weakened operations in the order that was found
  };

  [[nodiscard]] std::size_t place(std::uint32_t operation) const {
    const auto found =
        std::lower_bound(all_.begin(), all_.end(), operation,
                         [](const BoundOperation& bound, std::uint32_t wanted) { return bound.operation < wanted; });
    return static_cast<std::size_t>(found - all_.begin());
  }
  bool include(std::uint32_t operation) {
    const std::size_t k = place(operation);
    if (k == all_.size() || all_[k].operation != operation || included_[k]) return false;
    included_[k] = true;
    return true;
  }
  bool include_all(std::span<const std::uint32_t> operations) {
    bool any = false;
    for (const std::uint32_t operation : operations) any |= include(operation);
    return any;
  }
  void include_everything() { included_.assign(all_.size(), true); }
  /// Twice as many of what returned last; false where nothing is left to include.
  bool widen() {
    window_ = window_ == 0 ? kFirstWindow : 2 * window_;
    bool any = false;
    for (std::size_t k = 0; k < std::min(window_, recent_.size()); ++k) any |= include(recent_[k]);
    return any || (window_ < recent_.size() && widen());
  }

  /// What may be weakened, the latest first.
  [[nodiscard]] std::vector<std::uint32_t> included_candidates() const {
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t operation : recent_) {
      if (included_[place(operation)] && operation != fault_) candidates.push_back(operation);
    }
    return candidates;
  }
  [[nodiscard]] std::vector<std::uint32_t> with_fault(std::vector<std::uint32_t> operations) const {
    if (fault_ != kNone) operations.push_back(fault_);
    std::sort(operations.begin(), operations.end());
    return operations;
  }

  /// Whether there is an order when all but `known` are weakened.
  Check check(std::span<const std::uint32_t> known, Among among, Wanted wanted = Wanted::outcome) {
    std::vector<BoundOperation> operations;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (among == Among::excerpt && !included_[k]) continue;
      operations.push_back({all_[k].operation, !std::binary_search(known.begin(), known.end(), all_[k].operation)});
    }
    const std::uint64_t looked_at = 4 * operations.size() + 16;
    Brief brief(options_, limits_, steps_);
    exhausted_ |= work_ + looked_at > most_work_ || unclear_ > kMostUnclear || Clock::now() > end_ ||
                  limits_.exhausted() || !brief.limits.has_time();
    if (exhausted_) return {};
    work_ += looked_at;
    if (problem_.monitor != nullptr && wanted == Wanted::outcome) {
      const Ruling ruling = problem_.monitor->rule(operations, brief.limits);
      if (ruling.answer == Answer::yes) return {Outcome::valid, true};
      if (ruling.answer == Answer::no) return {Outcome::invalid, true};
    }
    const Decision decision = decide(problem_, operations, Guess::invalid, true, brief.options, brief.limits);
    work_ += brief.limits.steps();
    if (decision.status == Status::invalid) return {Outcome::invalid};
    if (decision.status != Status::valid) {
      ++unclear_;
      return {};
    }
    Check check{Outcome::valid};
    for (const std::uint32_t operation : decision.attempt->search().linearization()) {
      if (!std::binary_search(known.begin(), known.end(), operation)) check.used.push_back(operation);
    }
    return check;
  }

  /// The least of the candidates that, with the fault, still can't be ordered.
  std::vector<std::uint32_t> explain(const std::vector<std::uint32_t>& candidates) {
    if (candidates.empty() || refuted({})) return {};
    return explain({}, false, candidates);
  }
  std::vector<std::uint32_t> explain(const std::vector<std::uint32_t>& background, bool grown,
                                     std::span<const std::uint32_t> candidates) {
    if (grown && refuted(background)) return {};
    if (candidates.size() == 1 || exhausted_) return {candidates.begin(), candidates.end()};
    const auto late = candidates.first(candidates.size() / 2);
    const auto early = candidates.last(candidates.size() - late.size());
    const std::vector<std::uint32_t> from_early = explain(joined(background, late), true, early);
    std::vector<std::uint32_t> core = explain(joined(background, from_early), !from_early.empty(), late);
    core.insert(core.end(), from_early.begin(), from_early.end());
    return core;
  }
  static std::vector<std::uint32_t> joined(std::vector<std::uint32_t> some, std::span<const std::uint32_t> others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
  }
  bool refuted(const std::vector<std::uint32_t>& known) {
    return check(with_fault(known), Among::excerpt).outcome == Outcome::invalid;
  }

  /// The smallest core of a short history; of a long one, in ever larger excerpts until it can be read.
  std::vector<std::uint32_t> smallest_of_all(std::vector<std::uint32_t> core) {
    if (all_.size() <= kFew) include_everything();
    return with_most([&] {
      core = smallest(std::move(core));
      while (core.size() > kMostRead && !exhausted_ && widen()) core = smallest(std::move(core));
      return core;
    });
  }
  /// The smallest core in the excerpt, or what the work allows. What is weakened where an order exists, a
  /// **correction**, meets every core, and so each core meets every correction. A smallest set that meets all known
  /// ones is a core, or leads to a further one (Ignatiev and others, "Smallest MUS extraction with minimal hitting set
  /// dualization", CP 2015).
  std::vector<std::uint32_t> smallest(std::vector<std::uint32_t> core) {
    const std::vector<std::uint32_t> candidates = included_candidates();
    std::minstd_rand random(static_cast<std::uint32_t>(candidates.size()));
    HittingSet corrections(candidates.size());
    while (core.size() > 1 && !exhausted_) {
      const std::size_t bound = fault_ == kNone ? std::min(core.size(), kMostRead + 1) : core.size() - 1;
      const auto met = corrections.smallest(bound);
      if (!met) break;
      std::vector<std::uint32_t> known;
      for (const std::uint32_t k : *met) known.push_back(candidates[k]);
      known = with_fault(std::move(known));
      const Outcome outcome = check(known, Among::excerpt).outcome;
      if (outcome == Outcome::unclear) break;
      if (outcome == Outcome::invalid) {
        const Check whole = check(known, Among::all, Wanted::order);
        if (whole.outcome == Outcome::invalid) return known;
        return include_all(whole.used) ? smallest(std::move(core)) : core;
      }
      for (int k = 0; k < kCorrectionsAtOnce; ++k) corrections.add(correction(candidates, *met, random));
    }
    return core;
  }
  /// What has to be weakened beside what is not in the excerpt: of the candidates, by number, none of those `met`.
  std::vector<std::uint32_t> correction(const std::vector<std::uint32_t>& candidates,
                                        const std::vector<std::uint32_t>& met, std::minstd_rand& random) {
    std::vector<std::uint32_t> kept;
    kept.reserve(candidates.size());
    for (const std::uint32_t k : met) kept.push_back(candidates[k]);
    std::vector<std::uint32_t> others;
    for (std::uint32_t k = 0; k < candidates.size(); ++k) {
      if (std::find(met.begin(), met.end(), k) == met.end()) others.push_back(k);
    }
    for (std::size_t k = others.size(); k > 1; --k) std::swap(others[k - 1], others[random() % k]);
    std::vector<std::uint32_t> correction;
    keep(candidates, others, kept, correction);
    return correction;
  }
  /// Keeps as many of the others as can be, and corrects by the rest.
  void keep(const std::vector<std::uint32_t>& candidates, std::span<const std::uint32_t> others,
            std::vector<std::uint32_t>& kept, std::vector<std::uint32_t>& correction) {
    if (others.empty() || exhausted_) return;
    std::vector<std::uint32_t> more = kept;
    for (const std::uint32_t k : others) more.push_back(candidates[k]);
    if (check(with_fault(more), Among::excerpt).outcome == Outcome::valid) {
      kept = std::move(more);
    } else if (others.size() == 1) {
      correction.push_back(others.front());
    } else {
      keep(candidates, others.first(others.size() / 2), kept, correction);
      keep(candidates, others.subspan(others.size() / 2), kept, correction);
    }
  }

  /// What of the whole can be placed at all when all but the core is weakened.
  std::vector<std::uint32_t> all_but(const std::vector<std::uint32_t>& core) const {
    std::vector<BoundOperation> operations;
    for (const BoundOperation& bound : all_) {
      operations.push_back({bound.operation, !std::binary_search(core.begin(), core.end(), bound.operation)});
    }
    const std::vector<Label> labels = problem_.bind(operations).labels;
    std::vector<std::uint32_t> others;
    for (std::size_t k = 0; k < operations.size(); ++k) {
      if (operations[k].indeterminate && labels[k] != kIrrelevant) others.push_back(operations[k].operation);
    }
    return others;
  }

  /// With what it takes to order the rest where one of the core is weakened; with all there is where that can't be
  /// told.
  Core judged(const std::vector<std::uint32_t>& core) {
    Core result{core, {}, true};
    for (const std::uint32_t operation : core) {
      std::vector<std::uint32_t> others = core;
      std::erase(others, operation);
      Check without = check(others, Among::excerpt, Wanted::order);
      // The excerpt may lack what the others need: that they can be ordered without the fault is known of the whole.
      if (without.outcome == Outcome::invalid) without = check(others, Among::all, Wanted::order);
      if (without.outcome != Outcome::valid) return unjudged(core);
      for (const std::uint32_t used : without.used) {
        if (!std::binary_search(core.begin(), core.end(), used)) result.context.push_back(used);
      }
    }
    std::sort(result.context.begin(), result.context.end());
    result.context.erase(std::unique(result.context.begin(), result.context.end()), result.context.end());
    return result;
  }

  const Problem& problem_;
  const CheckOptions& options_;
  const Limits& limits_;
  const std::uint32_t fault_;
  const std::span<const BoundOperation> all_;  // by index
  std::vector<std::uint32_t> recent_;          // those that returned, the latest first
  std::vector<bool> included_;                 // by place in all_: the excerpt
  std::size_t window_ = 0;
  const std::uint64_t steps_;  // of one check
  const Clock::time_point end_;
  std::uint64_t most_work_;
  std::uint64_t work_ = 0;
  int unclear_ = 0;
  bool exhausted_ = false;
};

}  // namespace

CoreBudget::CoreBudget(const CheckOptions& options) {
  if (options.cores != Cores::small || !options.time_limit) return;
  const auto times = std::chrono::duration_cast<std::chrono::seconds>(*options.time_limit) / kTimeOfOne;
  const auto factor = static_cast<std::uint64_t>(std::clamp<std::int64_t>(times, 1, kMostTimes));
  work *= factor;
  steps *= factor;
  end = Clock::now() + kLongestOfOne * factor;
}

Core find_core(const Problem& problem, std::span<const BoundOperation> operations, const Fault& fault,
               std::span<const std::uint32_t> witness, const CheckOptions& options, const Limits& limits,
               CoreBudget& budget) {
  const bool small = options.cores == Cores::small;
  CoreFinder finder(problem, fault.prefix, fault.operation, options, limits, budget, budget.work / 2);
  Core core = finder.with_most([&] { return finder.find(witness); });
  if (core.operations.empty()) {
    if (witness.empty()) {
      core = finder.shrink();
    } else if (small && fault.prefix.size() <= kMostContext) {
      core = finder.unjudged({witness.begin(), witness.end()});
    }
  }
  budget.work -= std::min(budget.work, finder.work());
  if (core.operations.size() <= kMostRead || !small) return core;
  // There may be another contradiction later on that is easier to read.
  CoreFinder elsewhere(problem, operations, kNone, options, limits, budget, budget.work * 3 / 4);
  Core other = elsewhere.find_readable();
  budget.work -= std::min(budget.work, elsewhere.work());
  return !other.operations.empty() && other.operations.size() <= kMostRead ? other : core;
}

}  // namespace porpentine::detail
