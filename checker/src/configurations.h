// A store of configurations: flat records of equal size, found again by content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <porpentine/models/machine.h>

#include "meter.h"
#include "timeline.h"

namespace porpentine::detail {

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  return x ^ x >> 32;
}

/// Record::pending after an operation that overwrote the state, a completed one or one that others hide under: the
/// next step must not overwrite it again. After any other indeterminate operation, pending is the state before it: the
/// next step must not do the same from there.
inline constexpr StateId kOverwritten = kSeveral;

/// What is kept of a configuration beside its mask.
struct Record {
  StateId state = 0;
  std::uint32_t used = 0;        ///< set of indeterminate operations
  std::uint32_t used_count = 0;  ///< its size
  std::uint32_t trail = kNone;   ///< how it was reached
  StateId pending = kRefused;    ///< what the next step has to notice; kRefused: nothing
  std::uint32_t next = kNone;    ///< the next record of the same state and mask
};

/// Records with masks of `words` words each, in order of insertion. Grows by doubling, each time with leave.
class Configurations {
 public:
  explicit Configurations(std::size_t words) : words_(words) {}

  [[nodiscard]] std::size_t size() const { return records_.size(); }
  [[nodiscard]] bool empty() const { return records_.empty(); }
  Record& operator[](std::size_t i) { return records_[i]; }
  const Record& operator[](std::size_t i) const { return records_[i]; }
  std::uint64_t* mask(std::size_t i) { return masks_.data() + i * words_; }
  [[nodiscard]] const std::uint64_t* mask(std::size_t i) const { return masks_.data() + i * words_; }

  /// False where the limits don't admit it.
  bool add(const Record& record, const std::uint64_t* mask, Meter& meter) {
    if (records_.size() == records_.capacity()) {
      const std::size_t room = records_.capacity() == 0 ? 16 : 2 * records_.capacity();
      if (!meter.admits(room * (sizeof(Record) + words_ * sizeof(std::uint64_t)))) return false;
      records_.reserve(room);
      masks_.reserve(room * words_);
    }
    records_.push_back(record);
    for (std::size_t w = 0; w < words_; ++w) masks_.push_back(mask[w]);
    return true;
  }
  void move_record(std::size_t from, std::size_t to) {
    if (from == to) return;
    records_[to] = records_[from];
    for (std::size_t w = 0; w < words_; ++w) masks_[to * words_ + w] = masks_[from * words_ + w];
  }
  void truncate(std::size_t size) {
    records_.resize(size);
    masks_.resize(size * words_);
  }
  void clear() { truncate(0); }
  [[nodiscard]] std::size_t memory() const {
    return records_.capacity() * sizeof(Record) + masks_.capacity() * sizeof(std::uint64_t);
  }

 private:
  std::size_t words_;
  std::vector<Record> records_;
  std::vector<std::uint64_t> masks_;
};

/// An open-addressing index from content to records that live elsewhere. Emptied in O(1) by a generation counter.
class Index {
 public:
  struct Slot {
    std::uint32_t generation = 0;
    std::uint32_t record = kNone;  ///< kNone where there is none of that content
  };

  /// The slot of the record for which `equal(record)` holds, or the one to put() it in. Null where the limits don't
  /// admit the table's growth. Valid until the next call.
  template <typename Equal, typename HashOf>
  Slot* find(std::uint64_t hash, const Equal& equal, const HashOf& hash_of, Meter& meter) {
    if (4 * (count_ + 1) > 3 * slots_.size() && !grow(hash_of, meter)) return nullptr;
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.generation != generation_) {
        slot.record = kNone;
        return &slot;
      }
      if (equal(slot.record)) return &slot;
    }
  }
  void put(Slot& slot, std::uint32_t record) {
    count_ += slot.generation == generation_ ? 0 : 1;
    slot = {generation_, record};
  }
  void clear() {
    count_ = 0;
    if (++generation_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      generation_ = 1;
    }
  }
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  template <typename HashOf>
  bool grow(const HashOf& hash_of, Meter& meter) {
    const std::size_t room = slots_.empty() ? 32 : 2 * slots_.size();
    if (!meter.admits(room * sizeof(Slot))) return false;
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(room));
    for (const Slot& slot : old) {
      if (slot.generation != generation_) continue;
      std::size_t i = hash_of(slot.record) & (room - 1);
      while (slots_[i].generation == generation_) i = (i + 1) & (room - 1);
      slots_[i] = slot;
    }
    return true;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace porpentine::detail
