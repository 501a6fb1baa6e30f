// Events of a history that is still being written, one after the other, as they arrive.
//
// For JSON Lines in the event form alone. What is kept is the operations that run, so an input without an end can be
// read. The events are those that read_history would pair, and errors have its words, as far as they can be told
// without the operations of the past.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>

namespace porpentine {

/// One line. All views are valid until the next line is read.
struct ArrivingEvent {
  enum class Type : std::uint8_t { nothing, call, ok, fail, info };
  Type type = Type::nothing;  ///< nothing: a blank line, a header, an annotation
  std::string_view process;   ///< JSON, as are key and value
  std::string_view f;         ///< bare, of a call
  std::string_view key;       ///< of a call
  std::string_view value;     ///< the input of a call, the output of an ok
  std::int64_t time = 0;      ///< its own, or else its position
  std::uint64_t line = 0;
  std::string_view text;  ///< of the whole line, without its end
};

class EventReader {
 public:
  /// Opens a file, "-" is standard input, and waits for the first line that tells the format and the form.
  static Result<std::unique_ptr<EventReader>> open(const std::string& path, const ReadOptions& options = {});
  ~EventReader();
  EventReader(const EventReader&) = delete;  // an input is read once
  EventReader& operator=(const EventReader&) = delete;

  /// Whether this is JSON Lines in the event form.
  [[nodiscard]] bool has_events() const;
  /// Whether this is a trace that CausalTraceReader reads.
  [[nodiscard]] bool is_causal_trace() const;
  /// Reads all of the input where it is something else; only before next().
  Result<History> read_whole();

  /// The next line; false at the end. An Error ends the reading.
  Result<bool> next(ArrivingEvent& event);
  /// The next line as it is, whatever it says; false at the end.
  Result<bool> next_text(std::string_view& text);
  /// Whether next() has a whole line, and needs not wait for the input.
  [[nodiscard]] bool has_line() const;
  /// From the header, if there was one so far.
  [[nodiscard]] const std::string& model() const;
  /// Whether events have times of their own, and so may share one.
  [[nodiscard]] bool has_times() const;

 private:
  class Impl;
  explicit EventReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace porpentine
