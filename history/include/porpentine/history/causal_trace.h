// Traces of actors that send records to channels and deliver records from them, in the order in which it all happened.
//
//     Result<CausalTrace> trace = read_causal_trace("run.jsonl");
//     std::unique_ptr<CausalTraceReader> reader = CausalTraceReader::open("-").value();   // or one event after the
//     other
//
// JSON Lines, an object a line, its `type` and the fields that go with it; other fields are allowed and not looked at:
//
//   subscribe    actor, ch, position   the actor consumes the channel from this offset on
//   unsubscribe  actor, ch             it no longer does
//   begin, commit, abort  actor        bounds of an atomic step; outside of one each event commits at once.
//                                      A commit with "outcome": "unknown" counts as one exactly if one of the step's
//                                      records is delivered or observed later, and no marker stood there before;
//                                      as an abort otherwise
//   send         actor, ch, offset, id?  a record of this actor stands at (ch, offset)
//   deliver      actor, ch, offset     the actor's logic was given that record
//   observe      actor, ch, offset     a plain client has seen that record
//   marker       ch, offset            the offset holds no record: a transaction's marker, or an aborted record
//   crash        actor, lose           "staged": an open step is aborted; "all": the actor's memory is gone, too
//   restart      actor                 it runs again
//   truncate     ch, log_start         records below that offset can no longer be read
//   drain        actors?               everything was to have been delivered by now (to these actors; else to all)
//   end          drained               the run is over; false: it did not drain within its budget
//   note         text                  shown, never judged
//
// `actor` and `ch` are text, or integers, which stand for their digits; offsets unsigned integers of 64 bits. A first
// line {"porpentine": 1, ...} is a header. Files compressed by gzip or zstd are read as they are.
//
// A line that is no such event is an Error with file and line. So is what can't have happened: an event of an actor
// that is down, a restart of one that is not, a begin within a step, a commit or abort without one, a send to an offset
// that holds a record or a marker, a marker where a record stands that was not aborted,
// anything but notes after the end. CausalRules (causal_rules.h) finds those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>

namespace porpentine {

enum class CausalEventType : std::uint8_t {
  subscribe,
  unsubscribe,
  begin,
  commit,
  abort,
  send,
  deliver,
  observe,
  marker,
  crash,
  restart,
  truncate,
  drain,
  end,
  note
};

inline constexpr std::size_t kCausalEventTypes = 15;

/// "subscribe", ..., "note".
std::string_view to_string(CausalEventType type);

inline constexpr std::uint32_t kNoIndex = 0xffffffff;

/// One line of a trace. Fields that the type does not have are as they are here.
struct CausalEvent {
  CausalEventType type = CausalEventType::note;
  /// crash: the memory is lost, too; commit: the outcome is unknown; end: it drained.
  bool flag = false;
  std::uint32_t actor = kNoIndex;    ///< index into CausalNames::actors
  std::uint32_t channel = kNoIndex;  ///< index into CausalNames::channels
  /// note: index into CausalNames::texts; send: the same of its id, as JSON; drain: index into CausalNames::lists;
  /// else, and where there is none, kNoIndex.
  std::uint32_t detail = kNoIndex;
  std::uint64_t offset = 0;  ///< subscribe: the position; truncate: log_start
  std::uint64_t line = 0;    ///< from 1; 0: none

  bool operator==(const CausalEvent&) const = default;
};

/// What the indices in events stand for, in order of first appearance.
struct CausalNames {
  std::vector<std::string> actors;
  std::vector<std::string> channels;
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint32_t>> lists;  ///< of actors

  bool operator==(const CausalNames&) const = default;
};

/// A whole trace. 32 bytes an event.
struct CausalTrace {
  std::string file;  ///< as the caller named it
  CausalNames names;
  std::vector<CausalEvent> events;
};

/// Reads events one after the other, from a file or while they are written.
class CausalTraceReader {
 public:
  /// "-" is standard input. Of the options, those on progress and memory count.
  static Result<std::unique_ptr<CausalTraceReader>> open(const std::string& path, const ReadOptions& options = {});
  static Result<std::unique_ptr<CausalTraceReader>> open_text(std::string_view text, const ReadOptions& options = {},
                                                              std::string_view name = "<memory>");
  ~CausalTraceReader();
  CausalTraceReader(const CausalTraceReader&) = delete;  // an input is read once
  CausalTraceReader& operator=(const CausalTraceReader&) = delete;

  /// Whether it is a trace, as is_causal_trace tells; waits for the lines that say so. Only before next().
  Result<bool> is_trace();
  /// All of it as a history, where it is no trace. Only before next().
  Result<History> read_history();

  /// The model that the header names, once is_trace() was asked; empty where there is none.
  [[nodiscard]] const std::string& header_model() const;
  /// The next event; false at the end. An Error ends the reading.
  Result<bool> next(CausalEvent& event);
  /// Grows while events are read. The texts of notes and the ids of records are only those of the last event where
  /// keep_details(false) was called.
  [[nodiscard]] const CausalNames& names() const;
  void keep_details(bool keep);
  /// Whether so many bytes are within ReadOptions::memory_limit.
  [[nodiscard]] bool may_take(std::uint64_t bytes) const;

 private:
  class Impl;
  explicit CausalTraceReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads all of it, and applies CausalRules.
Result<CausalTrace> read_causal_trace(const std::string& path, const ReadOptions& options = {});
/// What is left of an input that was opened; `file` is its name.
Result<CausalTrace> read_causal_trace(CausalTraceReader& reader, std::string_view file);
Result<CausalTrace> read_causal_trace_text(std::string_view text, const ReadOptions& options = {},
                                           std::string_view name = "<memory>");

/// Whether a text that begins so is a trace: its first line that says so has a `type` that only traces know.
bool is_causal_trace(std::string_view head);

/// Writes a header, then one line an event. Reading the result gives the same events and names, but for their lines.
void write_causal_trace(const CausalTrace& trace, std::ostream& out);

}  // namespace porpentine
