// Where the bytes of a history come from: a file, standard input or memory, compressed or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "failure.h"

namespace porpentine {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;  // a source is read once
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads up to `size` (not 0) bytes into `out`. 0 bytes: the end. An Error of code `limit`: a signal interrupted the
  /// wait, nothing is lost, and the next call goes on.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
  /// Bytes taken so far from the file itself, before decompression, and how many it has (0: not known).
  [[nodiscard]] virtual std::uint64_t done() const = 0;
  /// Whether reading to the end finds out if the data were damaged.
  [[nodiscard]] virtual bool is_compressed() const { return false; }
  [[nodiscard]] virtual std::uint64_t total() const = 0;
};

/// Opens a file; "-" is standard input. What gzip or zstd compressed is decompressed. An Error of code `limit`: as
/// above, and the file can be opened again.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
/// The same over memory, which must outlive the source.
Result<std::unique_ptr<ByteSource>> open_text(std::string_view text);

}  // namespace porpentine
