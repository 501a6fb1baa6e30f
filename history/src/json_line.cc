#include "json_line.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "repeated_name.h"
#include "text_buffer.h"

namespace porpentine {
namespace {

using simdjson::SUCCESS;

static_assert(TextBuffer::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr unsigned kDeepest = 1000;

/// Compares with a key as it stands in the text, closing quote included; there are always 8 readable bytes.
template <std::size_t Size>
bool is(const char* raw, const char (&name)[Size]) {
  static_assert(Size - 1 <= 8);
  return std::memcmp(raw, name, Size - 1) == 0;
}

/// The same for a name that may have been written with escapes, after they were resolved.
JsonField parse_unescaped_field(std::string_view name) {
  std::array<char, 9> raw{};
  if (name.size() > 7) return JsonField::other;
  name.copy(raw.data(), name.size());
  raw[name.size()] = '"';
  return parse_json_field(raw.data());
}

std::string_view explain(simdjson::error_code status) {
  switch (status) {
    case simdjson::UTF8_ERROR:
      return "not UTF-8";
    case simdjson::NUMBER_ERROR:
      return "a number that is malformed or out of range";
    case simdjson::DEPTH_ERROR:
      return "nested too deeply";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "a line too long for the memory";
    case simdjson::INCORRECT_TYPE:
      return "not a JSON object";
    default:
      return "not JSON";
  }
}

}  // namespace

JsonField parse_json_field(const char* name) {
  switch (name[0]) {
    case 'p':
      return is(name, "process\"") ? JsonField::process : JsonField::other;
    case 'f':
      return is(name, "f\"") ? JsonField::f : JsonField::other;
    case 'k':
      return is(name, "key\"") ? JsonField::key : JsonField::other;
    case 'i':
      return is(name, "input\"") ? JsonField::input : JsonField::other;
    case 'o':
      return is(name, "output\"") ? JsonField::output : JsonField::other;
    case 'c':
      return is(name, "call\"") ? JsonField::call : JsonField::other;
    case 'r':
      return is(name, "return\"") ? JsonField::ret : JsonField::other;
    case 'v':
      return is(name, "value\"") ? JsonField::value : JsonField::other;
    case 't':
      return is(name, "type\"") ? JsonField::type : is(name, "time\"") ? JsonField::time : JsonField::other;
    default:
      return JsonField::other;
  }
}

void JsonLine::reset(std::string_view next_text, std::uint64_t next_number) {
  Fields emptied = std::move(others);
  emptied.clear();
  *this = JsonLine{};
  others = std::move(emptied);
  text = next_text;
  number = next_number;
}

JsonTime* JsonLine::time_of(JsonField field) {
  switch (field) {
    case JsonField::call:
      return &call;
    case JsonField::ret:
      return &ret;
    case JsonField::time:
      return &time;
    default:
      return nullptr;
  }
}

void JsonLine::set(JsonField field, ValueId name, ValueId content, const ValueTable& values) {
  switch (field) {
    case JsonField::process:
      process = content;
      break;
    case JsonField::f:
      f = content;
      break;
    case JsonField::key:
      key = content;
      break;
    case JsonField::input:
      input = content;
      break;
    case JsonField::output:
      output = content;
      break;
    case JsonField::value:
      value = content;
      break;
    case JsonField::type: {
      const auto word = values.as_string(content);
      type = word ? parse_event_type(*word) : std::nullopt;
      unknown_type = content != kNull && !type;
      break;
    }
    default:
      others.push_back(name);
      others.push_back(content);
      break;
  }
}

Failure JsonLineParser::parse(std::string_view text, std::uint64_t number, JsonLine& line) {
  line.reset(text, number);
  simdjson::ondemand::document document;
  Status status = parser_.iterate(text.data(), text.size(), text.size() + TextBuffer::kPadding).get(document);
  if (status == SUCCESS) status = parse_object(document, line);
  if (status == kRepeatedName) {
    return error_at(number, ErrorCode::field, excerpt(repeated_) + " stands twice in one object", text);
  }
  if (status != SUCCESS) return error_at(number, ErrorCode::syntax, explain(status), text);
  return {};
}

JsonLineParser::Status JsonLineParser::parse_object(simdjson::ondemand::document& document, JsonLine& line) {
  simdjson::ondemand::object object;
  if (const Status status = document.get_object().get(object)) return status;
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (const Status status = std::move(entry).get(field)) return status;
    if (const Status status = parse_field(field, line)) return status;
  }
  if (const Status status = check_names(line.others)) return status;
  // There is no location behind the end of the only value.
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS ? SUCCESS : simdjson::TAPE_ERROR;
}

JsonLineParser::Status JsonLineParser::parse_field(simdjson::ondemand::field& field, JsonLine& line) {
  JsonField known = parse_json_field(field.key().raw());
  ValueId name = kNull;
  if (known == JsonField::other) {
    std::string_view text;
    if (const Status status = field.unescaped_key().get(text)) return status;
    known = parse_unescaped_field(text);
    if (known == JsonField::other) name = values_.string(text);
  }
  line.named.note(known);
  if (line.named.repeat()) {
    repeated_ = std::string("\"").append(kJsonFieldNames[static_cast<std::size_t>(known)]).append("\"");
    return kRepeatedName;
  }
  if (JsonTime* const time = line.time_of(known)) return parse_time(field.value(), *time);
  ValueId content = kNull;
  if (const Status status = intern(field.value(), 0, content)) return status;
  line.set(known, name, content, values_);
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::parse_time(Value value, JsonTime& time) {
  time = {};
  if (value.get_int64().get(time.integer) == SUCCESS) {
    time.state = JsonTime::State::integer;
    return SUCCESS;
  }
  if (const Status status = intern(value, 0, time.other)) return status;
  if (time.other != kNull) time.state = JsonTime::State::other;
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::intern(Value value, unsigned depth, ValueId& id) {
  simdjson::ondemand::json_type type{};
  if (const Status status = value.type().get(type)) return status;
  switch (type) {
    case simdjson::ondemand::json_type::string:
      return intern_string(value, id);
    case simdjson::ondemand::json_type::number:
      return intern_number(value, id);
    case simdjson::ondemand::json_type::array:
      return intern_array(value, depth, id);
    case simdjson::ondemand::json_type::object:
      return intern_object(value, depth, id);
    case simdjson::ondemand::json_type::boolean: {
      bool truth = false;
      const Status status = value.get_bool().get(truth);
      id = values_.boolean(truth);
      return status;
    }
    case simdjson::ondemand::json_type::null: {
      bool is_null = false;
      const Status status = value.is_null().get(is_null);
      id = kNull;
      return status == SUCCESS && !is_null ? simdjson::N_ATOM_ERROR : status;
    }
  }
  return simdjson::TAPE_ERROR;
}

JsonLineParser::Status JsonLineParser::intern_string(Value value, ValueId& id) {
  std::string_view text;
  if (const Status status = value.get_string().get(text)) return status;
  id = values_.string(text);
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::intern_number(Value value, ValueId& id) {
  // One type after the other: get_number() of simdjson 3.0 loses reals of more than 19 digits.
  std::int64_t integer = 0;
  if (value.get_int64().get(integer) == SUCCESS) {
    id = values_.integer(integer);
    return SUCCESS;
  }
  const bool is_integer = value.raw_json_token().find_first_of(".eE") == std::string_view::npos;
  std::uint64_t bits = 0;
  double real = 0;
  if (is_integer && value.get_uint64().get(bits) == SUCCESS) {
    id = values_.unsigned_integer(bits);
  } else if (!is_integer && value.get_double().get(real) == SUCCESS && std::isfinite(real)) {
    id = values_.real(real);
  } else {
    return simdjson::NUMBER_ERROR;
  }
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::intern_array(Value value, unsigned depth, ValueId& id) {
  if (depth == kDeepest) return simdjson::DEPTH_ERROR;
  simdjson::ondemand::array array;
  if (const Status status = value.get_array().get(array)) return status;
  const std::size_t begin = scratch_.size();
  for (auto entry : array) {
    ValueId element_id = kNull;
    Status status = entry.error();
    if (status == SUCCESS) status = intern(entry.value_unsafe(), depth + 1, element_id);
    if (status != SUCCESS) {
      scratch_.resize(begin);
      return status;
    }
    scratch_.push_back(element_id);
  }
  id = values_.array(std::span(scratch_).subspan(begin));
  scratch_.resize(begin);
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::intern_object(Value value, unsigned depth, ValueId& id) {
  if (depth == kDeepest) return simdjson::DEPTH_ERROR;
  simdjson::ondemand::object object;
  if (const Status status = value.get_object().get(object)) return status;
  const std::size_t begin = scratch_.size();
  for (auto entry : object) {
    simdjson::ondemand::field field;
    std::string_view key;
    ValueId member = kNull;
    Status status = std::move(entry).get(field);
    if (status == SUCCESS) status = field.unescaped_key().get(key);
    if (status == SUCCESS) {
      scratch_.push_back(values_.string(key));
      status = intern(field.value(), depth + 1, member);
    }
    if (status != SUCCESS) {
      scratch_.resize(begin);
      return status;
    }
    scratch_.push_back(member);
  }
  const auto members = std::span(scratch_).subspan(begin);
  const Status status = check_names(members);
  if (status == SUCCESS) id = values_.object(members);
  scratch_.resize(begin);
  return status;
}

JsonLineParser::Status JsonLineParser::check_names(std::span<const ValueId> members) {
  const auto repeated = repeated_name(members);
  if (!repeated) return SUCCESS;
  repeated_ = values_.to_json(*repeated);
  return kRepeatedName;
}

}  // namespace porpentine
