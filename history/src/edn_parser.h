// EDN (extensible data notation) to values.
//
// Keywords, symbols and characters become text without their sigil, nil null, lists and vectors arrays, sets arrays
// in a canonical order, maps objects (a key that is no text is kept as it is printed), tagged literals {"#tag": value},
// ratios {"#ratio": [n, d]}, big integers {"#bigint": "n"}. Decimals are reals.
//
// The parser works on a piece of text that may end anywhere: ran_out() says that it came to the end while there is
// more to come, and that the caller must try again with more text, from where it began. What was interned twice is
// one value, so trying again costs only time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <porpentine/history/value.h>

#include "event_pairing.h"

namespace porpentine {

struct EdnOptions {
  bool complete = true;      ///< nothing comes after the text
  bool raw_strings = false;  ///< a backslash in a string is a backslash
};

class EdnParser {
 public:
  EdnParser(std::string_view text, ValueTable& values, EdnOptions options)
      : text_(text), values_(values), options_(options) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  /// Whether the end of a text that is not complete mattered to what was read.
  [[nodiscard]] bool ran_out() const { return touched_end_ && !options_.complete; }
  /// What was wrong, where a member returned false.
  [[nodiscard]] const std::string& error() const { return error_; }

  /// Skips blanks, commas, comments and discarded forms. False where a discarded form is malformed.
  bool skip_blanks() { return skip(0); }
  /// The next character, after skip_blanks; 0 at the end.
  char peek();
  bool accept(char c);
  /// Skips the tag of a tagged literal, if there is one.
  bool skip_tag();

  bool parse_value(ValueId& value) { return parse(value, 0); }
  /// The key of a map, as text.
  bool parse_key(ValueId& key) { return parse_member_key(key, 0); }
  /// A plain 64-bit integer, not interned. Where something else stands, nothing is read.
  std::optional<std::int64_t> parse_integer();

 private:
  bool skip(unsigned depth);
  bool parse(ValueId& value, unsigned depth);
  bool parse_member_key(ValueId& key, unsigned depth);
  bool parse_sequence(char close, unsigned depth, Fields& elements);
  bool parse_map(ValueId& value, unsigned depth);
  bool parse_set(ValueId& value, unsigned depth);
  bool parse_dispatch(ValueId& value, unsigned depth);
  bool parse_string(ValueId& value);
  bool parse_escape(std::string& out);
  bool parse_unicode(std::string& out);
  bool parse_hex4(std::uint32_t& unit);
  bool parse_character(ValueId& value);
  bool parse_number(std::string_view token, ValueId& value);
  bool parse_integer_token(std::string_view token, ValueId& value);
  bool parse_ratio(std::string_view token, ValueId& value);
  bool parse_real(std::string_view token, ValueId& value);
  std::string_view token();
  ValueId tagged(std::string_view tag, ValueId value);
  bool fail(std::string_view message);

  std::string_view text_;
  ValueTable& values_;
  EdnOptions options_;
  std::size_t position_ = 0;
  bool touched_end_ = false;
  std::string error_;
};

}  // namespace porpentine
