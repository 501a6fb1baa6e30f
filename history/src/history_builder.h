// Fills the columns of a History, one operation after the other.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <porpentine/history/history.h>

#include "failure.h"
#include "text_buffer.h"

namespace porpentine {

/// One operation with indices in place of names.
struct OperationRow {
  std::uint32_t process = 0;
  std::uint16_t function = 0;
  ValueId key = kNull;
  ValueId input = kNull;
  ValueId output = kNull;
  std::int64_t call = 0;
  std::int64_t ret = 0;
  Outcome outcome = Outcome::ok;
  std::uint64_t line = 0;
};

/// Fields by name: name, value, name, value, ... as ValueTable::object takes them.
using Fields = std::vector<ValueId>;

class HistoryBuilder {
 public:
  /// `text` says how much is still to come, so that the columns grow to what they will need.
  HistoryBuilder(History& history, const TextBuffer& text) : history_(history), text_(text) {}

  [[nodiscard]] History& history() { return history_; }
  [[nodiscard]] ValueTable& values() { return history_.values; }

  /// Index of a process, made if there is none.
  std::uint32_t process(ValueId name);
  /// Index of a function, made if there is none; nothing where function_error() says why.
  std::optional<std::uint16_t> function(ValueId name);
  /// Why function() gave nothing, for a message.
  [[nodiscard]] std::string_view function_error(ValueId name) const;

  /// Adds an operation and returns its index; nothing where there are too many.
  std::optional<std::uint32_t> add(const OperationRow& row);

  /// Tells the line of an operation's completion.
  void set_return_line(std::uint32_t operation, std::uint64_t line);

  /// Attaches fields to an operation; may be called again with fields of other names.
  void add_metadata(std::uint32_t operation, std::span<const ValueId> fields);

  /// A note. `time` is its own, if it has one; resolve_annotations() finds one otherwise. `position` is its place
  /// in the order of events.
  void annotate(const Annotation& annotation, std::optional<std::int64_t> time, std::int64_t position);
  /// Tells the time of the line that was just read, which is that of annotations without one that follow.
  void note_time(std::int64_t time);
  /// Gives annotations their times: positions or times.
  void resolve_annotations(bool positions);
  /// Whether every annotation has a time of its own.
  [[nodiscard]] bool annotations_have_times() const;

  /// Completes the lines of the returns, puts the metadata in order and returns what was reserved in vain.
  void finish();

 private:
  struct AnnotationTime {
    std::optional<std::int64_t> own;
    std::optional<std::int64_t> before;  ///< of the last line in front of it that had one
    std::int64_t position = 0;
  };

  void grow();
  void merge_metadata();

  History& history_;
  const TextBuffer& text_;
  absl::flat_hash_map<ValueId, std::uint32_t> process_of_;
  absl::flat_hash_map<ValueId, std::uint16_t> function_of_;
  std::vector<AnnotationTime> annotation_times_;
  std::optional<std::int64_t> first_time_;
  std::optional<std::int64_t> last_time_;
};

}  // namespace porpentine
