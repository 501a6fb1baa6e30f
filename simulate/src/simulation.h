// The object that simulated clients work on: what it answers, and how one of its answers is made certainly wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <porpentine/simulate/workload.h>

#include "random.h"

namespace porpentine::simulate {

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kNothing = -1;  // the value of a register that was never written

inline constexpr std::int64_t kBankAccounts = 8;
inline constexpr std::int64_t kBankBalance = 100;  // of each, at first

/// One register of a transaction, or one account of a transfer, with the value that is written, was read or
/// is added.
struct Access {
  std::int64_t key = 0;
  std::int64_t value = kNothing;
};

/// A value that was put in, and when.
struct Put {
  std::int64_t value = kNothing;
  std::int64_t call = 0;
  std::int64_t ret = kNever;
};

/// An operation on its way.
struct Running {
  WorkloadOperation operation;
  std::uint64_t index = 0;
  bool reads = false;
  std::int64_t key = 0;
  std::int64_t value = kNothing;       // that is written
  std::int64_t expected = kNothing;    // by a cas
  std::int64_t position = 0;           // in a log; among a set's elements; where a counter certainly was
  std::vector<Access> accesses;        // of a transaction or transfer
  std::vector<std::uint64_t> records;  // their hashes, of an append to a stream
  Put taken;                           // by a take
};

/// The object, and what it knows of the recent past to make a fault certain.
class Simulation {
 public:
  Simulation(const WorkloadOptions& options, Random& random) : options_(options), random_(random) {}
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;  // it refers to the generator's random numbers
  Simulation& operator=(const Simulation&) = delete;

  /// Whether the next operation reads. Takes count as reads.
  virtual bool draw_reads() { return random_.chance(options_.read_share); }
  /// Whether it matters that nobody knows the outcome of a read.
  [[nodiscard]] virtual bool reads_change() const { return false; }

  /// Fills in f, key and input.
  virtual void call(Running& running) = 0;
  /// The operation takes effect now; fills in the output.
  virtual void apply(Running& running) = 0;
  /// The operation returns now.
  virtual void finish(const Running& running) = 0;

  /// Whether the fault is one of two operations together: corrupt_pair, not corrupt.
  [[nodiscard]] virtual bool has_paired_fault() const { return false; }
  /// Changes the output of an operation that returns now to one that is certainly wrong; false where it can't.
  virtual bool corrupt(Running& running) = 0;
  /// The same for two reads that found something, of which the second returns now.
  virtual bool corrupt_pair(Running&, Running&) { return false; }

 protected:
  std::int64_t next_value() {
    if (options_.values == 0) return ++written_;
    return 1 + random_.below(static_cast<std::int64_t>(options_.values));
  }
  /// Draws the key, and names it where there are several.
  void draw_key(Running& running) {
    running.key = random_.below(options_.keys);
    if (options_.keys > 1) running.operation.key = running.key;
  }

  const WorkloadOptions& options_;
  Random& random_;

 private:
  std::int64_t written_ = 0;
};

inline std::string json(std::int64_t value) { return value == kNothing ? "null" : std::to_string(value); }

std::unique_ptr<Simulation> simulate_registers(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_multi_register(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_logs(const WorkloadOptions& options, Random& random);
/// Queues, stacks, bags and priority queues.
std::unique_ptr<Simulation> simulate_containers(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_sets(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_counters(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_streams(const WorkloadOptions& options, Random& random);
std::unique_ptr<Simulation> simulate_banks(const WorkloadOptions& options, Random& random);

}  // namespace porpentine::simulate
