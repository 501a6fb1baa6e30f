// Judging all partitions of a problem: who works on what, and for how long.
//
// Each partition begins with the depth-first order and a budget in proportion to its length, which suffices for
// nearly all. What is left undecided is put back with both orders, and their budgets double in turn, so that a
// hard partition neither starves an easy refutation elsewhere nor costs more than a constant factor over
// the better order. Attempts are queued and taken by a pool of threads, partitions with the most operations first.

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <porpentine/checker/engine.h>

#include "core.h"
#include "decision.h"

namespace porpentine {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::valid:
      return "valid";
    case Verdict::invalid:
      return "invalid";
    case Verdict::unknown:
      return "unknown";
  }
  return "";
}

const char* to_string(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::time:
      return "time-limit";
    case Limit::memory:
      return "memory-limit";
    case Limit::steps:
      return "step-limit";
    case Limit::cancelled:
      return "cancelled";
    case Limit::not_applicable:
      return "not-applicable";
  }
  return "";
}

std::string describe_progress(const PartitionResult& partition, const ValueTable& values) {
  std::string text = partition.key == kNull ? "" : "key " + values.to_json(partition.key) + ": ";
  text += "placed " + std::to_string(partition.reached) + " of " + std::to_string(partition.operations) +
          (partition.operations == 1 ? " operation" : " operations");
  if (partition.indeterminate != 0) text += ", " + std::to_string(partition.indeterminate) + " of them indeterminate";
  if (partition.max_concurrency > 1) text += ", up to " + std::to_string(partition.max_concurrency) + " at once";
  return text;
}

namespace detail {
namespace {

constexpr std::size_t kWorthThreads = 2000;               // operations; below it a thread costs more than it brings
constexpr std::uint64_t kSlice = std::uint64_t{1} << 20;  // steps between two looks at the progress

/// One partition while it is being decided.
struct Contest {
  std::vector<BoundOperation> operations;
  std::atomic<bool> decided = false;
  std::atomic<std::uint32_t> reached = 0;
  std::shared_ptr<const Timeline> timeline;          // guarded by the solver's mutex
  std::array<std::unique_ptr<Attempt>, 2> attempts;  // depth first, breadth first
  std::array<bool, 2> running{};                     // guarded by the solver's mutex
  std::array<std::uint64_t, 2> budgets{};            // of their next turns; 0: the first one
  std::atomic<unsigned> finished = 0;                // turns, from the second round on
};

/// Why a partition is refuted, before its core is known.
struct Refuted {
  Fault fault;
  Explanation explanation;
};

class Solver {
 public:
  Solver(const Problem& problem, const CheckOptions& options) : problem_(problem), options_(options), limits_(options) {
    result_.partitions.resize(problem.parts.size());
    refuted_.resize(problem.parts.size());
    refutations_.resize(problem.parts.size());
    contests_.resize(problem.parts.size());
    std::size_t bytes = problem.intervals.size_bytes();
    for (const Problem::Part& part : problem.parts) bytes += part.operations.capacity() * sizeof(std::uint32_t);
    limits_.change_memory(static_cast<std::int64_t>(bytes));
  }

  CheckResult solve() {
    queue_all();
    if (problem_.parts.size() <= 1 || total_ < kWorthThreads) {
      postpone_ = true;  // one look at each; threads are for what is hard
      work();
      postpone_ = false;
      queue_.swap(postponed_);
    }
    const bool decided =
        std::all_of(queue_.begin(), queue_.end(), [](const Task& task) { return task.turn == kExplain; });
    if (decided && total_ < kWorthThreads) {
      work();
    } else if (!queue_.empty()) {
      work_together();
    }
    if (error_) std::rethrow_exception(error_);
    report(true);
    return finish();
  }

 private:
  static constexpr std::size_t kExplain = 2;
  struct Task {
    std::size_t part;
    std::size_t turn;      // 0: depth first, 1: breadth first, kExplain
    std::uint64_t budget;  // 0: the first one
  };

