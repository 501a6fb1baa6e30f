#include "json_text.h"

#include <cstddef>

namespace porpentine {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// The length of the character at the start of `text`, where it steers a terminal or turns the direction of text and
/// must not be seen raw: U+007F to U+009F, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069. Else 0.
std::size_t steering_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) != 0xe2) return 0;
  const bool marks = byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f);
  const bool embeddings = byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae;
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
  return marks || embeddings || isolates ? 3 : 0;
}

void append_hex(unsigned code, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[code >> shift & 15U];
}

unsigned code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  if (character.size() == 2) return (byte(0) & 0x1fU) << 6 | (byte(1) & 0x3fU);
  return (byte(0) & 0x0fU) << 12 | (byte(1) & 0x3fU) << 6 | (byte(2) & 0x3fU);
}

void append_escape(char c, std::string& out) {
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  if (const std::size_t at = kPlain.find(c); at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
  } else {
    append_hex(static_cast<unsigned char>(c), out);
  }
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t steering = static_cast<unsigned char>(text[i]) < 0x7f ? 0 : steering_length(text.substr(i));
    if (steering == 0 && !needs_escape(text[i])) continue;
    out += text.substr(copied, i - copied);
    if (steering == 0) {
      append_escape(text[i], out);
    } else {
      append_hex(code_of(text.substr(i, steering)), out);
      i += steering - 1;
    }
    copied = i + 1;
  }
  out += text.substr(copied);
  out += '"';
}

}  // namespace porpentine
