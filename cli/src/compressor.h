// Files that are compressed as their names say.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string_view>

namespace porpentine::cli {

/// Compresses what is written to it into a stream.
class Compressor : public std::streambuf {
 public:
  /// `out` must outlive it.
  explicit Compressor(std::ostream& out);

  /// Completes the compressed data. Without it they are cut off.
  void finish();

 protected:
  int_type overflow(int_type character) override;

 private:
  /// Compresses `text`, and what was held back where it is the last.
  virtual void compress(std::string_view text, bool last, std::ostream& out) = 0;

  void drain(bool last);

  std::ostream& out_;
  std::array<char, 1 << 16> bytes_;
};

/// For a file of this name: gzip for .gz, zstd for .zst; null for any other.
std::unique_ptr<Compressor> make_compressor(std::string_view path, std::ostream& out);

/// Lets `write` write to `out`, which is the file `path`, compressed as its name says.
void write_as_named(std::string_view path, std::ostream& out, const std::function<void(std::ostream&)>& write);

}  // namespace porpentine::cli
