// One line of JSON Lines, its fields told apart by name and its values interned.
//
// PlainLineParser in plain_line.h does the same for most lines, and faster.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <porpentine/history/value.h>

#include "event_pairing.h"
#include "failure.h"

namespace porpentine {

/// The fields that mean something in one of the forms.
enum class JsonField : std::uint8_t { other, process, type, f, key, input, output, value, call, ret, time };

/// Their names, by JsonField; `other` has none.
inline constexpr std::array<std::string_view, 11> kJsonFieldNames = {
    "", "process", "type", "f", "key", "input", "output", "value", "call", "return", "time"};

/// Tells a field by its name as it stands in the text, behind the opening quote and closing quote included. 8 bytes
/// must be readable; a name with escapes is `other`.
JsonField parse_json_field(const char* name);

/// The fields that a line names.
class NamedFields {
 public:
  void note(JsonField field) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(field);
    repeated_ |= named_ & bit;
    named_ |= bit;
  }
  /// Whether one was named twice; of `other` fields only repeated_name() can tell that.
  [[nodiscard]] bool repeat() const { return repeated_ >> 1U != 0; }

 private:
  std::uint32_t named_ = 0;     ///< a bit for each, by JsonField
  std::uint32_t repeated_ = 0;  ///< the same for those that were named again
};

/// A field that should hold a time. Times are not interned: there are too many different ones.
struct JsonTime {
  enum class State : std::uint8_t { absent, integer, other };  // null is absent
  State state = State::absent;
  std::int64_t integer = 0;
  ValueId other = kNull;  ///< whatever else it holds
};

/// A line of either form; which fields it should have had is the reader's business.
struct JsonLine {
  std::optional<ValueId> process;
  std::optional<EventType> type;
  bool unknown_type = false;  ///< there is a type, and it is none of the known ones
  ValueId f = kNull;
  ValueId key = kNull;
  ValueId input = kNull;
  ValueId output = kNull;
  std::optional<ValueId> value;
  JsonTime call;
  JsonTime ret;
  JsonTime time;
  Fields others;
  NamedFields named;
  std::string_view text;
  std::uint64_t number = 0;

  /// Empties it for the next line, and keeps what memory it has.
  void reset(std::string_view next_text, std::uint64_t next_number);
  /// The time that `field` is; null where it is none.
  JsonTime* time_of(JsonField field);
  /// Sets a field that is no time. `name` is its name, for JsonField::other.
  void set(JsonField field, ValueId name, ValueId content, const ValueTable& values);
};

/// Parses any line, by simdjson.
class JsonLineParser {
 public:
  explicit JsonLineParser(ValueTable& values) : values_(values) {}

  /// Parses `text`, behind which TextBuffer::kPadding bytes must be readable.
  Failure parse(std::string_view text, std::uint64_t number, JsonLine& line);

 private:
  using Value = simdjson::ondemand::value;
  using Status = simdjson::error_code;

  /// What no call of simdjson's gives here: a name that stands twice in one object. It is in repeated_.
  static constexpr Status kRepeatedName = simdjson::NO_SUCH_FIELD;

  Status parse_object(simdjson::ondemand::document& document, JsonLine& line);
  Status parse_field(simdjson::ondemand::field& field, JsonLine& line);
  Status parse_time(Value value, JsonTime& time);
  Status intern(Value value, unsigned depth, ValueId& id);
  Status intern_string(Value value, ValueId& id);
  Status intern_number(Value value, ValueId& id);
  Status intern_array(Value value, unsigned depth, ValueId& id);
  Status intern_object(Value value, unsigned depth, ValueId& id);
  Status check_names(std::span<const ValueId> members);

  ValueTable& values_;
  simdjson::ondemand::parser parser_;
  Fields scratch_;  ///< elements of the arrays and objects that are open
  std::string repeated_;
};

}  // namespace porpentine
