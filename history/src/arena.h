// Memory that is given out piece by piece and returned all at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace porpentine {

/// Pieces never move. Blocks start small and double up to 1 MiB, so that neither a tiny table nor a huge one
/// wastes much; std::pmr's arena doubles without end, and can't say how much it holds.
class Arena {
 public:
  /// `alignment` is a power of two.
  char* allocate(std::size_t size, std::size_t alignment) {
    std::size_t start = (used_ + alignment - 1) & ~(alignment - 1);
    if (start + size > capacity_) {
      add_block(size);
      start = 0;
    }
    used_ = start + size;
    return blocks_.back().get() + start;
  }

  [[nodiscard]] std::size_t memory() const { return allocated_ + blocks_.capacity() * sizeof(blocks_[0]); }

 private:
  static constexpr std::size_t kFirstBlock = 1024;
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 20U;

  void add_block(std::size_t at_least) {
    next_block_ = std::min(next_block_ * 2, kLargestBlock);
    capacity_ = std::max(next_block_, at_least);
    blocks_.push_back(std::make_unique<char[]>(capacity_));  // new[] of char is aligned for every fundamental type
    allocated_ += capacity_;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t next_block_ = kFirstBlock;
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
  std::size_t allocated_ = 0;
};

}  // namespace porpentine
