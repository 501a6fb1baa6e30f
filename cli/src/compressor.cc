#include "compressor.h"

#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace porpentine::cli {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;

class GzipCompressor final : public Compressor {
 public:
  explicit GzipCompressor(std::ostream& out) : Compressor(out) {
    constexpr int kGzip = 16;  // what zlib wants added to the window's size
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::runtime_error("can't set up gzip compression");
    }
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }
  GzipCompressor(const GzipCompressor&) = delete;  // zlib's stream refers to itself
  GzipCompressor& operator=(const GzipCompressor&) = delete;

 private:
  void compress(std::string_view text, bool last, std::ostream& out) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads from it
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.write(block_.data(), static_cast<std::streamsize>(block_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  z_stream stream_ = {};
  std::array<char, kBlock> block_;
};

struct FreeZstd {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class ZstdCompressor final : public Compressor {
 public:
  explicit ZstdCompressor(std::ostream& out) : Compressor(out) {
    if (context_ == nullptr) throw std::runtime_error("can't set up zstd compression");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

 private:
  void compress(std::string_view text, bool last, std::ostream& out) override {
    ZSTD_inBuffer input = {text.data(), text.size(), 0};
    while (true) {
      ZSTD_outBuffer output = {block_.data(), block_.size(), 0};
      const std::size_t held_back =
          ZSTD_compressStream2(context_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(held_back) != 0) {
        throw std::runtime_error(std::string("can't compress: ") + ZSTD_getErrorName(held_back));
      }
      out.write(block_.data(), static_cast<std::streamsize>(output.pos));
      if (last ? held_back == 0 : input.pos == input.size) return;
    }
  }

  std::unique_ptr<ZSTD_CCtx, FreeZstd> context_{ZSTD_createCCtx()};
  std::array<char, kBlock> block_;
};

}  // namespace

Compressor::Compressor(std::ostream& out) : out_(out) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

void Compressor::drain(bool last) {
  compress({pbase(), static_cast<std::size_t>(pptr() - pbase())}, last, out_);
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

void Compressor::finish() { drain(true); }

Compressor::int_type Compressor::overflow(int_type character) {
  drain(false);
  if (!out_) return traits_type::eof();  // nobody would see the rest
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  return sputc(traits_type::to_char_type(character));
}

std::unique_ptr<Compressor> make_compressor(std::string_view path, std::ostream& out) {
  if (path.ends_with(".gz")) return std::make_unique<GzipCompressor>(out);
  if (path.ends_with(".zst")) return std::make_unique<ZstdCompressor>(out);
  return nullptr;
}

void write_as_named(std::string_view path, std::ostream& out, const std::function<void(std::ostream&)>& write) {
  const std::unique_ptr<Compressor> compressor = make_compressor(path, out);
  if (compressor == nullptr) return write(out);
  std::ostream text(compressor.get());
  write(text);
  compressor->finish();
}

}  // namespace porpentine::cli
