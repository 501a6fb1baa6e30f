// The text of a history, a window at a time.
//
// The window holds the text that was read and not consumed yet; it is as long as the longest line or form and
// no longer than need be, so that a file of any size passes through a buffer of a few hundred kilobytes.
// Behind it there are always kPadding readable bytes, as simdjson wants them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>

#include "byte_source.h"
#include "failure.h"

namespace porpentine {

class TextBuffer {
 public:
  static constexpr std::size_t kPadding = 64;

  /// `history` is the one that is read into: its memory counts for the limit. All must outlive the buffer.
  TextBuffer(std::unique_ptr<ByteSource> source, const ReadOptions& options, const History& history);

  [[nodiscard]] std::string_view window() const { return {data_.get() + begin_, end_ - begin_}; }
  /// Whether nothing comes after the window.
  [[nodiscard]] bool complete() const { return complete_; }
  void consume(std::size_t count) { begin_ += count; }

  /// Reads more text onto the end of the window, or finds that it is complete. Views of the window are void
  /// afterwards. Reports progress and keeps the limits.
  Failure fill();

  /// The next line without its line break, or nothing at the end; valid until the next call. Failures of
  /// fill() arrive in `failure`.
  bool next_line(std::string_view& line, Failure& failure);
  /// Number of the line that next_line gave, from 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }

  /// Reads the rest of compressed input, which consumes all of it, and tells whether that is damaged: a flipped bit
  /// shows as text that is no history before it shows in the checksum.
  Failure find_damage();

  /// How much of the input has been read, from 0 to 1; 0 where it is not known.
  [[nodiscard]] double fraction_read() const;

 private:
  void make_room();
  Result<std::size_t> read_source(char* out, std::size_t size);
  Failure check_limits() const;

  std::unique_ptr<ByteSource> source_;
  const ReadOptions& options_;
  const History& history_;
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t line_number_ = 0;
  bool at_start_ = true;
  bool complete_ = false;
};

}  // namespace porpentine
