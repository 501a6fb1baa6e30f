// Arrays of 32-bit words that share what they have in common, and that are equal exactly if their ids are.
//
// A PersistentArray holds many arrays. Each is named by a root, a 32-bit id; none is ever changed: set() answers
// with the root of another array. An array is 0 everywhere until something is set, has no length, and the array of
// zeros is the root 0. It is a radix tree of fan-out 4 whose nodes are interned (hash-consed: Ershov, "On
// programming of arithmetic operations", CACM 1958; Okasaki and Gill, "Fast mergeable integer maps", 1998), so
// that equal content is one node. The height of a root is the least that holds its last word that is not 0, which
// makes a root's id a function of the content alone.
//
// Complexity: get, set and first_nonzero are O(log4 i), set of an array that was there before allocates nothing. subset
// is linear in the nodes in which the two arrays differ.
//
// Thread safety: const members may be called from several threads at once; set may not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace porpentine {

class PersistentArray {
 public:
  using Root = std::uint32_t;
  static constexpr Root kZeros = 0;

  PersistentArray() = default;
  PersistentArray(PersistentArray&&) noexcept = default;
  PersistentArray& operator=(PersistentArray&&) noexcept = default;
  PersistentArray(const PersistentArray&) = delete;  // roots of one are no roots of another
  PersistentArray& operator=(const PersistentArray&) = delete;

  [[nodiscard]] std::uint32_t get(Root root, std::uint32_t index) const {
    unsigned height = nodes_[root].height;
    if (!holds(height, index)) return 0;
    std::uint32_t node = root;
    for (; height > 0; --height) node = nodes_[node].children[digit(index, height - 1)];
    return node;
  }

  /// The array that is like `root` but for `value` at `index`.
  Root set(Root root, std::uint32_t index, std::uint32_t value);

  /// Whether a[i] & ~b[i] is 0 for every i: as sets of bits, whether `a` is a subset of `b`.
  [[nodiscard]] bool subset(Root a, Root b) const;

  /// The least index from `from` on at which the array is not 0.
  [[nodiscard]] std::optional<std::uint32_t> first_nonzero(Root root, std::uint32_t from = 0) const;

  /// Nodes held, by all arrays together.
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr unsigned kFanOutBits = 2;
  static constexpr std::size_t kFanOut = std::size_t{1} << kFanOutBits;
  using Children = std::array<std::uint32_t, kFanOut>;

  // At height 1 the children are words, above it they are nodes of the height below; 0 is the subtree of
  // zeros at every height. Node 0 stands for it.
  struct Node {
    Children children{};
    unsigned height = 0;
  };

  static bool holds(unsigned height, std::uint32_t index) {
    return kFanOutBits * height >= 32 || index >> (kFanOutBits * height) == 0;
  }
  static std::size_t digit(std::uint32_t index, unsigned level) {
    return (index >> (kFanOutBits * level)) & (kFanOut - 1);
  }
  static std::uint64_t hash(const Children& children, unsigned height);

  std::uint32_t intern(const Children& children, unsigned height);
  std::uint32_t set_below(std::uint32_t node, unsigned height, std::uint32_t index, std::uint32_t value);
  [[nodiscard]] bool subset_below(std::uint32_t a, std::uint32_t b, unsigned height) const;
  [[nodiscard]] std::optional<std::uint32_t> first_nonzero_below(std::uint32_t node, unsigned height,
                                                                 std::uint32_t from) const;
  void grow();

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<std::uint32_t> slots_;  // open addressing, linear probing: node ids, 0 where empty
};

}  // namespace porpentine
