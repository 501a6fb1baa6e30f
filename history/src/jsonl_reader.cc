// JSON Lines in the operation form (one line an operation) and the event form (one line an event).
//
// Linear in the length of the text. That a process does one thing at a time is checked on the way as long as its
// operations come in order, and by sorting only where they don't.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "json_line.h"
#include "plain_line.h"
#include "process_order.h"
#include "readers.h"

namespace porpentine {
namespace {

enum class Form : std::uint8_t { unknown, operations, events };

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

class JsonlReader {
 public:
  JsonlReader(TextBuffer& text, const ReadOptions& options, History& history)
      : text_(text),
        history_(history),
        builder_(history, text),
        pairing_(builder_, {Clock::times_or_positions, options.independent, false}),
        plain_parser_(history.values),
        parser_(history.values) {}

  Failure run();

 private:
  Failure parse_line(std::string_view text);
  Failure read_line();
  [[nodiscard]] bool is_annotation() const;
  [[nodiscard]] bool is_event() const;
  Failure read_header(ValueId version);
  Failure read_text_field(std::string_view name, std::string& field);
  Failure check_form(Form form);
  Failure read_event();
  Failure read_operation();
  Failure set_times(OperationRow& row);
  void add_operation_metadata(std::uint32_t operation, Outcome outcome);
  void note_busy(const OperationRow& row);

  [[nodiscard]] std::optional<ValueId> other(std::string_view name) const;
  void keep_as_field(std::string_view name, ValueId value);
  void keep_as_field(std::string_view name, const JsonTime& time);
  [[nodiscard]] Error error(ErrorCode code, std::string_view message) const {
    return error_at(line_.number, code, message, line_.text);
  }

