#include "edn_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

#include "failure.h"
#include "repeated_name.h"

namespace porpentine {
namespace {

constexpr unsigned kDeepest = 1000;

bool is_blank(char c) { return c == ' ' || c == ',' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether `c` ends a token.
bool is_delimiter(char c) {
  return is_blank(c) || c == '\0' || std::string_view("()[]{}\";\\").find(c) != std::string_view::npos;
}

bool looks_like_number(std::string_view token) {
  const std::size_t sign = token[0] == '-' || token[0] == '+' ? 1 : 0;
  return token.size() > sign && is_digit(token[sign]);
}

/// Reads all of `digits` (with an optional sign) as an integer.
template <typename Integer>
std::optional<Integer> whole(std::string_view digits, int base = 10) {
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  Integer value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

bool is_integer_text(std::string_view digits) {
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto unit = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    unit(code);
  } else if (code < 0x800) {
    unit(0xC0U | (code >> 6U));
    unit(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    unit(0xE0U | (code >> 12U));
    unit(0x80U | ((code >> 6U) & 0x3FU));
    unit(0x80U | (code & 0x3FU));
  } else {
    unit(0xF0U | (code >> 18U));
    unit(0x80U | ((code >> 12U) & 0x3FU));
    unit(0x80U | ((code >> 6U) & 0x3FU));
    unit(0x80U | (code & 0x3FU));
  }
}

/// An order of values that does not depend on their ids: kinds, then integers by value, then the printed form.
bool canonical_less(const ValueTable& values, ValueId left, ValueId right) {
  const ValueKind left_kind = values.kind(left);
  const ValueKind right_kind = values.kind(right);
  if (left_kind != right_kind) return left_kind < right_kind;
  const auto left_integer = values.as_int64(left);
  const auto right_integer = values.as_int64(right);
  if (left_integer && right_integer) return *left_integer < *right_integer;
  return values.to_json(left) < values.to_json(right);
}

}  // namespace

bool EdnParser::fail(std::string_view message) {
  if (error_.empty()) error_ = message;
  return false;
}

char EdnParser::peek() {
  if (position_ < text_.size()) return text_[position_];
  touched_end_ = true;
  return '\0';
}

bool EdnParser::accept(char c) {
  if (peek() != c || position_ == text_.size()) return false;
  ++position_;
  return true;
}

bool EdnParser::skip(unsigned depth) {
  while (true) {
    const char c = peek();
    if (position_ == text_.size()) return true;
    if (is_blank(c)) {
      ++position_;
    } else if (c == ';') {
      const std::size_t end = text_.find('\n', position_);
      position_ = std::min(end, text_.size());
    } else if (text_.substr(position_, 2) == "#_") {
      position_ += 2;
      ValueId discarded = kNull;
      if (!parse(discarded, depth + 1)) return false;
    } else {
      if (c == '#' && position_ + 1 == text_.size()) touched_end_ = true;
      return true;
    }
  }
}

std::string_view EdnParser::token() {
  const std::size_t begin = position_;
  while (position_ < text_.size() && !is_delimiter(text_[position_])) ++position_;
  if (position_ == text_.size()) touched_end_ = true;
  return text_.substr(begin, position_ - begin);
}

bool EdnParser::skip_tag() {
  if (peek() != '#' || text_.size() - position_ < 2 || is_delimiter(text_[position_ + 1])) return true;
  token();
  return skip_blanks();
}

std::optional<std::int64_t> EdnParser::parse_integer() {
  const std::size_t begin = position_;
  const auto integer = whole<std::int64_t>(token());
  if (!integer) position_ = begin;
  return integer;
}

bool EdnParser::parse(ValueId& value, unsigned depth) {
  if (depth == kDeepest) return fail("nested too deeply");
  if (!skip(depth)) return false;
  switch (const char c = peek()) {
    case '\0':
      return fail(position_ == text_.size() ? "the text ends in the middle of a form" : "not EDN");
    case '[':
    case '(': {
      ++position_;
      Fields elements;
      if (!parse_sequence(c == '[' ? ']' : ')', depth, elements)) return false;
      value = values_.array(elements);
      return true;
    }
    case '{':
      return parse_map(value, depth);
    case '#':
      return parse_dispatch(value, depth);
    case '"':
      return parse_string(value);
    case '\\':
      return parse_character(value);
    case ':': {
      const std::string_view name = token().substr(1);
      value = values_.string(name);
      return !name.empty() || fail("a keyword without a name");
    }
    default:
      break;
  }
  const std::string_view name = token();
  if (name.empty()) return fail("an unexpected closing bracket");
  if (looks_like_number(name)) return parse_number(name, value);
  if (name == "nil") {
    value = kNull;
  } else if (name == "true" || name == "false") {
    value = values_.boolean(name == "true");
  } else {
    value = values_.string(name);
  }
  return true;
}

bool EdnParser::parse_sequence(char close, unsigned depth, Fields& elements) {
  while (true) {
    if (!skip(depth)) return false;
    if (accept(close)) return true;
    ValueId element = kNull;
    if (!parse(element, depth + 1)) return false;
    elements.push_back(element);
  }
}

bool EdnParser::parse_map(ValueId& value, unsigned depth) {
  ++position_;
  Fields members;
  while (true) {
    if (!skip(depth)) return false;
    if (accept('}')) break;
    ValueId key = kNull;
    ValueId member = kNull;
    if (!parse_member_key(key, depth + 1)) return false;
    if (!skip(depth)) return false;
    if (peek() == '}') return fail("a map's key without a value");
    if (!parse(member, depth + 1)) return false;
    members.push_back(key);
    members.push_back(member);
  }
  if (const auto repeated = repeated_name(members)) {
    return fail(excerpt(values_.to_json(*repeated)) + " stands twice in one map");
  }
  value = values_.object(members);
  return true;
}

bool EdnParser::parse_member_key(ValueId& key, unsigned depth) {
  if (!skip(depth)) return false;
  const std::size_t begin = position_;
  if (!parse(key, depth)) return false;
  if (values_.kind(key) != ValueKind::string) key = values_.string(text_.substr(begin, position_ - begin));
  return true;
}

bool EdnParser::parse_set(ValueId& value, unsigned depth) {
  Fields elements;
  if (!parse_sequence('}', depth, elements)) return false;
  std::sort(elements.begin(), elements.end(),
            [&](ValueId left, ValueId right) { return canonical_less(values_, left, right); });
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  value = values_.array(elements);
  return true;
}

// What begins with #: a set, a symbolic number such as ##Inf, a pattern as Clojure prints it, or a tagged literal.
bool EdnParser::parse_dispatch(ValueId& value, unsigned depth) {
  ++position_;
  if (accept('{')) return parse_set(value, depth);
  if (peek() == '"') return parse_string(value);
  const std::string_view tag = token();
  if (tag.empty()) return fail("not EDN after #");
  if (tag[0] == '#') {
    value = values_.string(text_.substr(position_ - tag.size() - 1, tag.size() + 1));
    return true;
  }
  if (!parse(value, depth + 1)) return false;
  value = tagged(tag, value);
  return true;
}

ValueId EdnParser::tagged(std::string_view tag, ValueId value) {
  const ValueId name = values_.string(std::string("#").append(tag));
  return values_.object(Fields{name, value});
}

bool EdnParser::parse_string(ValueId& value) {
  ++position_;
  std::string unescaped;
  bool has_escape = false;
  std::size_t copied = position_;
  while (true) {
    position_ = text_.find_first_of(options_.raw_strings ? "\"" : "\"\\", position_);
    if (position_ == std::string_view::npos) {
      position_ = text_.size();
      touched_end_ = true;
      return fail("a text without its closing quote");
    }
    const std::string_view piece = text_.substr(copied, position_ - copied);
    if (text_[position_++] == '"') {
      value = values_.string(has_escape ? unescaped.append(piece) : piece);
      return true;
    }
    has_escape = true;
    unescaped += piece;
    if (!parse_escape(unescaped)) return false;
    copied = position_;
  }
}

bool EdnParser::parse_escape(std::string& out) {
  constexpr std::string_view kLetters = "tbnrf\"\\";
  constexpr std::string_view kMeanings = "\t\b\n\r\f\"\\";
  const char letter = peek();
  position_ += position_ < text_.size() ? 1 : 0;
  if (letter == 'u') return parse_unicode(out);
  const std::size_t at = kLetters.find(letter);
  if (at == std::string_view::npos) return fail("an unknown escape in a text");
  out += kMeanings[at];
  return true;
}

// After \u: one code point, or the first half of a surrogate pair.
bool EdnParser::parse_unicode(std::string& out) {
  std::uint32_t code = 0;
  if (!parse_hex4(code)) return false;
  if (code >= 0xD800 && code < 0xDC00 && accept('\\') && accept('u')) {
    std::uint32_t low = 0;
    if (!parse_hex4(low)) return false;
    if (low < 0xDC00 || low >= 0xE000) return fail("half of a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code < 0xE000) return fail("half of a surrogate pair");
  append_utf8(code, out);
  return true;
}

bool EdnParser::parse_hex4(std::uint32_t& unit) {
  const std::string_view digits = position_ < text_.size() ? text_.substr(position_, 4) : std::string_view();
  if (digits.size() < 4) touched_end_ = true;
  const auto code = digits.size() == 4 ? whole<std::uint16_t>(digits, 16) : std::nullopt;
  if (!code || digits[0] == '+') return fail("four hexadecimal digits should follow \\u");
  position_ += 4;
  unit = *code;
  return true;
}

bool EdnParser::parse_character(ValueId& value) {
  using Named = std::pair<std::string_view, std::string_view>;
  constexpr Named kNamed[] = {{"newline", "\n"}, {"return", "\r"},   {"space", " "},
                              {"tab", "\t"},     {"formfeed", "\f"}, {"backspace", "\b"}};
  const std::size_t begin = ++position_;
  if (peek() == '\0') return fail("a character without a name");
  const std::size_t length = utf8_sequence_length(text_.substr(begin));
  if (length == 0) {
    if (text_.size() - begin < 4) touched_end_ = true;
    return fail("not UTF-8");
  }
  position_ += length;
  token();
  const std::string_view name = text_.substr(begin, position_ - begin);
  if (name.size() == length) {
    value = values_.string(name);
    return true;
  }
  if (name[0] == 'u' && name.size() == 5) {
    position_ = begin + 1;
    std::string text;
    if (!parse_unicode(text)) return false;
    value = values_.string(text);
    return true;
  }
  for (const auto& [word, meaning] : kNamed) {
    if (name == word) {
      value = values_.string(meaning);
      return true;
    }
  }
  return fail("an unknown character name");
}

bool EdnParser::parse_number(std::string_view token, ValueId& value) {
  if (token.find('/') != std::string_view::npos) return parse_ratio(token, value);
  const bool negative = token[0] == '-';
  const std::string_view digits = token.substr(negative || token[0] == '+' ? 1 : 0);
  if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X") {  // as in the addresses that Clojure prints
    const auto bits = whole<std::uint64_t>(digits.substr(2), 16);
    if (!bits || negative) return fail("a number that is malformed or out of range");
    value = values_.unsigned_integer(*bits);
    return true;
  }
  if (is_integer_text(token) || (token.back() == 'N' && is_integer_text(token.substr(0, token.size() - 1)))) {
    return parse_integer_token(token, value);
  }
  return parse_real(token, value);
}

bool EdnParser::parse_integer_token(std::string_view token, ValueId& value) {
  const bool is_big = token.back() == 'N';
  if (is_big) token.remove_suffix(1);
  if (token[0] == '+') token.remove_prefix(1);
  if (const auto integer = whole<std::int64_t>(token)) {
    value = values_.integer(*integer);
  } else if (const auto bits = whole<std::uint64_t>(token)) {
    value = values_.unsigned_integer(*bits);
  } else if (is_big) {
    value = tagged("bigint", values_.string(token));
  } else {
    return fail("an integer out of range");
  }
  return true;
}

bool EdnParser::parse_ratio(std::string_view token, ValueId& value) {
  const std::size_t slash = token.find('/');
  const auto numerator = whole<std::int64_t>(token.substr(0, slash));
  const auto denominator = whole<std::int64_t>(token.substr(slash + 1));
  // The smallest integer has no absolute value, which std::gcd needs.
  if (!numerator || !denominator || *denominator <= 0 || *numerator == std::numeric_limits<std::int64_t>::min()) {
    return fail("a ratio that is malformed or out of range");
  }
  const std::int64_t divisor = std::gcd(*numerator, *denominator);
  const ValueId reduced = values_.integer(*numerator / divisor);
  value = *denominator == divisor
              ? reduced
              : tagged("ratio", values_.array(Fields{reduced, values_.integer(*denominator / divisor)}));
  return true;
}

bool EdnParser::parse_real(std::string_view token, ValueId& value) {
  if (token.back() == 'M') token.remove_suffix(1);
  if (token[0] == '+') token.remove_prefix(1);
  double real = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), real);
  if (error != std::errc() || end != token.data() + token.size() || !std::isfinite(real)) {
    return fail("a number that is malformed or out of range");
  }
  value = values_.real(real);
  return true;
}

}  // namespace porpentine