  void queue_all() {
    std::vector<std::size_t> by_size(problem_.parts.size());
    std::iota(by_size.begin(), by_size.end(), std::size_t{0});
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
      return problem_.parts[a].operations.size() > problem_.parts[b].operations.size();
    });
    for (const std::size_t part : by_size) {
      total_ += problem_.parts[part].operations.size();
      if (problem_.parts[part].refuted_by) {
        take_refuted(part);
        queue_.push_back({part, kExplain, 0});
        continue;
      }
      queue_.push_back({part, options_.order == SearchOrder::breadth_first ? std::size_t{1} : std::size_t{0}, 0});
    }
  }

  /// A part whose verdict is there already.
  void take_refuted(std::size_t part) {
    contests_[part] = std::make_unique<Contest>();
    contests_[part]->operations = bound_operations(problem_, problem_.parts[part]);
    contests_[part]->decided = true;
    refutations_[part].emplace(*problem_.parts[part].refuted_by);
    result_.partitions[part].verdict = Verdict::invalid;
    count_decided(part);
  }

  void count_decided(std::size_t part) {
    operations_done_ += problem_.parts[part].operations.size();
    ++partitions_done_;
    last_verdict_s_ = limits_.elapsed_s();
  }

  void work_together() {
    const std::size_t jobs = options_.jobs != 0 ? options_.jobs : std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<std::thread> threads;
    const std::size_t wanted = options_.progress ? jobs : jobs - 1;  // who reports does not work
    try {
      while (threads.size() < wanted) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do all the work.
    }
    if (options_.progress && !threads.empty()) {
      std::unique_lock lock(mutex_);
      while (
          !changed_.wait_for(lock, std::chrono::milliseconds(100), [this] { return queue_.empty() && busy_ == 0; })) {
        lock.unlock();
        report(false);
        lock.lock();
      }
    } else {
      work();
    }
    for (std::thread& thread : threads) thread.join();
  }

