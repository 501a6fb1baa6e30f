// Vectors for millions of items.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace porpentine {

/// Asks the system for huge pages where that much is allocated that the rest of the last one is no loss. Touching a
/// page for the first time takes a microsecond or two, about what it takes to judge the hundred operations that lie in
/// it.
template <typename T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() = default;
  template <typename Other>
  LargeAllocator(const LargeAllocator<Other>& /*other*/) noexcept {}  // NOLINT: implicit, as allocators are

  [[nodiscard]] T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>().allocate(count);
    if (count > std::numeric_limits<std::size_t>::max() / kItem - 1) throw std::bad_array_new_length();
    const std::size_t bytes = (count * kItem + kHugePage - 1) / kHugePage * kHugePage;
    void* const memory = std::aligned_alloc(kHugePage, bytes);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);  // where it is refused, small pages do
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (is_large(count)) {
      std::free(memory);  // NOLINT: what aligned_alloc gave
    } else {
      std::allocator<T>().deallocate(memory, count);
    }
  }

  friend bool operator==(const LargeAllocator& /*a*/, const LargeAllocator& /*b*/) { return true; }

 private:
  static constexpr std::size_t kItem = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
  static constexpr std::size_t kHugePage = std::size_t{2} << 20U;
  static constexpr std::size_t kLarge = 2 * kHugePage;

  static constexpr bool is_large(std::size_t count) { return count >= kLarge / kItem; }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace porpentine
