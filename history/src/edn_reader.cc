// Jepsen's history.edn and Porcupine's key-value logs: op maps, one after the other or in one vector or list.
//
// Linear in the length of the text. Only one map at a time is held as text.
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "edn_parser.h"
#include "event_pairing.h"
#include "readers.h"
#include "repeated_name.h"

namespace porpentine {
namespace {

std::uint64_t line_breaks(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

class EdnReader {
 public:
  EdnReader(TextBuffer& text, const ReadOptions& options, Format format, History& history)
      : text_(text),
        history_(history),
        is_kv_log_(format == Format::kv_log),
        builder_(history, text),
        pairing_(builder_, {Clock::line_order, options.independent, true}),
        names_(history.values) {}

  Failure run();

 private:
  /// What the top level goes on with.
  enum class Step : std::uint8_t { again, event, end, failed };

  /// The field names of op maps and their types, interned once.
  struct Names {
    explicit Names(ValueTable& values)
        : type(values.string("type")),
          process(values.string("process")),
          f(values.string("f")),
          key(values.string("key")),
          value(values.string("value")),
          time(values.string("time")),
          index(values.string("index")) {}
    ValueId type, process, f, key, value, time, index;
  };

  Step next(EdnParser& parser);
  Step enter_or_leave(EdnParser& parser, char bracket);
  bool parse_event(EdnParser& parser);
  bool parse_field(EdnParser& parser);
  bool check_names();
  bool parse_type(EdnParser& parser);
  bool parse_time(EdnParser& parser);
  bool parse_index(EdnParser& parser);
  Failure finish_event(std::size_t end);
  void absent_texts_to_null();
  Failure advance(std::size_t count);
  [[nodiscard]] std::uint64_t event_line() const;
  [[nodiscard]] Error error(std::string_view message, ErrorCode code = ErrorCode::syntax) const;

  TextBuffer& text_;
  History& history_;
  bool is_kv_log_;
  HistoryBuilder builder_;
  EventPairing pairing_;
  Names names_;
  Event event_;
  Fields named_;  ///< names of the form's fields, each with null
  bool has_type_ = false;
  std::size_t event_begin_ = 0;  ///< of the form that is read, in the window
  std::string field_error_;      ///< of a form that is EDN, but no event
  char closing_ = '\0';          ///< of the vector or list that is open; 0 where none is
  std::uint64_t line_ = 1;       ///< of the window's begin
};

Failure EdnReader::run() {
  Step step = Step::again;
  while (step != Step::end) {
    EdnParser parser(text_.window(), history_.values, {text_.complete(), is_kv_log_});
    step = next(parser);
    if (parser.ran_out()) {
      if (auto failure = text_.fill()) return failure;
      step = Step::again;
      continue;
    }
    if (step == Step::failed) {
      return field_error_.empty() ? error(parser.error()) : error(field_error_, ErrorCode::field);
    }
    if (step == Step::event) {
      if (auto failure = finish_event(parser.position())) return failure;
    }
    if (auto failure = advance(parser.position())) return failure;
  }
  pairing_.finish();
  builder_.finish();
  return {};
}

EdnReader::Step EdnReader::next(EdnParser& parser) {
  field_error_.clear();
  event_begin_ = 0;
  if (!parser.skip_blanks()) return Step::failed;
  event_begin_ = parser.position();
  const char c = parser.peek();
  if (event_begin_ == text_.window().size()) {
    if (closing_ != '\0') field_error_ = "the vector or list of events has no end";
    return closing_ != '\0' ? Step::failed : Step::end;
  }
  if (parser.ran_out()) return Step::again;
  if (c != '{' && c != '#') return enter_or_leave(parser, c);
  return parse_event(parser) ? Step::event : Step::failed;
}

EdnReader::Step EdnReader::enter_or_leave(EdnParser& parser, char bracket) {
  if (closing_ == '\0' && (bracket == '[' || bracket == '(')) {
    closing_ = bracket == '[' ? ']' : ')';
  } else if (closing_ != '\0' && bracket == closing_) {
    closing_ = '\0';
  } else {
    field_error_ = "an op map should stand here";
    return Step::failed;
  }
  parser.accept(bracket);
  return Step::again;
}

bool EdnReader::parse_event(EdnParser& parser) {
  Fields others = std::move(event_.others);
  others.clear();
  event_ = Event{};
  event_.others = std::move(others);
  named_.clear();
  has_type_ = false;
  if (!parser.skip_tag()) return false;
  if (!parser.accept('{')) {
    field_error_ = "an op map should stand here";
    return false;
  }
  while (true) {
    if (!parser.skip_blanks()) return false;
    if (parser.accept('}')) return check_names();
    if (!parse_field(parser)) return false;
  }
}

bool EdnReader::check_names() {
  const auto repeated = repeated_name(named_);
  if (repeated) field_error_ = ":" + excerpt(*history_.values.as_string(*repeated)) + " stands twice in one map";
  return !repeated;
}

bool EdnReader::parse_field(EdnParser& parser) {
  ValueId name = kNull;
  ValueId value = kNull;
  if (!parser.parse_key(name) || !parser.skip_blanks()) return false;
  named_.insert(named_.end(), {name, kNull});
  if (name == names_.type) return parse_type(parser);
  if (name == names_.time) return parse_time(parser);
  if (name == names_.index) return parse_index(parser);
  if (!parser.parse_value(value)) return false;
  if (name == names_.process) {
    event_.process = value;
  } else if (name == names_.f) {
    event_.f = value;
  } else if (name == names_.key) {
    event_.key = value;
  } else if (name == names_.value) {
    event_.value = value;
  } else {
    event_.others.push_back(name);
    event_.others.push_back(value);
  }
  return true;
}

bool EdnReader::parse_type(EdnParser& parser) {
  ValueId value = kNull;
  if (!parser.parse_value(value)) return false;
  const auto word = history_.values.as_string(value);
  const auto type = word ? parse_event_type(*word) : std::nullopt;
  has_type_ = type.has_value();
  event_.type = type.value_or(EventType::note);
  if (!type) field_error_ = "unknown :type";
  return has_type_;
}

bool EdnReader::parse_time(EdnParser& parser) {
  event_.time = parser.parse_integer();
  if (event_.time) return true;
  ValueId value = kNull;
  if (!parser.parse_value(value)) return false;
  event_.time = history_.values.as_int64(value);
  if (event_.time || value == kNull) return true;
  field_error_ = ":time is not a 64-bit integer";
  return false;
}

// An index that is the event's position says nothing, and there is one on every event.
bool EdnReader::parse_index(EdnParser& parser) {
  ValueId value = kNull;
  if (const auto index = parser.parse_integer()) {
    if (*index == pairing_.position()) return true;
    value = history_.values.integer(*index);
  } else if (!parser.parse_value(value)) {
    return false;
  }
  event_.others.push_back(names_.index);
  event_.others.push_back(value);
  return true;
}

Failure EdnReader::finish_event(std::size_t end) {
  if (!has_type_) return error("missing field :type", ErrorCode::field);
  if (!event_.process) return error("missing field :process", ErrorCode::field);
  if (is_kv_log_) absent_texts_to_null();
  event_.text = text_.window().substr(event_begin_, end - event_begin_);
  event_.line = event_line();
  return pairing_.add(event_);
}

void EdnReader::absent_texts_to_null() {
  if (event_.value != history_.values.string("")) return;
  const auto f = history_.values.as_string(event_.f);
  if (f == "get" || f == "put") event_.value = kNull;
}

Failure EdnReader::advance(std::size_t count) {
  const std::string_view read = text_.window().substr(0, count);
  if (!simdjson::validate_utf8(read.data(), read.size())) return error("not UTF-8");
  line_ += line_breaks(read);
  text_.consume(count);
  return {};
}

std::uint64_t EdnReader::event_line() const { return line_ + line_breaks(text_.window().substr(0, event_begin_)); }

Error EdnReader::error(std::string_view message, ErrorCode code) const {
  return error_at(event_line(), code, message, text_.window().substr(event_begin_));
}

}  // namespace

Failure read_edn(TextBuffer& text, const ReadOptions& options, Format format, History& history) {
  return EdnReader(text, options, format, history).run();
}

bool is_kv_log(std::string_view text) {
  ValueTable values;
  EdnParser parser(text, values, {false, true});
  ValueId map = kNull;
  if (!parser.parse_value(map) || values.kind(map) != ValueKind::object) return false;
  bool has_value = false;
  bool has_text_key = false;
  const auto members = values.elements(map);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    has_value |= values.as_string(members[i]) == "value";
    has_text_key |= values.as_string(members[i]) == "key" && values.as_string(members[i + 1]).has_value();
  }
  return has_value && has_text_key;
}

}  // namespace porpentine
