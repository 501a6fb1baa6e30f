#include "byte_source.h"

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace porpentine {
namespace {

Error io_error(std::string message) { return {ErrorCode::io, std::move(message), {}, 0}; }

/// Why a call of the system's failed.
Error system_error(std::string_view doing, int error) {
  if (error == EINTR) return {ErrorCode::limit, "interrupted by a signal", {}, 0};
  return io_error(std::string(doing).append(": ").append(std::generic_category().message(error)));
}

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

class FileSource final : public ByteSource {
 public:
  FileSource(std::unique_ptr<std::FILE, CloseFile> file, std::uint64_t total) : file_(std::move(file)), total_(total) {}

  /// What is there at once: of a pipe that goes on, no more is waited for.
  Result<std::size_t> read(char* out, std::size_t size) override {
    const ::ssize_t count = ::read(::fileno(file_.get()), out, size);
    if (count < 0) return system_error("can't read", errno);
    done_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] std::uint64_t done() const override { return done_; }
  [[nodiscard]] std::uint64_t total() const override { return total_; }

 private:
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    const std::size_t count = text_.substr(done_).copy(out, size);
    done_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t done() const override { return done_; }
  [[nodiscard]] std::uint64_t total() const override { return text_.size(); }

 private:
  std::string_view text_;
  std::size_t done_ = 0;
};

/// A source with its next bytes in sight, so that its beginning can be looked at.
class BufferedSource {
 public:
  explicit BufferedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kBlock) {}

  [[nodiscard]] std::string_view window() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t count) { begin_ += count; }
  [[nodiscard]] const ByteSource& source() const { return *source_; }

  /// Reads the next block if the window is empty; it stays empty at the end.
  Failure fill() {
    if (begin_ != end_) return {};
    auto count = source_->read(buffer_.data(), buffer_.size());
    if (!count) return std::move(count).error();
    begin_ = 0;
    end_ = *count;
    return {};
  }

  /// Reads until the window has `size` bytes, or all there are.
  Failure fill_to(std::size_t size) {
    if (auto failure = fill()) return failure;
    while (end_ - begin_ < size) {
      auto count = source_->read(buffer_.data() + end_, buffer_.size() - end_);
      if (!count) return std::move(count).error();
      if (*count == 0) break;
      end_ += *count;
    }
    return {};
  }

  /// Reads past the window, without the detour over the buffer once that is empty.
  Result<std::size_t> read(char* out, std::size_t size) {
    if (begin_ == end_) return source_->read(out, size);
    const std::size_t count = window().copy(out, size);
    consume(count);
    return count;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 17U;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Base of the sources that read from another one.
class FilteredSource : public ByteSource {
 public:
  explicit FilteredSource(BufferedSource input) : input_(std::move(input)) {}
  [[nodiscard]] std::uint64_t done() const override { return input_.source().done(); }
  [[nodiscard]] std::uint64_t total() const override { return input_.source().total(); }

 protected:
  BufferedSource& input() { return input_; }

 private:
  BufferedSource input_;
};

class PlainSource final : public FilteredSource {
 public:
  using FilteredSource::FilteredSource;
  Result<std::size_t> read(char* out, std::size_t size) override { return input().read(out, size); }
};

bool is_gzip(std::string_view head) { return head.substr(0, 2) == "\x1F\x8B"; }

bool is_zstd(std::string_view head) { return head.substr(0, 4) == "\x28\xB5\x2F\xFD"; }

/// Reads gzip, also several members one after the other as gzip itself does.
class GzipSource final : public FilteredSource {
 public:
  explicit GzipSource(BufferedSource source) : FilteredSource(std::move(source)) {
    constexpr int kGzipOnly = 16;
    usable_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  [[nodiscard]] bool is_compressed() const override { return true; }

  Result<std::size_t> read(char* out, std::size_t size) override {
    if (!usable_) return io_error("can't set up gzip decompression");
    const std::size_t wanted = std::min<std::size_t>(size, 1U << 30U);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out == wanted) {
      if (auto failure = input().fill()) return *std::move(failure);
      if (input().window().empty()) {
        if (in_member_) return io_error("truncated gzip data");
        return std::size_t{0};
      }
      if (auto failure = inflate_some()) return *std::move(failure);
    }
    return wanted - stream_.avail_out;
  }

 private:
  Failure inflate_some() {
    const std::string_view window = input().window();
    in_member_ = true;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(window.data()));  // zlib only reads from it
    stream_.avail_in = static_cast<uInt>(window.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    input().consume(window.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      in_member_ = false;
      inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      std::string message = "damaged gzip data";
      if (stream_.msg != nullptr) message.append(": ").append(stream_.msg);
      return io_error(std::move(message));
    }
    return {};
  }

  z_stream stream_ = {};
  bool usable_ = false;
  bool in_member_ = false;
};

struct FreeZstd {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

/// Reads zstd, also several frames one after the other.
class ZstdSource final : public FilteredSource {
 public:
  using FilteredSource::FilteredSource;
  [[nodiscard]] bool is_compressed() const override { return true; }

  Result<std::size_t> read(char* out, std::size_t size) override {
    if (stream_ == nullptr) return io_error("can't set up zstd decompression");
    ZSTD_outBuffer output = {out, size, 0};
    while (output.pos == 0) {
      if (auto failure = input().fill()) return *std::move(failure);
      const std::string_view window = input().window();
      if (window.empty() && !in_frame_) return std::size_t{0};
      ZSTD_inBuffer block = {window.data(), window.size(), 0};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &block);
      if (ZSTD_isError(status) != 0) return io_error(std::string("damaged zstd data: ") + ZSTD_getErrorName(status));
      input().consume(block.pos);
      in_frame_ = status != 0;
      if (window.empty() && output.pos == 0) return io_error("truncated zstd data");
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, FreeZstd> stream_{ZSTD_createDStream()};
  bool in_frame_ = false;
};

Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> raw) {
  BufferedSource source(std::move(raw));
  constexpr std::size_t kLongestMagic = 4;
  if (auto failure = source.fill_to(kLongestMagic)) return *std::move(failure);
  const std::string_view head = source.window();
  std::unique_ptr<ByteSource> opened;
  if (is_gzip(head)) {
    opened = std::make_unique<GzipSource>(std::move(source));
  } else if (is_zstd(head)) {
    opened = std::make_unique<ZstdSource>(std::move(source));
  } else {
    opened = std::make_unique<PlainSource>(std::move(source));
  }
  return opened;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  if (path == "-") return decompressed(std::make_unique<FileSource>(std::unique_ptr<std::FILE, CloseFile>(stdin), 0));
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return io_error("can't read: it is a directory");
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return system_error("can't open", errno);
  const bool has_size = std::filesystem::is_regular_file(path, error);
  const std::uintmax_t size = has_size ? std::filesystem::file_size(path, error) : 0;
  return decompressed(std::make_unique<FileSource>(std::move(file), error ? 0 : size));
}

Result<std::unique_ptr<ByteSource>> open_text(std::string_view text) {
  return decompressed(std::make_unique<MemorySource>(text));
}

}  // namespace porpentine
