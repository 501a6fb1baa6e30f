// What the collector of the s2 verification writes: {"event": {"Start": ...}, "client_id": 1, "op_id": 7}, line by
// line.
//
// Hashes become text, because many programs can't hold such integers.
#include <simdjson.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "event_pairing.h"
#include "json_line.h"
#include "readers.h"

namespace porpentine {
namespace {

/// What a Finish says by its name alone or by the name of its one member.
struct Ending {
  std::string_view name;
  EventType type;
  std::string_view f;
};

/// Failures of what only reads say nothing: they may as well never have returned.
constexpr std::array<Ending, 7> kEndings = {{{"AppendSuccess", EventType::ok, "append"},
                                             {"AppendDefiniteFailure", EventType::fail, "append"},
                                             {"AppendIndefiniteFailure", EventType::info, "append"},
                                             {"ReadSuccess", EventType::ok, "read"},
                                             {"ReadFailure", EventType::info, "read"},
                                             {"CheckTailSuccess", EventType::ok, "check-tail"},
                                             {"CheckTailFailure", EventType::info, "check-tail"}}};

class S2Reader {
 public:
  S2Reader(TextBuffer& text, History& history)
      : text_(text),
        values_(history.values),
        builder_(history, text),
        pairing_(builder_, {Clock::line_order, false, false}),
        parser_(history.values) {}

  Failure run();

 private:
  /// A name, with what stands behind it if it is that of a member.
  struct Named {
    std::string_view name;
    std::optional<ValueId> content = {};
  };

  Failure read_line();
  Failure take_fields();
  Failure read_start(ValueId start);
  Failure read_append(ValueId fields);
  Failure read_finish(ValueId finish);
  Failure read_success(std::string_view f, ValueId fields);
  Failure check_op_id();

  [[nodiscard]] std::optional<Named> named(ValueId value) const;
  [[nodiscard]] ValueId member(ValueId object, std::string_view name) const;
  [[nodiscard]] ValueId as_text(ValueId number) { return values_.string(values_.to_json(number)); }
  [[nodiscard]] bool is_integer(ValueId value) const { return values_.as_int64(value) || values_.as_uint64(value); }
  [[nodiscard]] Error error(ErrorCode code, std::string_view message) const {
    return error_at(line_.number, code, message, line_.text);
  }

