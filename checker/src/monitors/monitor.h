// Exact monitors: where the values in a history say enough, it is decided without a search.
//
// Each answers `yes` or `no` only where that is proved to be right, with a few operations that can't be ordered by
// themselves for every `no`, and `not_applicable` for what it can't decide. Failed operations are not shown to them.
// The sources of the algorithms, and why each is exact, stand at the head of each file.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../meter.h"
#include "trace.h"

namespace porpentine::detail {

enum class Answer : std::uint8_t { yes, no, not_applicable, stopped };

struct Ruling {
  Answer answer = Answer::not_applicable;
  std::vector<std::uint32_t> core = {};  ///< of a no: operations that can't be ordered even if all others are in doubt
  std::string why = {};                  ///< of a no: what follows "can't be placed: "
  /// Of a no with an empty core: an operation about whose return the history becomes wrong; kNobody: none is known.
  std::uint32_t suspect = kNobody;

  static Ruling yes() { return {Answer::yes}; }
  static Ruling stopped() { return {Answer::stopped}; }
  static Ruling no(std::vector<std::uint32_t> core, std::string why, std::uint32_t suspect = kNobody) {
    return {Answer::no, std::move(core), std::move(why), suspect};
  }
};

/// "42 (integer)", for what may be confused.
std::string json_with_type(const ValueTable& values, ValueId value);

/// Asks now and then whether a limit is reached.
class Pulse {
 public:
  explicit Pulse(Limits& limits) : limits_(limits) {}
  bool beat() { return ++beats_ % 65536 != 0 || limits_.has_time(); }

 private:
  Limits& limits_;
  std::uint32_t beats_ = 0;
};

Ruling rule_log(const Trace& trace, Pulse& pulse);
Ruling rule_register(const Trace& trace, ValueNumbers& numbers, Pulse& pulse);
Ruling rule_queue(const Trace& trace, ValueNumbers& numbers, Pulse& pulse);
Ruling rule_bag(const Trace& trace, ValueNumbers& numbers, Pulse& pulse);
Ruling rule_stack(const Trace& trace, ValueNumbers& numbers, Pulse& pulse);
Ruling rule_priority_queue(const Trace& trace, ValueNumbers& numbers, Pulse& pulse);
Ruling rule_set(const Trace& trace, Pulse& pulse);

/// The monitor of a model, for one partition after the other, in memory that it keeps. Thread-safe; one at a time
/// rules.
class Monitor {
 public:
  Monitor(const History& history, Vocabulary vocabulary);

  /// Whether there is any monitor for this kind of object.
  [[nodiscard]] bool exists() const { return vocabulary_.object != ObjectKind::none; }
  [[nodiscard]] Ruling rule(std::span<const BoundOperation> operations, Limits& limits);

 private:
  [[nodiscard]] Ruling dispatch(const Trace& trace, Pulse& pulse);

  const History& history_;
  const Vocabulary vocabulary_;
  std::mutex mutex_;
  Tracer tracer_;
  ValueNumbers numbers_;
};

}  // namespace porpentine::detail
