#include <porpentine/history/json.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "json_line.h"
#include "text_buffer.h"

namespace porpentine {
namespace {

constexpr std::size_t kMostDigits = 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The value of texts that need no parser: short integers, plain strings, words. Nothing of others.
std::optional<ValueId> intern_plain(std::string_view text, ValueTable& values) {
  if (text == "null") return kNull;
  if (text == "true") return kTrue;
  if (text == "false") return kFalse;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    const std::string_view inside = text.substr(1, text.size() - 2);
    const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; };
    if (std::all_of(inside.begin(), inside.end(), is_plain)) return values.string(inside);
    return std::nullopt;
  }
  const std::string_view digits = text.substr(text.substr(0, 1) == "-" ? 1 : 0);
  const bool plain = !digits.empty() && digits.size() <= kMostDigits &&
                     std::all_of(digits.begin(), digits.end(), is_digit) && (digits.front() != '0' || text == "0");
  if (!plain) return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return values.integer(number);
}

bool holds_value_alone(const JsonLine& line) {
  return !line.process && !line.type && !line.unknown_type && line.f == kNull && line.key == kNull &&
         line.input == kNull && line.output == kNull && line.call.state == JsonTime::State::absent &&
         line.ret.state == JsonTime::State::absent && line.time.state == JsonTime::State::absent && line.others.empty();
}

}  // namespace

Result<ValueId> intern_json(std::string_view text, ValueTable& values) {
  if (const auto plain = intern_plain(text, values)) return *plain;
  // As the only element of an array, so that a text that closes it and goes on shows as another field.
  std::string wrapped = R"({"value":[)";
  wrapped.append(text).append("]}");
  const std::size_t length = wrapped.size();
  wrapped.append(TextBuffer::kPadding, '\0');
  JsonLine line;
  auto failure = JsonLineParser(values).parse(std::string_view(wrapped).substr(0, length), 0, line);
  if (failure) return error_at(0, failure->code, failure->message.substr(0, failure->message.find(": {\"value")), text);
  const auto elements = values.elements(line.value.value_or(kNull));
  if (elements.size() != 1 || !holds_value_alone(line))
    return error_at(0, ErrorCode::syntax, "not one JSON value", text);
  return elements.front();
}

}  // namespace porpentine
