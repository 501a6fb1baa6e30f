#include "text_buffer.h"

#include <cstring>
#include <limits>
#include <utility>

namespace porpentine {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 18U;
/// The JSON parser's limit, and that of strings in the value table.
constexpr std::size_t kLongestWindow = std::numeric_limits<std::uint32_t>::max() - TextBuffer::kPadding;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

TextBuffer::TextBuffer(std::unique_ptr<ByteSource> source, const ReadOptions& options, const History& history)
    : source_(std::move(source)), options_(options), history_(history) {}

Failure TextBuffer::fill() {
  make_room();
  if (end_ - begin_ > kLongestWindow) {
    return Error{ErrorCode::syntax, "a line of more than 4 GiB", {}, line_number_ + 1};
  }
  const auto count = read_source(data_.get() + end_, capacity_ - end_);
  if (!count) return count.error();
  complete_ = *count == 0;
  end_ += *count;
  std::memset(data_.get() + end_, 0, kPadding);
  if (at_start_ && (complete_ || end_ >= kByteOrderMark.size())) {
    at_start_ = false;
    if (window().substr(0, kByteOrderMark.size()) == kByteOrderMark) consume(kByteOrderMark.size());
  }
  return check_limits();
}

// A signal is a reason to ask whether to go on.
Result<std::size_t> TextBuffer::read_source(char* out, std::size_t size) {
  while (true) {
    auto count = source_->read(out, size);
    if (count || count.error().code != ErrorCode::limit) return count;
    if (auto failure = check_limits()) return *std::move(failure);
  }
}

Failure TextBuffer::find_damage() {
  while (source_->is_compressed() && !complete_) {
    consume(window().size());
    auto failure = fill();
    if (failure) return failure->code == ErrorCode::io ? failure : Failure();
  }
  return {};
}

void TextBuffer::make_room() {
  const std::size_t length = end_ - begin_;
  if (length <= capacity_ / 2 && capacity_ != 0) {
    std::memmove(data_.get(), data_.get() + begin_, length);
  } else {
    capacity_ = capacity_ == 0 ? kFirstCapacity : capacity_ * 2;
    auto larger = std::make_unique<char[]>(capacity_ + kPadding);
    if (length != 0) std::memcpy(larger.get(), data_.get() + begin_, length);
    data_ = std::move(larger);
  }
  begin_ = 0;
  end_ = length;
}

Failure TextBuffer::check_limits() const {
  if (options_.progress && !options_.progress(source_->done(), source_->total())) {
    return Error{ErrorCode::limit, "cancelled", {}, 0};
  }
  if (options_.memory_limit != 0 && history_.memory() + capacity_ > options_.memory_limit) {
    return Error{ErrorCode::limit, "memory limit reached", {}, 0};
  }
  return {};
}

bool TextBuffer::next_line(std::string_view& line, Failure& failure) {
  std::size_t searched = 0;
  std::size_t length = window().find('\n');
  while (length == std::string_view::npos && !complete_) {
    searched = window().size();
    if ((failure = fill())) return false;
    length = window().find('\n', searched);
  }
  const bool has_break = length != std::string_view::npos;
  line = window().substr(0, length);
  if (!has_break && line.empty()) return false;
  consume(line.size() + (has_break ? 1 : 0));
  ++line_number_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

double TextBuffer::fraction_read() const {
  const std::uint64_t total = source_->total();
  return total == 0 ? 0 : static_cast<double>(source_->done()) / static_cast<double>(total);
}

}  // namespace porpentine
