#include "progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <porpentine/history/message_text.h>

#include "output.h"

namespace porpentine::cli {
namespace {

constexpr std::chrono::milliseconds kDelay(500);
constexpr std::chrono::milliseconds kPause(100);

bool can_erase_lines() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t terminal_width() {
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : 80;
}

/// At most `width` bytes, whole UTF-8 characters.
std::string cut(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  while (width > 0 && (static_cast<unsigned char>(text[width]) & 0xc0) == 0x80) --width;
  text.resize(width);
  return text;
}

std::string mebibytes(std::uint64_t bytes) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(bytes) / (1 << 20));
  return text.data();
}

void write_error(const std::string& text) {
  Output out(STDERR_FILENO, "standard error");
  out.stream() << text << std::flush;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && can_erase_lines()), next_(Clock::now() + kDelay) {}

bool ProgressLine::due() {
  if (!wanted_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + kPause;
  return true;
}

void ProgressLine::show(const std::string& text) {
  write_error("\r" + cut(harmless(text), terminal_width() - 1) + "\x1b[K");
  shown_ = true;
}

void ProgressLine::reading(std::string_view file, std::uint64_t done, std::uint64_t total) {
  if (!due()) return;
  const std::string of_all = total == 0 ? "" : " of " + mebibytes(total);
  show(std::string(file) + ": reading, " + mebibytes(done) + of_all + " MiB");
}

void ProgressLine::checking(std::string_view file, const Progress& progress) {
  if (!due()) return;
  show(std::string(file) + ": checking, " + std::to_string(progress.operations_done) + " of " +
       std::to_string(progress.operations) + " operations, " + std::to_string(progress.partitions_done) + " of " +
       std::to_string(progress.partitions) + " partitions");
}

void ProgressLine::following(std::string_view file, std::uint64_t operations) {
  if (!due()) return;
  show(std::string(file) + ": checking, " + std::to_string(operations) + " operations so far");
}

void ProgressLine::erase() {
  if (!shown_) return;
  write_error("\r\x1b[K");
  shown_ = false;
}

}  // namespace porpentine::cli
