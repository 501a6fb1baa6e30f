#include "failure.h"

#include <cstddef>

#include <porpentine/history/message_text.h>

namespace porpentine {
namespace {

constexpr std::size_t kExcerptLength = 80;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

void append_escaped(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 15U];
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool too_large = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string excerpt(std::string_view text) {
  text = trimmed(text);
  std::string out;
  std::size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == kExcerptLength) return out + "...";
    const std::size_t length = utf8_sequence_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte == '\t' || byte == '\n' || byte == '\r') {
      out += ' ';
    } else if (length == 0) {
      append_escaped(byte, out);
    } else if (steering_length(text) > 0) {
      out += harmless(text.substr(0, length));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

Error error_at(std::uint64_t line, ErrorCode code, std::string_view message, std::string_view text) {
  std::string full(message);
  if (const std::string shown = excerpt(text); !shown.empty()) full += ": " + shown;
  return {code, std::move(full), {}, line};
}

}  // namespace porpentine
