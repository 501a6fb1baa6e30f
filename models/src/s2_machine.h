// A stream of s2: its tail, the hash of all its records, and its fencing token.
//
// A stream only grows, and nothing changes its hash while its tail stays. All ok operations of a binding are in every
// order, so what they observed is **evidence** that bind gathers before the search starts:
//
// - Every order passes through each tail that an ok operation observed, and through the tail at which an ok append
//   began: these are the **points**. An append across a point is in no order, and is refused.
// - What an ok append added is between its two points. No other append begins there; and an operation that observed a
//   tail inside contradicts it, so that it is refused everywhere.
// - A read shows the hash at its point. An append that leads there with another hash is refused; the first read of a
//   point counts, and another one that differs from it is refused everywhere.
// - Ok appends that follow one another carry a hash on to the next read. So an append with an unknown outcome that ends
//   where they begin is refused at once where they would lead to another hash than was read behind them.
// - The last point is the **horizon**. An append with an unknown outcome that leads beyond it comes after every ok
//   operation, and can be left out.
// - So an append with an unknown outcome is irrelevant where no gap between points holds as many records; where it
//   demands a tail at which it doesn't fit into the gap, or leads from a hash that was read to another one than was
//   read; where it demands a token that nothing sets; and where it adds no records and sets no token that anything
//   demands. What its guards keep from happening may as well not have been called.
// - Of tokens only those count that an append demands. All others are one, and the same as none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>

#include "dense_ids.h"

namespace porpentine::detail {

enum class S2Kind : std::uint8_t {
  nothing,  ///< accepted everywhere, changes nothing
  append,
  read,
  check_tail,
};

struct S2Operation {
  S2Kind kind = S2Kind::nothing;
  bool indeterminate = false;
  std::uint64_t tail = 0;         ///< that was observed; after the records of an append
  std::uint64_t stream_hash = 0;  ///< that was read
  // Of an append:
  ValueId demanded_token = kNull;  ///< null: none
  ValueId new_token = kNull;       ///< null: it stays
  std::optional<std::uint64_t> demanded_tail = {};
  std::span<const std::uint64_t> records = {};
};

class S2Machine final : public Machine {
 public:
  S2Machine() { states_.add({}); }

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend class S2Binder;

  /// Instead of a new token that nothing demands: it replaces one that counts by none that does.
  static constexpr ValueId kUndemanded = 0xffffffff;

  enum class Kind : std::uint8_t { never, read, check_tail, append, lost_append };
  struct What {
    Kind kind = Kind::never;
    std::uint64_t tail = 0;  // where it is accepted; of a lost append: which it demands
    std::uint64_t stream_hash = 0;
    bool demands_tail = false;
    ValueId demanded_token = kNull;
    ValueId new_token = kNull;  // null: it stays
    std::size_t records = 0;    // where they begin in records_
    std::uint32_t count = 0;
  };
  struct Point {
    std::uint64_t tail = 0;
    bool taken = false;          // an ok append begins here
    Label append = kIrrelevant;  // its label, where it can be accepted at all
    std::optional<std::uint64_t> stream_hash = {};
  };
  struct State {
    std::uint64_t tail = 0;
    std::uint64_t stream_hash = 0;
    ValueId token = kNull;
    bool operator==(const State&) const = default;
    friend std::uint64_t hash_of(const State& state) { return mix(mix(state.tail, state.stream_hash), state.token); }
  };

  /// The last point that is not beyond the tail.
  [[nodiscard]] std::vector<Point>::const_iterator point_before(std::uint64_t tail) const;
  /// Whether an append with an unknown outcome of so many records fits between the points there.
  [[nodiscard]] bool fits(std::uint64_t tail, std::uint32_t count) const;
  [[nodiscard]] std::uint64_t hash_after(std::uint64_t stream_hash, const What& append) const;
  /// Whether nothing that was read there is another hash.
  [[nodiscard]] bool agrees(std::uint64_t tail, std::uint64_t stream_hash) const;
  /// The same, also for what was read behind the ok appends that follow there without a gap.
  [[nodiscard]] bool leads_on(std::uint64_t tail, std::uint64_t stream_hash) const;

  std::vector<What> labels_;
  std::vector<LabelTraits> traits_;
  std::vector<std::uint64_t> records_;  // hashes of the records of all appends
  std::vector<Point> points_;           // by tail; the first is 0
  bool token_changes_alone_ = false;    // whether some append sets one without adding records
  DenseIds<State> states_;
};

/// O(n log n), n counting the records too.
Bound bind_s2(std::span<const S2Operation> operations);

}  // namespace porpentine::detail
