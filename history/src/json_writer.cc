#include <porpentine/history/json_writer.h>

#include <array>
#include <cstddef>
#include <cstdio>

namespace porpentine {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Bytes of the UTF-8 character that starts at `at`; 0 where none does (Unicode, table 3-7).
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  const unsigned second = byte_at(text, at + 1);
  if (second < low || second > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

void append_escaped(std::string& out, char character) {
  switch (character) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const unsigned code = static_cast<unsigned char>(character);
  if (code >= 0x20 && code != 0x7f) {
    out += character;
    return;
  }
  std::array<char, 8> escape = {};
  std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
  out += escape.data();
}

}  // namespace

void JsonWriter::separate() {
  if (comma_) out_ += ", ";
  comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::name(std::string_view text) {
  string(text);
  out_ += ": ";
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  out_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 1) {
      append_escaped(out_, text[at]);
    } else if (length == 0) {
      out_ += "\uFFFD";
    } else {
      out_ += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::seconds(double value) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%.6f", value);
  return raw(text.data());
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

}  // namespace porpentine
