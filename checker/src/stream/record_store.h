// The records of a log as JSON text by offset, about 4 bytes a record beside the text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <absl/container/flat_hash_map.h>

namespace porpentine::detail {

class RecordStore {
 public:
  /// Empty where the offset was not seen. Valid until the next add().
  [[nodiscard]] std::string_view find(std::uint64_t offset) const {
    const auto place = blocks_.find(offset / kBlock);
    return place == blocks_.end() ? std::string_view() : text_at(*place->second, offset % kBlock);
  }
  /// The offset must not have been seen, and the text not be empty.
  void add(std::uint64_t offset, std::string_view text) {
    std::unique_ptr<Block>& block = blocks_[offset / kBlock];
    if (block == nullptr) {
      block = std::make_unique<Block>();
      memory_ += sizeof(Block) + 32;
    }
    const std::size_t before = block->bytes.capacity();
    block->begins[offset % kBlock] = static_cast<std::uint32_t>(block->bytes.size()) + 1;
    append(block->bytes, text);
    if (++block->count == kBlock) block->bytes.shrink_to_fit();
    memory_ += block->bytes.capacity() - before;
  }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }

 private:
  static constexpr std::uint64_t kBlock = 512;
  struct Block {
    std::array<std::uint32_t, kBlock> begins = {};  ///< into bytes, plus 1; 0 where nothing is known
    std::string bytes;                              ///< for each a length (LEB128) and the text
    std::uint32_t count = 0;
  };

  static void append(std::string& bytes, std::string_view text) {
    std::size_t length = text.size();
    for (; length >= 0x80; length >>= 7U) bytes.push_back(static_cast<char>(length | 0x80U));
    bytes.push_back(static_cast<char>(length));
    bytes.append(text);
  }
  static std::string_view text_at(const Block& block, std::size_t index) {
    if (block.begins[index] == 0) return {};
    std::string_view rest = std::string_view(block.bytes).substr(block.begins[index] - 1);
    std::size_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest.front());
      rest.remove_prefix(1);
      length |= std::size_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return rest.substr(0, length);
    }
  }

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
  std::uint64_t memory_ = 0;
};

}  // namespace porpentine::detail
