// Calls and returns in one order, numbered: calls before returns where their times tie.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <porpentine/history/large_vector.h>
#include <porpentine/history/nearly_sorted.h>

namespace porpentine::detail {

/// Collects times under numbers that the caller chooses, then tells their ranks.
class EventRanks {
 public:
  void add_call(std::int64_t time, std::uint32_t number) { calls_.push_back({time, number}); }
  void add_return(std::int64_t time, std::uint32_t number) { returns_.push_back({time, number}); }
  void reserve(std::size_t count) {
    calls_.reserve(count);
    returns_.reserve(count);
  }

  /// take(number, is_return) for all events in order. O(n log n), O(n) where the times are nearly sorted.
  template <typename Take>
  void in_order(Take take) {
    const auto earlier = [](const Event& a, const Event& b) { return a.time < b.time; };
    sort_nearly_sorted(calls_, earlier);
    sort_nearly_sorted(returns_, earlier);
    std::size_t call = 0;
    for (const Event& event : returns_) {
      for (; call < calls_.size() && calls_[call].time <= event.time; ++call) take(calls_[call].number, false);
      take(event.number, true);
    }
    for (; call < calls_.size(); ++call) take(calls_[call].number, false);
  }

 private:
  struct Event {
    std::int64_t time;
    std::uint32_t number;
  };
  LargeVector<Event> calls_;
  LargeVector<Event> returns_;
};

}  // namespace porpentine::detail
