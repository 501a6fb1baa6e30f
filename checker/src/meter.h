// Limits, shared by everything that works on one check.
//
// Searches count on their own and report now and then: how often follows the clock, so that a model whose step
// takes a second is asked after every step and a fast one costs nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>

namespace porpentine::detail {

using Clock = std::chrono::steady_clock;

/// The limits of a check and what has been used of them. Thread-safe.
class Limits {
 public:
  explicit Limits(const CheckOptions& options)
      : cancel_(options.cancel),
        memory_limit_(options.memory_limit.value_or(~std::uint64_t{0})),
        step_limit_(options.step_limit.value_or(~std::uint64_t{0})) {
    if (options.time_limit) {
      const Clock::duration left = Clock::time_point::max() - start_;
      deadline_ = start_ + std::min<Clock::duration>(std::max(*options.time_limit, std::chrono::nanoseconds{0}), left);
    }
  }

  /// The limit that was reached first, if any.
  [[nodiscard]] Limit reached() const { return reached_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool exhausted() const { return reached() != Limit::none; }
  /// Whether there is time left to begin something.
  bool has_time() { return report(0, 0, Clock::now()); }

  /// Adds what a search has done since it last reported; false where a limit is reached.
  bool report(std::uint64_t steps, std::int64_t memory, Clock::time_point now) {
    const std::uint64_t all_steps = steps_.fetch_add(steps, std::memory_order_relaxed) + steps;
    change_memory(memory);
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) hit(Limit::cancelled);
    if (now >= deadline_) hit(Limit::time);
    if (all_steps > step_limit_) hit(Limit::steps);
    return !exhausted();
  }

  void change_memory(std::int64_t delta) {
    const std::int64_t all = memory_.fetch_add(delta, std::memory_order_relaxed) + delta;
    std::int64_t peak = peak_memory_.load(std::memory_order_relaxed);
    while (all > peak && !peak_memory_.compare_exchange_weak(peak, all, std::memory_order_relaxed)) {
    }
    if (all > 0 && static_cast<std::uint64_t>(all) > memory_limit_) hit(Limit::memory);
  }

  /// Whether `bytes` more may be allocated now; reaching the limit is the answer otherwise.
  bool admits(std::uint64_t bytes) {
    const std::int64_t held = std::max<std::int64_t>(memory_.load(std::memory_order_relaxed), 0);
    if (bytes <= memory_limit_ && static_cast<std::uint64_t>(held) <= memory_limit_ - bytes) return true;
    hit(Limit::memory);
    return false;
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  /// Steps until the step limit is reached.
  [[nodiscard]] std::uint64_t steps_left() const { return step_limit_ - std::min(steps(), step_limit_); }
  [[nodiscard]] std::uint64_t peak_memory() const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(peak_memory_.load(std::memory_order_relaxed), 0));
  }
  [[nodiscard]] std::chrono::nanoseconds elapsed() const { return Clock::now() - start_; }
  [[nodiscard]] double elapsed_s() const { return std::chrono::duration<double>(elapsed()).count(); }

 private:
  void hit(Limit limit) {
    Limit none = Limit::none;
    reached_.compare_exchange_strong(none, limit, std::memory_order_relaxed);
  }

  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  const std::atomic<bool>* cancel_;
  std::uint64_t memory_limit_;
  std::uint64_t step_limit_;
  std::atomic<Limit> reached_ = Limit::none;
  std::atomic<std::uint64_t> steps_ = 0;
  std::atomic<std::int64_t> memory_ = 0;
  std::atomic<std::int64_t> peak_memory_ = 0;
};

/// One search's account with the Limits. `stop` ends the search early where another has decided already.
class Meter {
 public:
  Meter(Limits& limits, const std::atomic<bool>& stop) : limits_(&limits), stop_(&stop) {}
  Meter(const Meter&) = delete;  // the memory it answers for is given back once
  Meter& operator=(const Meter&) = delete;
  ~Meter() {
    limits_->report(unreported_, 0, Clock::time_point::min());
    limits_->change_memory(-held_);
  }

  /// Counts a step of the model. Every so often asks `memory()` for the bytes held and the Limits for more.
  template <typename Memory>
  bool step(const Memory& memory) {
    ++unreported_;
    return unreported_ < interval_ || poll(static_cast<std::uint64_t>(memory()));
  }
  bool poll(std::uint64_t memory) {
    const Clock::time_point now = Clock::now();
    const bool slow = now - last_poll_ > std::chrono::milliseconds(1);
    interval_ = slow ? std::max<std::uint64_t>(interval_ / 4, 1) : std::min<std::uint64_t>(interval_ * 2, 1024);
    last_poll_ = now;
    const std::int64_t delta = static_cast<std::int64_t>(memory) - held_;
    held_ += delta;
    total_ += unreported_;
    const bool within = limits_->report(std::exchange(unreported_, 0), delta, now);
    interval_ = std::min(interval_ - 1, limits_->steps_left()) + 1;  // a step limit ends all runs at the same step
    return within && !stop_->load(std::memory_order_relaxed);
  }
  bool admits(std::uint64_t bytes) { return limits_->admits(bytes); }
  [[nodiscard]] std::uint64_t steps() const { return total_ + unreported_; }

 private:
  Limits* limits_;
  const std::atomic<bool>* stop_;
  Clock::time_point last_poll_ = Clock::now();
  std::uint64_t interval_ = 1;
  std::uint64_t unreported_ = 0;
  std::uint64_t total_ = 0;
  std::int64_t held_ = 0;
};

}  // namespace porpentine::detail
