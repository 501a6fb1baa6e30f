#include "output.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

namespace porpentine::cli {

Output::Buffer::Buffer(int descriptor, const std::atomic<bool>* cancel) : descriptor_(descriptor), cancel_(cancel) {
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

bool Output::Buffer::drain() {
  const char* begin = pbase();
  while (error_ == 0 && begin != pptr()) {
    if (cancel_ != nullptr && cancel_->load()) {
      error_ = ECANCELED;
      break;
    }
    const ssize_t written = ::write(descriptor_, begin, static_cast<std::size_t>(pptr() - begin));
    if (written >= 0) {
      begin += written;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return error_ == 0;
}

Output::Buffer::int_type Output::Buffer::overflow(int_type character) {
  if (!drain()) return traits_type::eof();
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  return sputc(traits_type::to_char_type(character));
}

int Output::Buffer::sync() { return drain() ? 0 : -1; }

Output::Output(int descriptor, std::string name, const std::atomic<bool>* cancel)
    : name_(std::move(name)), buffer_(descriptor, cancel), stream_(&buffer_) {}

void Output::flush() {
  stream_.flush();
  if (buffer_.error() != 0) throw OutputError(name_ + ": " + std::generic_category().message(buffer_.error()));
}

namespace {

/// Bytes of the character that begins there, if it is a control character or one that turns the direction of text; 0
/// otherwise.
std::size_t steering(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  const unsigned third = byte(2);
  if (first < 0x20 || first == 0x7f) return 1;
  if (first == 0xc2 && second >= 0x80 && second <= 0x9f) return 2;  // U+0080 to U+009F
  if (first == 0xd8 && second == 0x9c) return 2;                    // U+061C
  if (first != 0xe2) return 0;
  const bool marks = second == 0x80 && ((third >= 0x8e && third <= 0x8f) || (third >= 0xa8 && third <= 0xae));
  const bool isolates = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  return marks || isolates ? 3 : 0;  // U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = steering(text);
    line += length == 0 ? text.front() : '?';
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

void print_error(std::string_view message) {
  Output out(STDERR_FILENO, "standard error");
  out.stream() << "porpentine: " << one_line(message) << '\n' << std::flush;
}

}  // namespace porpentine::cli
