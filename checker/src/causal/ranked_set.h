// A set of numbers that says how many of them are below another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace porpentine::detail {

/// Sorted, in chunks that are few and short: all of it is O(sqrt(n)), and to add at the end O(1).
class RankedSet {
 public:
  void insert(std::uint32_t number) {
    if (size_ == 0) {
      chunks_.resize(1);
      chunks_.front().assign(1, number);
      size_ = 1;
      return;
    }
    auto chunk = chunk_of(number);
    if (chunk == chunks_.end()) --chunk;
    const auto place = std::lower_bound(chunk->begin(), chunk->end(), number);
    if (place != chunk->end() && *place == number) return;
    chunk->insert(place, number);
    ++size_;
    if (chunk->size() < static_cast<std::size_t>(kMost)) return;
    // What grows at its end, as most do, leaves full chunks behind.
    const auto middle = chunk->begin() + (chunk + 1 == chunks_.end() ? kMost - 1 : kMost / 2);
    std::vector<std::uint32_t> later(middle, chunk->end());
    chunk->erase(middle, chunk->end());
    chunks_.insert(chunk + 1, std::move(later));
  }
  void erase(std::uint32_t number) {
    if (size_ == 0) return;
    const auto chunk = chunk_of(number);
    if (chunk == chunks_.end()) return;
    const auto place = std::lower_bound(chunk->begin(), chunk->end(), number);
    if (*place != number) return;
    chunk->erase(place);
    --size_;
    if (chunk->empty() && chunks_.size() > 1) chunks_.erase(chunk);
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t count_below(std::uint32_t bound) const {
    if (size_ == 0) return 0;
    std::size_t count = 0;
    for (const auto& chunk : chunks_) {
      if (chunk.back() >= bound) {
        const auto place = std::lower_bound(chunk.begin(), chunk.end(), bound);
        return count + static_cast<std::size_t>(place - chunk.begin());
      }
      count += chunk.size();
    }
    return count;
  }
  /// take(number) for the first `most` of those below `bound`, rising.
  template <typename Take>
  void for_first_below(std::uint32_t bound, std::size_t most, Take take) const {
    for (const auto& chunk : chunks_) {
      for (const std::uint32_t number : chunk) {
        if (number >= bound || most-- == 0) return;
        take(number);
      }
    }
  }
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    size_ = 0;
    for (auto& chunk : chunks_) {
      std::erase_if(chunk, predicate);
      size_ += chunk.size();
    }
    std::erase_if(chunks_, [](const auto& chunk) { return chunk.empty(); });
  }
  [[nodiscard]] std::size_t memory() const {
    return chunks_.capacity() * sizeof(std::vector<std::uint32_t>) + (size_ + chunks_.size() * (kMost / 4)) * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::ptrdiff_t kMost = 512;  // numbers of a chunk

  /// The first chunk that ends with that number or a later one.
  std::vector<std::vector<std::uint32_t>>::iterator chunk_of(std::uint32_t number) {
    return std::lower_bound(chunks_.begin(), chunks_.end(), number,
                            [](const auto& chunk, std::uint32_t wanted) { return chunk.back() < wanted; });
  }

  std::vector<std::vector<std::uint32_t>> chunks_;  // none is empty, but the only one of an empty set
  std::size_t size_ = 0;
};

}  // namespace porpentine::detail
