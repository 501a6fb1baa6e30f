// Numbers things 0, 1, 2, ... in the order in which they are first met.
//
// Binding a machine is mostly this, for partitions of a hundred operations and of ten million: so the tables start
// small, hold nothing but ids, and keep the keys in one vector.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace porpentine::detail {

inline constexpr std::uint32_t kAbsent = 0xffffffff;

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b = 0) {
  std::uint64_t mixed = (a ^ (b * 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
  mixed ^= mixed >> 32;
  mixed *= 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 29);
}

[[nodiscard]] constexpr std::uint64_t hash_of(std::uint32_t key) { return mix(key); }
[[nodiscard]] constexpr std::uint64_t hash_of(std::uint64_t key) { return mix(key); }

/// The hash table alone: whoever uses it keeps the keys and compares them. Open addressing with linear probing.
class IdTable {
 public:
  struct Found {
    std::uint32_t id;
    bool added;
  };

  explicit IdTable(std::size_t expected = 0) {
    slots_.assign(std::clamp(std::bit_ceil(expected * 2 + 1), kFewest, kMostAtFirst), 0);
    hashes_.reserve(room());
  }

  /// The id for which `same` holds, or the next new one.
  template <typename Same>
  Found find_or_add(std::uint64_t hash, Same same) {
    const std::size_t slot = place(hash, same);
    if (slots_[slot] != 0) return {slots_[slot] - 1, false};
    const auto id = static_cast<std::uint32_t>(hashes_.size());
    hashes_.push_back(static_cast<std::uint32_t>(hash));
    slots_[slot] = id + 1;
    if (hashes_.size() > room()) grow();
    return {id, true};
  }

  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Same same) const {
    return slots_[place(hash, same)] - 1;
  }

  /// How many fit before it grows.
  [[nodiscard]] std::size_t room() const { return slots_.size() / 2; }

  [[nodiscard]] std::size_t memory() const { return (slots_.capacity() + hashes_.capacity()) * sizeof(std::uint32_t); }

 private:
  static constexpr std::size_t kFewest = 16;
  static constexpr std::size_t kMostAtFirst = 1024;

  template <typename Same>
  [[nodiscard]] std::size_t place(std::uint64_t hash, Same same) const {
    const auto low = static_cast<std::uint32_t>(hash);
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = low & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const std::uint32_t id = slots_[slot] - 1;
      if (hashes_[id] == low && same(id)) break;
    }
    return slot;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t id = 0; id < hashes_.size(); ++id) {
      std::size_t slot = hashes_[id] & mask;
      while (slots_[slot] != 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(id + 1);
    }
  }

  std::vector<std::uint32_t> slots_;   // id + 1, 0 where empty
  std::vector<std::uint32_t> hashes_;  // by id
};

/// Keys with == and a hash_of.
template <typename Key>
class DenseIds {
 public:
  explicit DenseIds(std::size_t expected = 0) : table_(expected) { keys_.reserve(table_.room()); }

  IdTable::Found find_or_add(const Key& key) {
    const IdTable::Found found = table_.find_or_add(hash_of(key), [&](std::uint32_t id) { return keys_[id] == key; });
    if (found.added) keys_.push_back(key);
    return found;
  }
  std::uint32_t add(const Key& key) { return find_or_add(key).id; }
  /// kAbsent where it was never added.
  [[nodiscard]] std::uint32_t find(const Key& key) const {
    return table_.find(hash_of(key), [&](std::uint32_t id) { return keys_[id] == key; });
  }

  [[nodiscard]] const Key& operator[](std::uint32_t id) const { return keys_[id]; }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::size_t memory() const { return table_.memory() + keys_.capacity() * sizeof(Key); }

 private:
  IdTable table_;
  std::vector<Key> keys_;  // by id
};

}  // namespace porpentine::detail
