#include "json_line.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "text_buffer.h"

namespace porpentine {
namespace {

using simdjson::SUCCESS;

static_assert(TextBuffer::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr unsigned kDeepest = 1000;

enum class Name : std::uint8_t { other, process, type, f, key, input, output, value, call, ret, time };

/// Compares with a key as it stands in the text, closing quote included; there are always 8 readable bytes.
template <std::size_t size>
bool is(const char* raw, const char (&name)[size]) {
  static_assert(size - 1 <= 8);
  return std::memcmp(raw, name, size - 1) == 0;
}

Name parse_name(const char* raw) {
  switch (raw[0]) {
    case 'p':
      return is(raw, "process\"") ? Name::process : Name::other;
    case 'f':
      return is(raw, "f\"") ? Name::f : Name::other;
    case 'k':
      return is(raw, "key\"") ? Name::key : Name::other;
    case 'i':
      return is(raw, "input\"") ? Name::input : Name::other;
    case 'o':
      return is(raw, "output\"") ? Name::output : Name::other;
    case 'c':
      return is(raw, "call\"") ? Name::call : Name::other;
    case 'r':
      return is(raw, "return\"") ? Name::ret : Name::other;
    case 'v':
      return is(raw, "value\"") ? Name::value : Name::other;
    case 't':
      return is(raw, "type\"") ? Name::type : is(raw, "time\"") ? Name::time : Name::other;
    default:
      return Name::other;
  }
}

/// The same for a key that was written with escapes, after they were resolved.
Name parse_unescaped_name(std::string_view name) {
  std::array<char, 9> raw{};
  if (name.size() > 7) return Name::other;
  name.copy(raw.data(), name.size());
  raw[name.size()] = '"';
  return parse_name(raw.data());
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

Failure JsonLineParser::parse(std::string_view text, std::uint64_t number, JsonLine& line) {
  Fields others = std::move(line.others);
  others.clear();
  line = JsonLine{};
  line.others = std::move(others);
  line.text = text;
  line.number = number;

  simdjson::ondemand::document document;
  Status status = parser_.iterate(text.data(), text.size(), text.size() + TextBuffer::kPadding).get(document);
  if (status == SUCCESS) status = parse_object(document, line);
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
  // There is no location behind the end of the only value.
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS ? SUCCESS : simdjson::TAPE_ERROR;
}

JsonLineParser::Status JsonLineParser::parse_field(simdjson::ondemand::field& field, JsonLine& line) {
  Name name = parse_name(field.key().raw());
  std::string_view text;
  if (name == Name::other) {
    if (const Status status = field.unescaped_key().get(text)) return status;
    name = parse_unescaped_name(text);
  }
  const Value value = field.value();
  ValueId id = kNull;
  switch (name) {
    case Name::type:
      return parse_type(value, line);
    case Name::f:
      return intern(value, 0, line.f);
    case Name::key:
      return intern(value, 0, line.key);
    case Name::input:
      return intern(value, 0, line.input);
    case Name::output:
      return intern(value, 0, line.output);
    case Name::call:
      return parse_time(value, line.call);
    case Name::ret:
      return parse_time(value, line.ret);
    case Name::time:
      return parse_time(value, line.time);
    case Name::process: {
      const Status status = intern(value, 0, id);
      line.process = id;
      return status;
    }
    case Name::value: {
      const Status status = intern(value, 0, id);
      line.value = id;
      return status;
    }
    case Name::other: {
      const ValueId key = values_.string(text);
      const Status status = intern(value, 0, id);
      line.others.push_back(key);
      line.others.push_back(id);
      return status;
    }
  }
  return SUCCESS;
}

JsonLineParser::Status JsonLineParser::parse_type(Value value, JsonLine& line) {
  ValueId id = kNull;
  if (const Status status = intern(value, 0, id)) return status;
  const auto text = values_.as_string(id);
  line.type = text ? parse_event_type(*text) : std::nullopt;
  line.unknown_type = id != kNull && !line.type;
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
    Value element;
    ValueId element_id = kNull;
    Status status = std::move(entry).get(element);
    if (status == SUCCESS) status = intern(element, depth + 1, element_id);
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
  id = values_.object(std::span(scratch_).subspan(begin));
  scratch_.resize(begin);
  return SUCCESS;
}

}  // namespace porpentine