  TextBuffer& text_;
  History& history_;
  HistoryBuilder builder_;
  EventPairing pairing_;
  PlainLineParser plain_parser_;
  JsonLineParser parser_;
  JsonLine line_;
  Event event_;
  Form form_ = Form::unknown;
  bool is_first_ = true;
  std::vector<std::int64_t> busy_until_;  ///< by process
  bool in_order_ = true;                  ///< no process's operation was called before an earlier line's returned
};

Failure JsonlReader::run() {
  Failure failure;
  std::string_view text;
  while (text_.next_line(text, failure)) {
    if (is_blank(text)) continue;
    if ((failure = parse_line(text))) return failure;
    if ((failure = read_line())) return failure;
    is_first_ = false;
  }
  if (failure) return failure;
  if (form_ == Form::operations) {
    builder_.resolve_annotations(false);
    if (!in_order_ && (failure = check_processes(history_))) return failure;
  } else {
    pairing_.finish();
  }
  builder_.finish();
  return {};
}

Failure JsonlReader::parse_line(std::string_view text) {
  const std::uint64_t number = text_.line_number();
  if (plain_parser_.parse(text, number, line_)) return {};
  return parser_.parse(text, number, line_);
}

Failure JsonlReader::read_line() {
  if (is_first_) {
    if (const auto version = other("porpentine")) return read_header(*version);
  }
  if (line_.unknown_type && form_ != Form::operations && is_annotation()) line_.type = EventType::note;
  if (line_.unknown_type && line_.type != EventType::note) return error(ErrorCode::field, "unknown \"type\"");
  return is_event() ? read_event() : read_operation();
}

// What is never checked: notes, and what a process says whose id is no integer.
bool JsonlReader::is_annotation() const {
  if (line_.type == EventType::note) return true;
  if (!line_.process) return false;
  const ValueKind kind = history_.values.kind(*line_.process);
  return kind != ValueKind::integer && kind != ValueKind::unsigned_integer;
}

// A note is no operation in either form. A completion can't be told from an operation that lacks its call but by the
// lines before.
bool JsonlReader::is_event() const {
  if (line_.type == EventType::invoke || line_.type == EventType::note) return true;
  return line_.type && line_.call.state == JsonTime::State::absent && form_ != Form::operations;
}

std::optional<ValueId> JsonlReader::other(std::string_view name) const {
  for (std::size_t i = 0; i < line_.others.size(); i += 2) {
    if (history_.values.as_string(line_.others[i]) == name) return line_.others[i + 1];
  }
  return std::nullopt;
}

Failure JsonlReader::read_header(ValueId version) {
  if (history_.values.as_int64(version) != 1) return error(ErrorCode::field, "only version 1 of the format is known");
  if (auto failure = read_text_field("model", history_.model)) return failure;
  return read_text_field("time-unit", history_.time_unit);
}

Failure JsonlReader::read_text_field(std::string_view name, std::string& field) {
  const ValueId value = other(name).value_or(kNull);
  if (value == kNull) return {};
  const auto text = history_.values.as_string(value);
  if (!text) return error(ErrorCode::field, "\"" + std::string(name) + "\" is no text");
  field = *text;
  return {};
}

Failure JsonlReader::check_form(Form form) {
  if (form_ == Form::unknown) form_ = form;
  if (form_ == form) return {};
  return error(ErrorCode::field, form == Form::events ? "an event among operations, the two forms don't mix"
                                                      : "an operation among events, the two forms don't mix");
}

void JsonlReader::keep_as_field(std::string_view name, ValueId value) {
  if (value == kNull) return;
  line_.others.push_back(history_.values.string(name));
  line_.others.push_back(value);
}

void JsonlReader::keep_as_field(std::string_view name, const JsonTime& time) {
  keep_as_field(name, time.state == JsonTime::State::integer ? history_.values.integer(time.integer) : time.other);
}

// In an event, what only the operation form has are further fields.
Failure JsonlReader::read_event() {
  if (line_.type != EventType::note) {
    if (auto failure = check_form(Form::events)) return failure;
  }
  if (line_.time.state == JsonTime::State::other) {
    if (!is_annotation()) return error(ErrorCode::field, "\"time\" is not a 64-bit integer");
    keep_as_field("event-time", line_.time);
  }
  keep_as_field("input", line_.input);
  keep_as_field("output", line_.output);
  keep_as_field("call", line_.call);
  keep_as_field("return", line_.ret);
  event_.type = *line_.type;
  event_.process = line_.process;
  event_.f = line_.f;
  event_.key = line_.key;
  event_.value = line_.value.value_or(kNull);
  event_.time = line_.time.state == JsonTime::State::integer ? std::optional(line_.time.integer) : std::nullopt;
  std::swap(event_.others, line_.others);
  event_.text = line_.text;
  event_.line = line_.number;
  return pairing_.add(event_);
}

Failure JsonlReader::read_operation() {
  if (auto failure = check_form(Form::operations)) return failure;
  if (!line_.process) return error(ErrorCode::field, "missing field \"process\"");
  const ValueKind process_kind = history_.values.kind(*line_.process);
  if (process_kind != ValueKind::integer && process_kind != ValueKind::string &&
      process_kind != ValueKind::unsigned_integer) {
    return error(ErrorCode::field, "\"process\" is neither an integer nor text");
  }
  if (line_.f == kNull) return error(ErrorCode::field, "missing field \"f\"");
  if (line_.value && line_.input == kNull && line_.output == kNull) {
    return error(ErrorCode::field, "\"value\" belongs to events; an operation has \"input\" and \"output\"");
  }
  const auto function = builder_.function(line_.f);
  if (!function) return error(ErrorCode::field, builder_.function_error(line_.f));

  OperationRow row = {.process = builder_.process(*line_.process),
                      .function = *function,
                      .key = line_.key,
                      .input = line_.input,
                      .output = kNull,
                      .call = 0,
                      .ret = 0,
                      .outcome = Outcome::ok,
                      .line = line_.number};
  if (auto failure = set_times(row)) return failure;
  if (row.outcome == Outcome::ok) row.output = line_.output;
  const auto operation = builder_.add(row);
  if (!operation) return error(ErrorCode::limit, "too many operations");
  add_operation_metadata(*operation, row.outcome);
  note_busy(row);
  return {};
}

Failure JsonlReader::set_times(OperationRow& row) {
  const auto& [call, ret] = std::tie(line_.call, line_.ret);
  if (call.state == JsonTime::State::absent) return error(ErrorCode::field, "missing field \"call\"");
  if (call.state == JsonTime::State::other) return error(ErrorCode::field, "\"call\" is not a 64-bit integer");
  if (ret.state == JsonTime::State::other) return error(ErrorCode::field, "\"return\" is not a 64-bit integer");
  const bool returned = ret.state == JsonTime::State::integer;
  if (returned && ret.integer < call.integer) return error(ErrorCode::order, "return before its call");
  if (line_.type == EventType::ok && !returned) return error(ErrorCode::field, "missing field \"return\"");

  if (line_.type == EventType::fail) {
    row.outcome = Outcome::fail;
  } else if (line_.type == EventType::info) {
    row.outcome = Outcome::info;
  } else if (!returned) {
    row.outcome = Outcome::open;
  }
  row.call = call.integer;
  row.ret = returned && !is_indeterminate(row.outcome) ? ret.integer : call.integer;
  builder_.note_time(row.call);
  return {};
}

void JsonlReader::add_operation_metadata(std::uint32_t operation, Outcome outcome) {
  if (line_.value) {
    line_.others.push_back(history_.values.string("value"));
    line_.others.push_back(*line_.value);
  }
  keep_as_field("time", line_.time);
  if (outcome != Outcome::ok) keep_as_field("return-value", line_.output);
  if (outcome == Outcome::info) keep_as_field("return-time", line_.ret);
  builder_.add_metadata(operation, line_.others);
}

void JsonlReader::note_busy(const OperationRow& row) {
  if (row.process >= busy_until_.size()) busy_until_.push_back(std::numeric_limits<std::int64_t>::min());
  std::int64_t& busy_until = busy_until_[row.process];
  if (row.call < busy_until) in_order_ = false;
  if (!is_indeterminate(row.outcome)) busy_until = std::max(busy_until, row.ret);
}

}  // namespace

Failure read_jsonl(TextBuffer& text, const ReadOptions& options, History& history) {
  return JsonlReader(text, options, history).run();
}

}  // namespace porpentine
