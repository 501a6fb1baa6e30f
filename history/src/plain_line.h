// The lines that nearly all of a history consists of, read by a loop made for them.
//
// A line is plain if all its text is ASCII without escapes, its numbers are integers of up to 18 digits, its values
// hold no objects and its blanks are spaces. simdjson does several hundred instructions for each document, however
// short it is; where a million lines of a hundred bytes are read, that is most of the time.
#pragma once

#include <cstdint>
#include <string_view>

#include <porpentine/history/value.h>

#include "json_line.h"

namespace porpentine {

class PlainLineParser {
 public:
  explicit PlainLineParser(ValueTable& values) : values_(values) {}

  /// Parses `text` if it is plain and right. False otherwise: only JsonLineParser can tell what it is. Behind `text`
  /// there must be a byte that is no part of JSON text (a line break, or 0) and 8 readable ones.
  bool parse(std::string_view text, std::uint64_t number, JsonLine& line);

 private:
  bool parse_field(JsonLine& line);
  bool parse_name(JsonField& field, ValueId& name);
  bool parse_time(JsonTime& time);
  bool parse_value(unsigned depth, ValueId& id);
  bool parse_array(unsigned depth, ValueId& id);
  bool parse_integer(std::int64_t& value);
  bool parse_string(std::string_view& text);
  bool accept_word(std::string_view word);
  bool accept(char c) {
    if (*next_ != c) return false;
    ++next_;
    return true;
  }
  void skip_spaces() {
    while (*next_ == ' ') ++next_;
  }

  ValueTable& values_;
  const char* next_ = nullptr;  ///< what is read next; it never passes the byte behind the text
  Fields scratch_;              ///< elements of the arrays that are open
};

}  // namespace porpentine
