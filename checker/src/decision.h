// Deciding one partition, by one search or by both in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/checker/engine.h>

#include "meter.h"
#include "search.h"
#include "timeline.h"

namespace porpentine::detail {

struct Ruling;

/// One order of the search, with the machine that it alone uses.
class Attempt {
 public:
  /// `timeline` is that of another attempt at the same operations; it is made where there is none.
  Attempt(const Problem& problem, std::span<const BoundOperation> operations, std::shared_ptr<const Timeline> timeline,
          SearchOrder order, bool record, const CheckOptions& options, Limits& limits, const std::atomic<bool>& stop);

  /// Bytes that an attempt takes before its first step, about: the bound operations, the machine and the timeline.
  static std::uint64_t memory_to_begin(std::size_t operations) { return 160 * std::uint64_t{operations}; }

  Status run(std::uint64_t budget) { return search_->run(budget); }
  [[nodiscard]] const Search& search() const { return *search_; }
  [[nodiscard]] std::shared_ptr<const Timeline> timeline() const { return timeline_; }
  [[nodiscard]] SearchOrder order() const { return order_; }
  /// Steps that are worth spending before the other order is tried: a walk that hardly ever goes back, or a narrow
  /// frontier.
  [[nodiscard]] std::uint64_t first_budget() const {
    const std::uint64_t steps = order_ == SearchOrder::depth_first ? 8 : 64;
    return steps * timeline_->returns.size() + 4096;
  }
  /// The operation (an index into the problem's intervals) whose return was reached; kNone at the end.
  [[nodiscard]] std::uint32_t reached_operation() const;
  [[nodiscard]] std::uint32_t blamed_operation() const;

 private:
  SearchOrder order_;
  Bound bound_;
  std::shared_ptr<const Timeline> timeline_;
  Meter meter_;
  std::unique_ptr<Search> search_;
};

/// What a decision is expected to be: depth first is tried first for a valid one, breadth first for an invalid one.
enum class Guess : std::uint8_t { valid, invalid };

/// Decides on the calling thread, whatever it takes. The attempt that decided; null where a limit was reached.
struct Decision {
  Status status = Status::stopped;
  std::unique_ptr<Attempt> attempt;
};
Decision decide(const Problem& problem, std::span<const BoundOperation> operations, Guess guess, bool record,
                const CheckOptions& options, Limits& limits);

/// The operations of a partition as the searches take them.
std::vector<BoundOperation> bound_operations(const Problem& problem, const Problem::Part& part);

/// A budget for what only makes a verdict easier to understand, by default a few tenths of a second, in the time that
/// is left.
struct Brief {
  static constexpr std::uint64_t kSteps = 500'000;
  Brief(CheckOptions all, const Limits& spent, std::uint64_t steps = kSteps)
      : options(limited(std::move(all), spent, steps)), limits(options) {}

  CheckOptions options;
  Limits limits;

 private:
  static CheckOptions limited(CheckOptions options, const Limits& spent, std::uint64_t steps) {
    options.step_limit = std::min(options.step_limit.value_or(steps), steps);
    if (options.time_limit) *options.time_limit -= spent.elapsed();
    return options;
  }
};

/// What a Failure says in words.
struct Explanation {
  std::string message = {};
  std::vector<std::uint32_t> core = {};
  bool by_core = false;  ///< the message tells what contradicts what
  std::vector<std::uint32_t> order = {};
  std::vector<StuckConfiguration> stuck = {};
};

/// The first return without which the history is linearizable and with which it is not.
struct Fault {
  /// Whether the return is the one, as far as limits let that be found out.
  enum class Place : std::uint8_t { exact, it_or_later, it_or_earlier };

  std::uint32_t operation = kNone;  ///< index into the problem's intervals
  std::uint64_t longest_prefix =
      0;  ///< returns before it; where it may be an earlier one, those that are known to be valid
  Place place = Place::exact;
  bool by_monitor = false;             ///< a monitor refuted the partition, so no search should be needed to say why
  std::vector<BoundOperation> prefix;  ///< what was called before it; what had not returned by then is indeterminate
  Explanation refutation = {};         ///< the monitor's of what had returned by then, where the place is it_or_earlier
};

/// The operation of a core that returned last, by which the history is certainly wrong; else the monitor's guess.
Suspect suspect(const Ruling& ruling, std::span<const Interval> intervals);

/// What is known of a whole partition that was refuted.
struct Refutation {
  bool by_monitor = false;
  SearchOrder order = SearchOrder::depth_first;  ///< the one that did it, where a search did
  std::uint32_t reached = kNone;                 ///< the operation at whose return it ended, where a search did
  /// The last one because of which a configuration was given up, or the monitor's suspect.
  Suspect blamed = {};
  explicit Refutation(const Attempt& attempt)
      : order(attempt.order()), reached(attempt.reached_operation()), blamed{attempt.blamed_operation()} {}
  explicit Refutation(Suspect suspect) : by_monitor(true), blamed(suspect) {}
};

/// Runs further searches on prefixes of the partition.
Fault locate_fault(const Problem& problem, std::span<const BoundOperation> operations, const Refutation& refutation,
                   const CheckOptions& options, Limits& limits);

/// Why the operation of a fault can't be placed.
Explanation explain_fault(const Problem& problem, const Fault& fault, const CheckOptions& options, Limits& limits);

/// Failure::core_order.
std::vector<PrecedingPair> order_in_time(const Problem& problem, std::span<const std::uint32_t> core);
/// What a core says of the failed operation, or that it is one of others: what follows "can't be placed". Empty where
/// it is too long a story.
std::string core_in_words(const Problem& problem, const Failure& failure);

/// An order of all completed operations and some indeterminate ones, from one that leaves out some that can be
/// accepted anywhere.
std::vector<std::uint32_t> complete_order(const Problem& problem, std::span<const BoundOperation> operations,
                                          std::vector<std::uint32_t> order);

/// Executes an order as the definition reads: each completed operation once, none before one that returned before
/// it was called, each accepted by the plain model. What is wrong with it, or nothing.
std::optional<std::string> refute_order(const Problem& problem, std::span<const BoundOperation> operations,
                                        std::span<const std::uint32_t> order);

/// A machine that tests every promise of another one, and throws std::logic_error for one that is broken.
std::unique_ptr<Machine> test_promises_of(std::unique_ptr<Machine> machine);

}  // namespace porpentine::detail