  TextBuffer& text_;
  ValueTable& values_;
  HistoryBuilder builder_;
  EventPairing pairing_;
  JsonLineParser parser_;
  JsonLine line_;
  ValueId content_ = kNull;  // of the field "event"
  ValueId op_id_ = kNull;
  Event event_;
  absl::flat_hash_map<ValueId, ValueId> last_op_id_;  // by client
};

Failure S2Reader::run() {
  Failure failure;
  std::string_view text;
  while (text_.next_line(text, failure)) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if ((failure = parser_.parse(text, text_.line_number(), line_))) return failure;
    if ((failure = read_line())) return failure;
  }
  if (failure) return failure;
  pairing_.finish();
  builder_.finish();
  return {};
}

Failure S2Reader::read_line() {
  event_ = {};
  event_.text = line_.text;
  event_.line = line_.number;
  if (auto failure = take_fields()) return failure;
  const auto what = named(content_);
  if (!what || !what->content || (what->name != "Start" && what->name != "Finish")) {
    return error(ErrorCode::field, R"("event" is neither {"Start": ...} nor {"Finish": ...})");
  }
  auto failure = what->name == "Start" ? read_start(*what->content) : read_finish(*what->content);
  return failure ? failure : pairing_.add(event_);
}

Failure S2Reader::take_fields() {
  std::optional<ValueId> content;
  std::optional<ValueId> client;
  std::optional<ValueId> op_id;
  for (std::size_t i = 0; i < line_.others.size(); i += 2) {
    const auto name = values_.as_string(line_.others[i]);
    const ValueId value = line_.others[i + 1];
    if (name == "event") content = value;
    if (name == "client_id") client = value;
    if (name == "op_id") op_id = value;
    if (name != "event" && name != "client_id") {
      event_.others.insert(event_.others.end(), {line_.others[i], value});
    }
  }
  if (!content) return error(ErrorCode::field, "missing field \"event\"");
  if (!client) return error(ErrorCode::field, "missing field \"client_id\"");
  if (!op_id) return error(ErrorCode::field, "missing field \"op_id\"");
  if (!is_integer(*client)) return error(ErrorCode::field, "\"client_id\" is no integer");
  if (!is_integer(*op_id)) return error(ErrorCode::field, "\"op_id\" is no integer");
  content_ = *content;
  op_id_ = *op_id;
  event_.process = *client;
  return {};
}

Failure S2Reader::read_start(ValueId start) {
  event_.type = EventType::invoke;
  last_op_id_[*event_.process] = op_id_;
  const auto what = named(start);
  if (what && what->name == "Append" && what->content) return read_append(*what->content);
  const bool reads = what && what->name == "Read" && !what->content;
  const bool checks = what && what->name == "CheckTail" && !what->content;
  if (!reads && !checks)
    return error(ErrorCode::field, R"("Start" is none of {"Append": ...}, "Read" and "CheckTail")");
  event_.f = values_.string(reads ? "read" : "check-tail");
  return {};
}

Failure S2Reader::read_append(ValueId fields) {
  const ValueId hashes = member(fields, "record_hashes");
  if (!values_.is_array(hashes)) return error(ErrorCode::field, "\"record_hashes\" is no list");
  const auto numbers = values_.elements(hashes);
  Fields texts(numbers.begin(), numbers.end());
  for (ValueId& hash : texts) {
    if (!values_.as_uint64(hash)) return error(ErrorCode::field, "a record's hash is no integer of 64 bits");
    hash = as_text(hash);
  }
  if (values_.as_uint64(member(fields, "num_records")) != texts.size()) {
    return error(ErrorCode::field, "\"num_records\" is not the number of the record hashes");
  }
  Fields input{values_.string("record_hashes"), values_.array(texts)};
  for (const std::string_view name : {"set_fencing_token", "fencing_token", "match_seq_num"}) {
    const ValueId value = member(fields, name);
    if (value == kNull) continue;
    const bool is_tail = name == "match_seq_num";
    if (is_tail && !values_.as_uint64(value)) {
      return error(ErrorCode::field, "\"match_seq_num\" is no non-negative integer");
    }
    if (!is_tail && !values_.as_string(value)) {
      return error(ErrorCode::field, "\"" + std::string(name) + "\" is no text");
    }
    input.insert(input.end(), {values_.string(name), value});
  }
  event_.f = values_.string("append");
  event_.value = values_.object(input);
  return {};
}

Failure S2Reader::read_finish(ValueId finish) {
  const auto what = named(finish);
  for (const Ending& ending : kEndings) {
    const bool succeeds = ending.type == EventType::ok;
    if (!what || what->name != ending.name || what->content.has_value() != succeeds) continue;
    event_.type = ending.type;
    event_.f = values_.string(ending.f);
    if (succeeds) {
      if (auto failure = read_success(ending.f, *what->content)) return failure;
    }
    return check_op_id();
  }
  return error(ErrorCode::field, "\"Finish\" is no ending that is known");
}

Failure S2Reader::read_success(std::string_view f, ValueId fields) {
  const ValueId tail = member(fields, "tail");
  if (!values_.as_uint64(tail)) return error(ErrorCode::field, "\"tail\" is no non-negative integer");
  event_.value = tail;
  if (f != "read") return {};
  const ValueId hash = member(fields, "stream_hash");
  if (!values_.as_uint64(hash)) return error(ErrorCode::field, "\"stream_hash\" is no integer of 64 bits");
  event_.value = values_.object(Fields{values_.string("tail"), tail, values_.string("stream_hash"), as_text(hash)});
  return {};
}

/// Whether the running operation of a client has that number; that there is one is checked where events are paired.
Failure S2Reader::check_op_id() {
  const auto last = last_op_id_.find(*event_.process);
  if (last == last_op_id_.end() || last->second == op_id_) return {};
  return error(ErrorCode::order, "the finish of another operation than op_id " + values_.to_json(last->second) +
                                     ", which client " + values_.to_json(*event_.process) + " started");
}

std::optional<S2Reader::Named> S2Reader::named(ValueId value) const {
  if (const auto name = values_.as_string(value)) return Named{*name};
  const auto members = values_.elements(value);
  if (values_.kind(value) != ValueKind::object || members.size() != 2) return std::nullopt;
  return Named{*values_.as_string(members[0]), members[1]};
}

/// Null where there is none.
ValueId S2Reader::member(ValueId object, std::string_view name) const {
  if (values_.kind(object) != ValueKind::object) return kNull;
  const auto members = values_.elements(object);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    if (values_.as_string(members[i]) == name) return members[i + 1];
  }
  return kNull;
}

}  // namespace

Failure read_s2(TextBuffer& text, History& history) { return S2Reader(text, history).run(); }

/// The line may be cut; what is told apart from stands at the beginning, or at the end of a short one.
bool is_s2_line(std::string_view line) {
  const std::size_t name = line.find('"');
  const auto begins_with = [&](std::string_view word) { return line.substr(name + 1, word.size()) == word; };
  if (name == std::string_view::npos || line.find_first_not_of("{ \t") != name) return false;
  const bool is_its_field = begins_with("event\"") || begins_with("client_id\"") || begins_with("op_id\"");
  const bool is_its_event =
      line.find("\"Start\"") != std::string_view::npos || line.find("\"Finish\"") != std::string_view::npos;
  return is_its_field && is_its_event && line.find("\"process\"") == std::string_view::npos;
}

}  // namespace porpentine
