// What a check may cost, and what it tells.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace porpentine {

/// Bytes: 4_GiB, 256_MiB.
consteval std::uint64_t operator""_GiB(unsigned long long count) { return count << 30; }
consteval std::uint64_t operator""_MiB(unsigned long long count) { return count << 20; }

/// The order in which the search visits configurations. Each alone decides every history; which one is fast
/// depends on the history, so the default takes turns.
enum class SearchOrder : std::uint8_t {
  portfolio,      ///< both, with doubling budgets, until one decides
  breadth_first,  ///< return by return, holding every configuration that survives (Lowe 2017)
  depth_first,    ///< one configuration at a time, remembering those that failed (Wing and Gong 1993, Lowe 2017)
};

/// Who decides. Monitors are exact, and there is one for each of the log, register, queue, bag, stack, priority queue
/// and set, for histories whose values say enough; the search decides every history of every model.
enum class Engine : std::uint8_t {
  automatic,  ///< a monitor where one applies, else the search
  search,
  monitor,  ///< where none applies the verdict is unknown
};

/// Whether to look for the cores of failures: Failure::core, and what the message says of it. All cores of a check
/// together cost about a second, at most two. `small`: of the fewest operations, for a person to read, as far as that
/// goes.
enum class Cores : std::uint8_t { none, quick, small };

/// How far a check has come; see CheckOptions::progress.
struct Progress {
  std::uint64_t partitions_done = 0;
  std::uint64_t partitions = 0;
  std::uint64_t operations_done = 0;  ///< operations in partitions that are decided
  std::uint64_t operations = 0;
};

/// Limits end a check at once in `unknown`, with what was found so far. All limits are off by default.
struct CheckOptions {
  /// Wall-clock time from the call on.
  std::optional<std::chrono::nanoseconds> time_limit = {};
  /// Bytes that the check itself may hold, all partitions and threads together. The history is not counted.
  std::optional<std::uint64_t> memory_limit = {};
  /// Steps of the model, cached ones included.
  std::optional<std::uint64_t> step_limit = {};
  /// Set it to true from any thread, or from a signal handler, and the check ends.
  const std::atomic<bool>* cancel = nullptr;
  /// Threads; 0: as many as the machine has processors. Partitions run side by side, and the two orders of one.
  unsigned jobs = 0;
  Engine engine = Engine::automatic;  ///< models of one's own, and whatever needs an order or a machine, are searched
  SearchOrder order = SearchOrder::portfolio;
  /// Replay the order that was found of every valid partition through the plain model, and throw
  /// std::logic_error if it is refused. Costs memory of 8 bytes an operation, and the replay.
  bool verify = false;
  /// Keep the order that was found of every valid partition: PartitionResult::linearization.
  bool linearization = false;
  Cores cores = Cores::quick;
  /// Test the promises that a model makes (read_only, touches, hash, ...) at every step taken, and throw
  /// std::logic_error naming the first that is broken. Slow: for testing models.
  bool test_promises = false;
  /// Called from one thread at a time, at most ten times a second.
  std::function<void(const Progress&)> progress = {};
};

}  // namespace porpentine
