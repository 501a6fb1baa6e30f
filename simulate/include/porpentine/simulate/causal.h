// A small world of partitioned logs, in which a protocol for causal delivery can be tried: deterministic, by a seed.
//
//     class MyProtocol : public CausalProtocol { ... };
//     for (std::uint64_t seed = 0; seed < 1000; ++seed) {
//       CausalRun run = simulate_causal(scenario, seed, [](std::uint32_t) { return std::make_unique<MyProtocol>(); });
//       CausalResult result = judge_causal_trace(run.trace);   // porpentine/checker/causal.h
//     }
//
// Channels are logs with offsets. Actors consume some of them, deliver records and send others, in steps that the host
// commits as a whole or not at all: the records become visible when the step commits, and a marker follows them; the
// records of an aborted step leave offsets at which there is nothing to read. A scheduler picks what happens next: a
// fetch, a step, a send, a crash that loses what was staged or all, a restart, a truncation, a late joiner. At the end
// everything is to be delivered within a budget.
//
// The same scenario, seed and protocol give the same trace on every machine and standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <porpentine/history/causal_trace.h>

namespace porpentine {

/// What a protocol attaches to a record, or has committed with a step: numbers that mean something to it alone.
using CausalWords = std::vector<std::uint64_t>;

/// A record as it was fetched.
struct CausalRecord {
  std::uint32_t channel = 0;
  std::uint64_t offset = 0;
  CausalWords stamp = {};
};

/// The protocol under test: one object an actor, from a start to the next crash.
class CausalProtocol {
 public:
  CausalProtocol() = default;
  virtual ~CausalProtocol() = default;
  CausalProtocol(const CausalProtocol&) = delete;
  CausalProtocol& operator=(const CausalProtocol&) = delete;

  /// The actor consumes the channel from this offset on. Told after every start, before restore().
  virtual void subscribe(std::uint32_t channel, std::uint64_t position) = 0;
  /// What was committed last, by a step of this actor; nothing was where this is not called.
  virtual void restore(const CausalWords& saved) = 0;
  /// After restore() of a restart that lost no more than what was staged: where each consumed channel ends by now.
  virtual void restarted(std::uint32_t /*channel*/, std::uint64_t /*end*/) {}

  /// Where to fetch from next.
  [[nodiscard]] virtual std::uint64_t fetch_position(std::uint32_t channel) const = 0;
  /// The records from fetch_position() to `end`, `end` excluded, in order: at offsets that are missing there is
  /// nothing.
  virtual void fetched(std::uint32_t channel, std::span<const CausalRecord> records, std::uint64_t end) = 0;
  /// How many records were fetched and wait to be delivered.
  [[nodiscard]] virtual std::size_t held() const = 0;

  /// What may be delivered now. It is delivered next, and delivered() says so.
  [[nodiscard]] virtual std::optional<CausalRecord> next() = 0;
  virtual void delivered(const CausalRecord& record) = 0;
  /// A record that was seen, and is not delivered.
  virtual void observed(const CausalRecord& record) = 0;
  /// What to attach to a record that is sent now; then where it came to stand.
  [[nodiscard]] virtual CausalWords stamp() const = 0;
  virtual void sent(std::uint32_t channel, std::uint64_t offset) = 0;

  /// What is committed with a step: restore() gets it back after an abort or a restart.
  [[nodiscard]] virtual CausalWords save() const = 0;
  /// Whether deliveries, sends and save() are one step of the host's. If not, each takes effect by itself, and a crash
  /// may come in between.
  [[nodiscard]] virtual bool is_atomic() const { return true; }
};

using CausalProtocolFactory = std::function<std::unique_ptr<CausalProtocol>(std::uint32_t actor)>;

/// What may happen, in percent of the moments at which it could.
struct CausalScenario {
  std::string name;
  std::uint32_t actors = 4;
  std::uint32_t channels = 3;
  std::uint32_t clients = 0;          ///< actors that consume nothing, see records and send
  std::uint32_t moments = 120;        ///< picks of the scheduler
  std::uint32_t subscriptions = 100;  ///< share of the channels that an actor consumes
  std::uint32_t sinks = 1;            ///< records that a step sends at most, to as many channels
  std::uint32_t echo = 0;             ///< times that a record is answered by others, and these in turn, at most
  std::uint32_t aborts = 0;
  std::uint32_t unknown_commits = 0;
  std::uint32_t crashes = 0;
  std::uint32_t memory_losses = 0;
  std::uint32_t truncations = 0;
  std::uint32_t late_joiners = 0;  ///< actors that come later, at the start or the end of what is there
};

/// Scenarios that together reach all of CausalReached.
const std::vector<CausalScenario>& causal_scenarios();

/// What was reached in a run: each is a state in which protocols tend to be wrong.
struct CausalReached {
  bool held = false;  ///< a record waited for another one
  bool crashed_while_held = false;
  bool crossed_hole = false;  ///< a position moved over a marker or an aborted record
  bool aborted = false;
  bool unknown_commit_seen = false;  ///< a commit of unknown outcome that was one
  bool unknown_commit_lost = false;  ///< and one that was none
  bool lost_memory = false;
  bool truncated = false;
  bool joined_late = false;  ///< by who found a truncated channel
  bool went_round = false;   ///< an answer to an answer was delivered by who had sent the first
};

struct CausalRun {
  CausalTrace trace;
  CausalReached reached;
};

CausalRun simulate_causal(const CausalScenario& scenario, std::uint64_t seed, const CausalProtocolFactory& make);

/// A protocol that is right, and what can be wrong with one.
///
/// Each record carries, of each channel, the offset behind the last record there that precedes it. It is held until its
/// actor has delivered its consumed channels up to there; that waits for records that merely come before those in the
/// log as well, which were all sent earlier, so nobody waits in a circle.
enum class CausalFault : std::uint8_t {
  none,
  eager,                 ///< delivers what it fetches, whatever that depends on
  ignores_transitive,    ///< what a delivered record depends on is no dependency of what is sent next
  ignores_own_sends,     ///< nor what it has sent itself
  tears_steps,           ///< deliveries, sends and what is saved are no step
  loses_held,            ///< fetches from where it had got to after a restart, and not what it held
  stops_at_holes,        ///< its position does not move over offsets at which there is nothing
  delivers_again,        ///< saves where it was before what it delivered last
  moves_baseline,        ///< goes on at the ends of its channels after a restart
  forgets_dependencies,  ///< of what it knew before a restart
  reorders               ///< delivers the last that it fetched of a channel first
};

/// "none", "eager", "ignores-transitive", ...
std::string_view to_string(CausalFault fault);
inline constexpr std::size_t kCausalFaults = 11;

std::unique_ptr<CausalProtocol> make_causal_protocol(std::uint32_t channels, CausalFault fault = CausalFault::none);

}  // namespace porpentine
