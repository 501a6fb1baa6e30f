// Jepsen's text lines: process, type, function and value at the end of a line, whatever stands in front of them.
//
// Here a failed compare-and-set is a mismatch that was seen, and a failure by timeout is none: nobody knows.
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>

#include "edn_parser.h"
#include "event_pairing.h"
#include "readers.h"

namespace porpentine {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kTimedOut = ":timed-out";

/// The fields of a line, as they stand there.
struct LogFields {
  std::string_view process;
  EventType type = EventType::info;
  std::string_view f;
  std::string_view rest;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the next word off the front of `text`; empty at the end.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

bool is_keyword(std::string_view word) { return word.size() > 1 && word[0] == ':'; }

bool is_integer(std::string_view word) {
  if (!word.empty() && word[0] == '-') word.remove_prefix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The fields of an event, which begin with the first "PROCESS :TYPE :F"; nothing where the line holds none.
std::optional<LogFields> find_fields(std::string_view line) {
  std::string_view before;
  for (std::string_view word = take_word(line); !word.empty(); before = word, word = take_word(line)) {
    if (!is_keyword(word) || !(is_integer(before) || is_keyword(before))) continue;
    const auto type = parse_event_type(word.substr(1));
    if (!type || *type == EventType::note) continue;
    std::string_view rest = line;
    const std::string_view f = take_word(rest);
    if (is_keyword(f)) return LogFields{before, *type, f, trimmed(rest)};
  }
  return std::nullopt;
}

class JepsenLogReader {
 public:
  JepsenLogReader(TextBuffer& text, const ReadOptions& options, History& history)
      : text_(text),
        values_(history.values),
        independent_(options.independent),
        builder_(history, text),
        pairing_(builder_, {Clock::line_order, options.independent, true}) {}

  Failure run();

 private:
  Failure read_event(const LogFields& fields, std::string_view line);
  bool parse_value(std::string_view text, Event& event);
  void add_error(std::string_view text, Event& event);
  void judge_failure(std::string_view f, bool timed_out, Event& event);

  TextBuffer& text_;
  ValueTable& values_;
  bool independent_;
  HistoryBuilder builder_;
  EventPairing pairing_;
};

Failure JepsenLogReader::run() {
  Failure failure;
  std::string_view line;
  std::uint64_t first_other = 0;  // the first line that is none of an operation
  bool any = false;
  while (text_.next_line(line, failure)) {
    const auto fields = find_fields(line);
    any = any || fields;
    if (fields && (failure = read_event(*fields, line))) return failure;
    if (!fields && first_other == 0 && !trimmed(line).empty()) first_other = text_.line_number();
  }
  if (failure) return failure;
  if (!any && first_other != 0) {
    return Error{ErrorCode::syntax, "no line is one of a Jepsen log (process, :type, :f, value)", {}, first_other};
  }
  pairing_.finish();
  builder_.finish();
  return {};
}

Failure JepsenLogReader::read_event(const LogFields& fields, std::string_view line) {
  const std::uint64_t number = text_.line_number();
  if (!simdjson::validate_utf8(line.data(), line.size())) {
    return error_at(number, ErrorCode::syntax, "not UTF-8", line);
  }
  Event event;
  event.type = fields.type;
  event.f = values_.string(fields.f.substr(1));
  event.text = line;
  event.line = number;
  ValueId process = kNull;
  EdnParser parser(fields.process, values_, {});
  if (!parser.parse_value(process)) return error_at(number, ErrorCode::field, parser.error(), line);
  event.process = process;

  const bool is_definite = fields.type == EventType::invoke || fields.type == EventType::ok;
  const bool timed_out = !is_definite && fields.rest.substr(0, fields.rest.find_first_of(kBlanks)) == kTimedOut;
  if (timed_out) {
    add_error(fields.rest.substr(1), event);
  } else if (!parse_value(fields.rest, event)) {
    if (is_definite) return error_at(number, ErrorCode::syntax, "a value that is not EDN", line);
    event.value = kNull;
    event.others.clear();
    add_error(fields.rest, event);
  }
  if (event.type == EventType::fail) judge_failure(fields.f, timed_out, event);
  return pairing_.add(event);
}

// A value, and what stands behind it.
bool JepsenLogReader::parse_value(std::string_view text, Event& event) {
  if (text.empty()) return true;
  EdnParser parser(text, values_, {});
  if (!parser.parse_value(event.value)) return false;
  add_error(trimmed(text.substr(parser.position())), event);
  return true;
}

void JepsenLogReader::add_error(std::string_view text, Event& event) {
  if (text.empty()) return;
  event.others.push_back(values_.string("error"));
  event.others.push_back(values_.string(text));
}

void JepsenLogReader::judge_failure(std::string_view f, bool timed_out, Event& event) {
  if (timed_out) {
    event.type = EventType::info;
  } else if (f == ":cas") {
    event.type = EventType::ok;
    const auto pair = values_.elements(event.value);
    event.value = independent_ && !pair.empty() ? values_.array(Fields{pair[0], kFalse}) : kFalse;
  }
}

}  // namespace

Failure read_jepsen_log(TextBuffer& text, const ReadOptions& options, History& history) {
  return JepsenLogReader(text, options, history).run();
}

bool is_jepsen_log_line(std::string_view line) {
  const auto fields = find_fields(line);
  return fields && is_integer(fields->process);
}

}  // namespace porpentine