  /// Takes tasks until there are none and nobody can add one.
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return !queue_.empty() || busy_ == 0; });
      if (queue_.empty()) break;
      const Task task = queue_.front();
      queue_.pop_front();
      ++busy_;
      lock.unlock();
      std::vector<Task> next;
      std::exception_ptr error;
      try {
        if (task.turn == kExplain) {
          explain(task.part);
        } else {
          next = pursue(task);
          release_idle(task);
        }
      } catch (...) {
        error = std::current_exception();
        failed_ = true;
      }
      lock.lock();
      if (!error_) error_ = error;
      auto& destination = postpone_ ? postponed_ : queue_;
      if (failed_) {
        queue_.clear();
        postponed_.clear();
      } else {
        destination.insert(destination.end(), next.begin(), next.end());
      }
      --busy_;
      changed_.notify_all();
    }
    changed_.notify_all();
  }

  /// Runs one attempt for its budget; what is to be done after it.
  std::vector<Task> pursue(const Task& task) {
    Contest& contest = open(task);
    if (contest.decided || failed_) return {};
    std::unique_ptr<Attempt>& attempt = contest.attempts[task.turn];
    if (!limits_.has_time() || (!attempt && !limits_.admits(Attempt::memory_to_begin(contest.operations.size())))) {
      return give_up(task.part), std::vector<Task>{};
    }
    if (!attempt) {
      const SearchOrder order = task.turn == 0 ? SearchOrder::depth_first : SearchOrder::breadth_first;
      attempt =
          std::make_unique<Attempt>(problem_, contest.operations, shared_timeline(contest), order,
                                    options_.verify || options_.linearization, options_, limits_, contest.decided);
      share_timeline(contest, attempt->timeline());
    }
    const std::uint64_t budget = task.budget != 0 ? task.budget : attempt->first_budget();
    Status status = Status::undecided;
    for (std::uint64_t spent = 0; spent < budget && status == Status::undecided; spent += kSlice) {
      status = attempt->run(std::min(kSlice, budget - spent));
      note_reach(contest, attempt->search().reached());
    }
    if (status != Status::undecided) configurations_ += attempt->search().configurations();
    switch (status) {
      case Status::undecided:
        if (options_.order != SearchOrder::portfolio) return {{task.part, task.turn, 2 * budget}};
        contest.budgets[task.turn] = 2 * budget;
        // The first round is depth first's alone; after that both run, and wait for one another.
        if (task.budget != 0 || task.turn == 1) {
          if (++contest.finished % 2 != 0) return {};
        }
        return {{task.part, 1, contest.budgets[1]}, {task.part, 0, contest.budgets[0]}};
      case Status::stopped:
        give_up(task.part);
        attempt.reset();
        return {};
      case Status::valid:
      case Status::invalid:
        if (claim(contest)) {
          settle(task.part, status, std::move(attempt));
          // The reasons come after what was queued before: other partitions wait for their verdicts.
          if (status == Status::invalid) return {{task.part, kExplain, 0}};
        }
        return {};
    }
    return {};
  }

  Contest& open(const Task& task) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Contest>& contest = contests_[task.part];
    if (!contest) {
      contest = std::make_unique<Contest>();
      contest->operations = bound_operations(problem_, problem_.parts[task.part]);
    }
    contest->running[task.turn] = true;
    return *contest;
  }

  // The timeline is shared by attempts that may begin, and decide, at the same time.
  std::shared_ptr<const Timeline> shared_timeline(const Contest& contest) {
    const std::lock_guard lock(mutex_);
    return contest.timeline;
  }
  void share_timeline(Contest& contest, std::shared_ptr<const Timeline> timeline) {
    const std::lock_guard lock(mutex_);
    contest.timeline = std::move(timeline);
  }

  /// Gives back the memory of attempts at a partition that is decided, as soon as nobody works on them.
  void release_idle(const Task& task) {
    const std::lock_guard lock(mutex_);
    Contest& contest = *contests_[task.part];
    contest.running[task.turn] = false;
    release_idle(contest);
  }
  /// Whether this attempt is the first to decide. From then on nobody else writes the partition's result.
  bool claim(Contest& contest) {
    const std::lock_guard lock(mutex_);
    if (contest.decided.exchange(true)) return false;
    release_idle(contest);
    return true;
  }
  static void release_idle(Contest& contest) {
    for (std::size_t turn = 0; turn < contest.attempts.size(); ++turn) {
      if (contest.decided && !contest.running[turn]) contest.attempts[turn].reset();
    }
  }

  static void note_reach(Contest& contest, std::uint32_t reached) {
    std::uint32_t before = contest.reached;
    while (reached > before && !contest.reached.compare_exchange_weak(before, reached)) {
    }
  }

  void give_up(std::size_t part) {
    const std::lock_guard lock(mutex_);  // both orders may end here at once
    if (contests_[part]->decided) return;
    result_.partitions[part].limit = limits_.reached();
    result_.partitions[part].reached = contests_[part]->reached;
    const auto& timeline = contests_[part]->timeline;
    if (timeline != nullptr) result_.partitions[part].max_concurrency = timeline->slots;
  }

  void settle(std::size_t part, Status status, std::unique_ptr<Attempt> attempt) {
    Contest& contest = *contests_[part];
    PartitionResult& result = result_.partitions[part];
    result.reached = attempt->search().reached();
    if (status == Status::invalid) {
      result.verdict = Verdict::invalid;
      refutations_[part].emplace(*attempt);
      attempt.reset();  // the memory is worth more to what follows
      share_timeline(contest, nullptr);
    } else {
      result.verdict = Verdict::valid;
      if (options_.verify || options_.linearization) {
        std::vector<std::uint32_t> order =
            complete_order(problem_, contest.operations, attempt->search().linearization());
        attempt.reset();
        if (options_.verify) verify(contest.operations, order);
        if (options_.linearization) result.linearization = std::move(order);
      }
    }
    count_decided(part);
  }

  void explain(std::size_t part) {
    auto refuted = std::make_unique<Refuted>();
    refuted->fault = locate_fault(problem_, contests_[part]->operations, *refutations_[part], options_, limits_);
    refuted->explanation = explain_fault(problem_, refuted->fault, options_, limits_);
    refuted_[part] = std::move(refuted);
  }

  /// One partition after the other, the first to go wrong first, so that the same history always has the same cores.
  void report_failures() {
    std::vector<std::size_t> parts;
    for (std::size_t part = 0; part < problem_.parts.size(); ++part) {
      if (refuted_[part]) parts.push_back(part);
    }
    std::stable_sort(parts.begin(), parts.end(), [&](std::size_t a, std::size_t b) {
      return problem_.intervals[refuted_[a]->fault.operation].ret <
             problem_.intervals[refuted_[b]->fault.operation].ret;
    });
    CoreBudget budget(options_);
    for (const std::size_t part : parts) result_.failures.push_back(failure_of(part, budget));
  }
  Failure failure_of(std::size_t part, CoreBudget& budget) {
    const Fault& fault = refuted_[part]->fault;
    Explanation& explanation = refuted_[part]->explanation;
    Failure failure;
    failure.key = problem_.parts[part].key;
    failure.operation = fault.operation;
    failure.longest_prefix = fault.longest_prefix;
    failure.message = std::move(explanation.message);
    failure.core = std::move(explanation.core);
    failure.core_order = order_in_time(problem_, failure.core);
    failure.order = std::move(explanation.order);
    failure.stuck = std::move(explanation.stuck);
    if (fault.place == Fault::Place::exact && options_.cores != Cores::none && options_.engine != Engine::monitor) {
      Core core = find_core(problem_, contests_[part]->operations, fault, failure.core, options_, limits_, budget);
      if (!core.operations.empty()) take(std::move(core), failure, !explanation.by_core);
    }
    return failure;
  }
  void take(Core core, Failure& failure, bool tell) {
    failure.core = std::move(core.operations);
    failure.core_order = order_in_time(problem_, failure.core);
    failure.core_minimal = core.minimal;
    failure.context = std::move(core.context);
    if (tell) failure.message += core_in_words(problem_, failure);
  }

  void verify(std::span<const BoundOperation> operations, std::span<const std::uint32_t> order) const {
    if (const auto why = refute_order(problem_, operations, order)) {
      throw std::logic_error("the order that was found does not hold: " + *why);
    }
  }

  void report(bool last) {
    if (!options_.progress) return;
    Progress progress;
    progress.partitions = problem_.parts.size();
    progress.operations = total_;
    progress.partitions_done = partitions_done_;
    progress.operations_done = operations_done_;
    if (!last) {
      const std::lock_guard lock(mutex_);
      for (const auto& contest : contests_) {
        if (contest && !contest->decided) progress.operations_done += contest->reached;
      }
    }
    options_.progress(progress);
  }

  CheckResult finish() {
    report_failures();
    for (std::size_t part = 0; part < problem_.parts.size(); ++part) {
      PartitionResult& partition = result_.partitions[part];
      partition.key = problem_.parts[part].key;
      partition.operations = problem_.parts[part].operations.size();
      for (const std::uint32_t operation : problem_.parts[part].operations) {
        partition.indeterminate += problem_.intervals[operation].indeterminate ? 1 : 0;
      }
      if (partition.verdict == Verdict::unknown) {
        if (partition.limit == Limit::none) partition.limit = limits_.reached();  // it was never looked at
        if (result_.verdict == Verdict::valid) result_.verdict = Verdict::unknown;
        if (result_.limit == Limit::none) result_.limit = partition.limit;
      }
      if (partition.verdict == Verdict::invalid) result_.verdict = Verdict::invalid;
    }
    result_.statistics.configurations = configurations_;
    contests_.clear();  // what they still have to report, they report
    result_.statistics.steps = limits_.steps();
    result_.statistics.peak_memory = limits_.peak_memory();
    result_.elapsed_s = limits_.elapsed_s();
    if (!result_.failures.empty()) result_.explain_s = result_.elapsed_s - last_verdict_s_;
    return std::move(result_);
  }

  const Problem& problem_;
  const CheckOptions& options_;
  Limits limits_;
  CheckResult result_;
  std::vector<std::optional<Refutation>> refutations_;  // by part
  std::vector<std::unique_ptr<Refuted>> refuted_;       // by part
  std::vector<std::unique_ptr<Contest>> contests_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> configurations_ = 0;
  std::atomic<std::uint64_t> partitions_done_ = 0;
  std::atomic<std::uint64_t> operations_done_ = 0;
  std::atomic<double> last_verdict_s_ = 0;
  std::atomic<bool> failed_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> queue_;
  std::deque<Task> postponed_;
  bool postpone_ = false;
  std::size_t busy_ = 0;
  std::exception_ptr error_;
};

}  // namespace
}  // namespace detail

CheckResult solve(const Problem& problem, const CheckOptions& options) {
  return detail::Solver(problem, options).solve();
}

}  // namespace porpentine
