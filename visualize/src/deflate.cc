#include "deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace porpentine::detail {
namespace {

class Deflater {
 public:
  Deflater() {
    constexpr int kLevel = 6;
    constexpr int kMemoryLevel = 8;
    constexpr int kRaw = -MAX_WBITS;  // neither a header nor a checksum
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kRaw, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::runtime_error("can't set up compression");
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;  // zlib's stream refers to itself
  Deflater& operator=(const Deflater&) = delete;

  std::string run(std::string_view text) {
    std::string out;
    do {
      const std::size_t most = std::numeric_limits<uInt>::max();
      const std::string_view piece = text.substr(0, most);
      text.remove_prefix(piece.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // zlib only reads from it
      stream_.avail_in = static_cast<uInt>(piece.size());
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
        stream_.avail_out = static_cast<uInt>(block_.size());
        deflate(&stream_, text.empty() ? Z_FINISH : Z_NO_FLUSH);
        out.append(block_.data(), block_.size() - stream_.avail_out);
      } while (stream_.avail_out == 0);
    } while (!text.empty());
    return out;
  }

 private:
  z_stream stream_ = {};
  std::array<char, std::size_t{1} << 16U> block_ = {};
};

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::string deflated_base64(std::string_view text) { return base64(Deflater().run(text)); }

}  // namespace porpentine::detail
