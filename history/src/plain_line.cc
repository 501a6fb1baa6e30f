#include "plain_line.h"

#include <array>
#include <cstring>
#include <span>

#include "repeated_name.h"

namespace porpentine {
namespace {

constexpr unsigned kDeepest = 16;
constexpr int kMostDigits = 18;

/// The bytes that a plain string consists of.
constexpr std::array<bool, 256> kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool is_plain(char c) { return kIsPlain[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Whether `c` can stand behind a number or word.
bool ends_value(char c) { return c == ',' || c == '}' || c == ']' || c == ' '; }

}  // namespace

bool PlainLineParser::parse(std::string_view text, std::uint64_t number, JsonLine& line) {
  line.reset(text, number);
  next_ = text.data();
  scratch_.clear();
  skip_spaces();
  if (!accept('{')) return false;
  do {
    skip_spaces();
    if (!parse_field(line)) return false;
    skip_spaces();
  } while (accept(','));
  if (!accept('}')) return false;
  skip_spaces();
  const bool repeats = line.named.repeat() || (line.others.size() > 2 && repeated_name(line.others));
  return next_ == text.data() + text.size() && !repeats;
}

bool PlainLineParser::parse_field(JsonLine& line) {
  JsonField field = JsonField::other;
  ValueId name = kNull;
  if (!parse_name(field, name)) return false;
  line.named.note(field);
  skip_spaces();
  if (!accept(':')) return false;
  skip_spaces();
  if (JsonTime* const time = line.time_of(field)) return parse_time(*time);
  ValueId content = kNull;
  if (!parse_value(0, content)) return false;
  line.set(field, name, content, values_);
  return true;
}

bool PlainLineParser::parse_name(JsonField& field, ValueId& name) {
  if (*next_ != '"') return false;
  field = parse_json_field(next_ + 1);
  if (field != JsonField::other) {
    next_ += kJsonFieldNames[static_cast<std::size_t>(field)].size() + 2;
    return true;
  }
  std::string_view text;
  if (!parse_string(text)) return false;
  name = values_.string(text);
  return true;
}

bool PlainLineParser::parse_time(JsonTime& time) {
  time = {};
  if (is_digit(*next_) || *next_ == '-') {
    time.state = JsonTime::State::integer;
    return parse_integer(time.integer);
  }
  return accept_word("null");
}

bool PlainLineParser::parse_value(unsigned depth, ValueId& id) {
  switch (*next_) {
    case '"': {
      std::string_view text;
      if (!parse_string(text)) return false;
      id = values_.string(text);
      return true;
    }
    case '[':
      return parse_array(depth, id);
    case 'n':
      id = kNull;
      return accept_word("null");
    case 't':
      id = kTrue;
      return accept_word("true");
    case 'f':
      id = kFalse;
      return accept_word("false");
    default: {
      std::int64_t integer = 0;
      if (!parse_integer(integer)) return false;
      id = values_.integer(integer);
      return true;
    }
  }
}

bool PlainLineParser::parse_array(unsigned depth, ValueId& id) {
  if (depth == kDeepest) return false;
  const std::size_t begin = scratch_.size();
  ++next_;
  skip_spaces();
  if (!accept(']')) {
    do {
      skip_spaces();
      ValueId element = kNull;
      if (!parse_value(depth + 1, element)) return false;
      scratch_.push_back(element);
      skip_spaces();
    } while (accept(','));
    if (!accept(']')) return false;
  }
  id = values_.array(std::span(scratch_).subspan(begin));
  scratch_.resize(begin);
  return true;
}

bool PlainLineParser::parse_integer(std::int64_t& value) {
  const bool negative = accept('-');
  const char* const begin = next_;
  const char* end = begin;
  std::uint64_t magnitude = 0;  // it may wrap around, where there are too many digits
  for (unsigned digit = 0; (digit = static_cast<unsigned>(*end - '0')) < 10; ++end) magnitude = magnitude * 10 + digit;
  next_ = end;
  const auto length = end - begin;
  if (length == 0 || length > kMostDigits || (*begin == '0' && length > 1)) return false;
  value = static_cast<std::int64_t>(magnitude);
  if (negative) value = -value;
  return ends_value(*end);
}

bool PlainLineParser::parse_string(std::string_view& text) {
  const char* const begin = next_ + 1;
  const char* end = begin;
  while (is_plain(*end)) ++end;
  next_ = end;
  text = {begin, static_cast<std::size_t>(end - begin)};
  return accept('"');
}

bool PlainLineParser::accept_word(std::string_view word) {
  if (std::memcmp(next_, word.data(), word.size()) != 0 || !ends_value(next_[word.size()])) return false;
  next_ += word.size();
  return true;
}

}  // namespace porpentine
