// What actors and records know: of each chain of records how many of its first ones.
//
// A **chain** is what one actor sent, in order, from one loss of its memory to the next. Who knows a record knows those
// before it on its chain, so a vector of counts by chain says all of a knowledge (Fidge 1988, Mattern 1989). Vectors
// are cut into leaves of 16 counts, and vectors share the leaves that they have in common: a record costs what its
// sender learned since its last record, and merging looks only at leaves that differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <porpentine/history/large_vector.h>

namespace porpentine::detail {

using Leaf = std::array<std::uint32_t, 16>;
using LeafId = std::uint32_t;

/// A vector that no longer changes. As many leaves as it has.
struct Snapshot {
  std::uint64_t begin = 0;  ///< in the store
  std::uint32_t leaves = 0;
};

/// Leaves, and the snapshots that are made of them. Nothing of it is given back but what one owner had to itself.
class KnowledgeStore {
 public:
  KnowledgeStore() { add(Leaf{}); }

  static constexpr LeafId kZero = 0;  ///< the leaf of zeros

  [[nodiscard]] Leaf& leaf(LeafId id) { return blocks_[id / kBlock][id % kBlock]; }
  [[nodiscard]] const Leaf& leaf(LeafId id) const { return blocks_[id / kBlock][id % kBlock]; }
  LeafId add(const Leaf& leaf);
  void give_back(LeafId id) { free_.push_back(id); }

  [[nodiscard]] std::span<const LeafId> leaves(Snapshot snapshot) const {
    return {snapshots_.data() + snapshot.begin, snapshot.leaves};
  }
  Snapshot keep(std::span<const LeafId> leaves);
  [[nodiscard]] std::uint32_t count(Snapshot snapshot, std::uint32_t chain) const {
    const std::size_t k = chain / std::tuple_size_v<Leaf>;
    return k < snapshot.leaves ? leaf(leaves(snapshot)[k])[chain % std::tuple_size_v<Leaf>] : 0;
  }
  [[nodiscard]] std::size_t memory() const {
    return blocks_.size() * kBlock * sizeof(Leaf) + snapshots_.capacity() * sizeof(LeafId) +
           free_.capacity() * sizeof(LeafId);
  }

 private:
  static constexpr std::size_t kBlock = 1024;

  std::vector<std::unique_ptr<Leaf[]>> blocks_;
  std::size_t used_ = 0;
  std::vector<LeafId> free_;
  LargeVector<LeafId> snapshots_;
};

/// A vector that grows.
class Knowledge {
 public:
  explicit Knowledge(KnowledgeStore& store) : store_(&store) {}

  [[nodiscard]] std::uint32_t count(std::uint32_t chain) const {
    const std::size_t k = chain / std::tuple_size_v<Leaf>;
    return k < leaves_.size() ? store_->leaf(leaves_[k])[chain % std::tuple_size_v<Leaf>] : 0;
  }
  /// Whether it knows that much already is the caller's business.
  void set(std::uint32_t chain, std::uint32_t count);
  /// Whether it learned anything.
  bool merge(Snapshot other);
  /// The same one as before where nothing has changed since.
  Snapshot snapshot();
  void clear();

  /// All of it, to come back to.
  struct Saved {
    std::vector<LeafId> leaves;
    std::vector<Leaf> owned;  // what the owned leaves held, in order
    std::vector<bool> is_owned;
    Snapshot last;
    bool changed;
  };
  void save(Saved& saved) const;
  void restore(const Saved& saved);

 private:
  /// Makes room for the leaf, and makes it one that can be written.
  Leaf& writable(std::size_t k);
  void replace(std::size_t k, LeafId id, bool owned);

  KnowledgeStore* store_;
  std::vector<LeafId> leaves_;
  std::vector<bool> owned_;  // by leaf: no snapshot has it, and nobody else
  Snapshot last_;
  bool changed_ = false;  // since the last snapshot
};

}  // namespace porpentine::detail
