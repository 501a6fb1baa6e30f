#include <porpentine/history/message_text.h>

#include <cstdint>
#include <string>

namespace porpentine {
namespace {

constexpr std::size_t kLongest = 96;  // bytes
constexpr std::size_t kHead = 48;
constexpr std::size_t kTail = 32;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80; }

std::string hexadecimal(std::uint32_t number, int digits) {
  std::string text;
  while (digits-- > 0) text += "0123456789abcdef"[(number >> (4U * static_cast<unsigned>(digits))) & 15U];
  return text;
}

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x01000193;
  return hash;
}

std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t k) { return std::uint32_t{static_cast<unsigned char>(character[k])}; };
  if (character.size() == 1) return byte(0);
  if (character.size() == 2) return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
  return (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
}

}  // namespace

std::size_t steering_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  const unsigned third = byte(2);
  if (text.empty()) return 0;
  if (first < 0x20 || first == 0x7f) return 1;
  if (first == 0xc2 && second >= 0x80 && second <= 0x9f) return 2;  // U+0080 to U+009F
  if (first == 0xd8 && second == 0x9c) return 2;                    // U+061C
  if (first != 0xe2) return 0;
  const bool marks = second == 0x80 && ((third >= 0x8e && third <= 0x8f) || (third >= 0xa8 && third <= 0xae));
  const bool isolates = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  return marks || isolates ? 3 : 0;
}

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = steering_length(text);
    if (length == 0) {
      out += text.front();
    } else {
      const std::size_t known = std::string_view("\n\t\r").find(text.front());
      out += known == std::string_view::npos ? "\\u" + hexadecimal(code_point(text.substr(0, length)), 4)
                                             : std::string(1, '\\') + "ntr"[known];
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string shortened(std::string_view text) {
  if (text.size() <= kLongest) return std::string(text);
  std::size_t head = kHead;
  while (head > 0 && continues_character(text[head])) --head;
  std::size_t tail = text.size() - kTail;
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(tail)) + " (" +
         std::to_string(text.size()) + " bytes, #" + hexadecimal(fnv1a(text), 8) + ")";
}

}  // namespace porpentine
