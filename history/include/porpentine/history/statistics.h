// How much a history can prove: its concurrency and its doubt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <porpentine/history/history.h>

namespace porpentine {

struct HistoryStatistics {
  std::uint64_t operations = 0;
  std::uint64_t ok = 0;
  std::uint64_t fail = 0;
  std::uint64_t info = 0;  ///< info and open
  std::uint64_t processes = 0;
  std::uint64_t keys = 0;  ///< distinct keys; 0 where no operation has one
  std::uint64_t annotations = 0;
  /// The most ok operations that were running at one moment. Intervals are closed, but of one process only one
  /// operation runs at a time.
  std::uint64_t max_concurrency = 0;
  /// Unordered pairs of ok operations of different processes whose closed intervals overlap.
  std::uint64_t overlapping_pairs = 0;
  std::int64_t first_call = 0;
  std::int64_t last_event = 0;
  /// (function name, count by outcome ok/fail/info), most frequent first.
  struct Function {
    std::string name;
    std::uint64_t ok = 0, fail = 0, info = 0;
  };
  std::vector<Function> functions;
};

/// O(n log n).
HistoryStatistics statistics(const History& history);

}  // namespace porpentine
