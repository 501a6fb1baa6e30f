// One line of JSON Lines, its fields told apart by name and its values interned.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include <porpentine/history/value.h>

#include "event_pairing.h"
#include "failure.h"

namespace porpentine {

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
  std::string_view text;
  std::uint64_t number = 0;
};

class JsonLineParser {
 public:
  explicit JsonLineParser(ValueTable& values) : values_(values) {}

  /// Parses `text`, behind which TextBuffer::kPadding bytes must be readable.
  Failure parse(std::string_view text, std::uint64_t number, JsonLine& line);

 private:
  using Value = simdjson::ondemand::value;
  using Status = simdjson::error_code;

  Status parse_object(simdjson::ondemand::document& document, JsonLine& line);
  Status parse_field(simdjson::ondemand::field& field, JsonLine& line);
  Status parse_type(Value value, JsonLine& line);
  Status parse_time(Value value, JsonTime& time);
  Status intern(Value value, unsigned depth, ValueId& id);
  Status intern_string(Value value, ValueId& id);
  Status intern_number(Value value, ValueId& id);
  Status intern_array(Value value, unsigned depth, ValueId& id);
  Status intern_object(Value value, unsigned depth, ValueId& id);

  ValueTable& values_;
  simdjson::ondemand::parser parser_;
  Fields scratch_;  ///< elements of the arrays and objects that are open
};

}  // namespace porpentine
