#include "output.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include <porpentine/history/message_text.h>

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

void print_error(std::string_view message) {
  Output out(STDERR_FILENO, "standard error");
  out.stream() << "porpentine: " << harmless(message) << '\n' << std::flush;
}

}  // namespace porpentine::cli
