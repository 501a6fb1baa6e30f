// Causal delivery: whether actors were given records after everything that causally preceded them.
//
//     CausalResult result = judge_causal_trace(read_causal_trace("run.jsonl").value());
//
//     CausalJudge judge(names);                       // or while it happens
//     for (...) { judge.take(event).value(); if (judge.violations().size() > seen) ...; }
//     judge.finish();
//
// What an event means stands in porpentine/history/causal_trace.h. Each actor has its knowledge K, a set of records,
// the set D of those that it delivered, of each channel the highest offset that it delivered, and of each channel its
// baseline: the first position that it ever subscribed to it at, which never moves.
//
//   send m     ancestors(m) := K; then K gains m
//   deliver m  is judged; then D gains m, and K gains m and ancestors(m)
//   observe m  K gains m and ancestors(m); nothing is judged, and a record that was never sent says nothing
//
// A step that is aborted, by an abort, by a crash or because its outcome is unknown and none of its records was ever
// seen, puts its actor back to where it began: K, D, the highest offsets, baselines and subscriptions. Its records are
// holes: nobody may deliver them, nobody misses them. A crash that loses all empties K, D and the highest offsets;
// baselines and subscriptions stay, so that what is consumed has to be delivered again.
//
// Violations, in order of lines:
//
//   unknown_record    nothing was sent at that coordinate by then; stands alone, and the delivery has no effect
//   aborted_delivery  the record there was aborted, before or later
//   duplicate         the actor had delivered it
//   fifo              if no duplicate: the actor had delivered this channel at this offset or beyond
//   causal            an ancestor of the record, on a channel that the actor consumes now, at or above its baseline
//                     there and no hole by then, was not delivered before. What a step sent that is still open counts:
//                     it may commit yet
//   incomplete        at a drain: a record that was committed, at or above the baseline of a channel that the actor
//                     consumes, was not delivered; truncated ones count. One for each actor and record
//   not_drained       the run ended without draining
//   truncated_too_far an actor that runs and consumes the channel had yet to deliver a record below the truncation, at
//                     or above its position: behind what it delivered or subscribed at last
//
// The judge never looks at clocks or stamps of the system. O(senders) an event, and O(what is kept of it) a violation.
// Memory: about 60 bytes a record, 4 bytes for each of its sender's knowledge of another sender that changed since its
// last record, and a bit for each record of each actor that consumes its channel.
//
// Source of the happened-before relation: Lamport, "Time, clocks, and the ordering of events in a distributed system",
// CACM 1978; of vectors for it: Fidge 1988 and Mattern 1989; of causal delivery: Birman and Joseph, "Reliable
// communication in the presence of failures", TOCS 1987.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/history/result.h>

namespace porpentine {

/// In the order in which those of one line are reported.
enum class CausalViolationKind : std::uint8_t {
  unknown_record,
  aborted_delivery,
  duplicate,
  fifo,
  causal,
  incomplete,
  not_drained,
  truncated_too_far
};

inline constexpr std::size_t kCausalViolationKinds = 8;

/// "unknown-record", "aborted-delivery", ...
std::string_view to_string(CausalViolationKind kind);

/// An ancestor that was not delivered, and why it is one.
struct MissingAncestor {
  std::uint32_t channel = kNoIndex;
  std::uint64_t offset = 0;
  /// Lines: its send, then in turn the delivery or observation by which another actor learned of it or of a later link
  /// and that actor's next send in the chain, up to the send of the record that was delivered too early.
  std::vector<std::uint64_t> because = {};
};

struct CausalViolation {
  CausalViolationKind kind = CausalViolationKind::causal;
  std::uint64_t line = 0;  ///< of the delivery, the drain, the end or the truncation
  std::uint32_t actor = kNoIndex;
  std::uint32_t channel = kNoIndex;
  std::uint64_t offset = 0;  ///< truncated_too_far: the first record that is lost to the actor
  std::uint64_t sent = 0;    ///< line of the record's send; 0 where there is none
  /// Of causal: by channel in order of name index, then by offset. Where it is told to keep fewer, some of them.
  std::vector<MissingAncestor> missing = {};
  std::uint64_t missing_in_all = 0;  ///< how many there are, kept or not
};

/// Which missing ancestors are kept, with their chains; all are counted. Of a trace that is wrong from some line on
/// there may be very many.
struct CausalDetail {
  std::size_t violations = ~std::size_t{0};  ///< of the first so many causal violations
  std::size_t missing = ~std::size_t{0};     ///< of each of them
};

/// In a few words, for a person: "n1 delivered t2-0@5 before t1-0@3, ...".
std::string describe(const CausalViolation& violation, const CausalNames& names);

/// Judges a trace event by event. Thread safety: none, but for several judges.
class CausalJudge {
 public:
  /// `names` must outlive this; it may grow. `memory_limit` in bytes; 0: none.
  explicit CausalJudge(const CausalNames& names, std::uint64_t memory_limit = 0, CausalDetail detail = {});
  ~CausalJudge();
  CausalJudge(CausalJudge&&) noexcept;
  CausalJudge& operator=(CausalJudge&&) noexcept;

  /// An Error of code order where the event contradicts those before, of code limit where the memory limit is reached.
  /// Then nothing more may be taken; what was found stays.
  ///
  /// Violations are there once take() returns, but for two: what follows a commit whose outcome is unknown is judged as
  /// soon as one of its records is seen, or at finish(); and a record that was delivered before its step aborted is
  /// reported when it aborts.
  std::optional<Error> take(const CausalEvent& event);
  /// No more events come: commits whose outcome is unknown still were none.
  std::optional<Error> finish();

  /// All that were found so far, in the order in which they were found; after finish() in order of lines.
  [[nodiscard]] const std::vector<CausalViolation>& violations() const&;
  [[nodiscard]] std::vector<CausalViolation> violations() &&;
  [[nodiscard]] std::size_t memory() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct CausalStatistics {
  std::uint64_t events = 0;
  std::uint64_t records = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t drains = 0;
  std::uint64_t peak_memory = 0;  ///< bytes
};

struct CausalResult {
  Verdict verdict = Verdict::valid;  ///< unknown: a limit was reached, and no violation found by then
  Limit limit = Limit::none;
  std::vector<CausalViolation> violations;  ///< in order of lines, then of kinds
  CausalStatistics statistics;
  double elapsed_s = 0;
};

/// Judges a whole trace. Of the options the time and memory limits, `cancel` and `progress` count. The trace must obey
/// CausalRules: std::invalid_argument where it does not.
CausalResult judge_causal_trace(const CausalTrace& trace, const CheckOptions& options = {}, CausalDetail detail = {});
/// Judges a trace while it is read, and keeps no event. An Error, with the file, for bad input.
Result<CausalResult> judge_causal_trace(CausalTraceReader& reader, const std::string& file,
                                        const CheckOptions& options = {}, CausalDetail detail = {});

/// Indices of few events of the trace that have this violation of it by themselves, rising, such that none can be left
/// out where the effort (some seconds) suffices.
std::vector<std::uint32_t> causal_core(const CausalTrace& trace, const CausalViolation& violation);

}  // namespace porpentine
