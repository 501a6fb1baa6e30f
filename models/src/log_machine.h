// A log whose state is nothing but its length.
//
// A log only grows, so an offset holds one value in every order: whatever one ok operation observed there. All ok
// operations of a binding are in every order, so their observations are **evidence** that bind can gather before
// the search starts. With it `step` compares lengths, and looks at values only to keep an append whose offset nobody
// saw from an offset that is known to hold another value.
//
// - The first evidence for an offset counts. An operation that contradicts it can be in no order with the
//   operation that gave it, and gets a label that is refused everywhere.
// - An offset that an ok append returned is taken: no other append can be there, whatever its value.
// - The **horizon** is the end of all evidence, one past the highest offset or the highest length that was observed
//   to be there. An indeterminate append at or beyond it can be left out of every order: what follows are appends
//   with an unknown offset, which fit as well at a lesser length that is not below the horizon; reads and
//   tails of lengths below, which can't come after it; reads that found something, which are accepted from the horizon
//   on; and reads that found nothing, which a lesser length suits better.
// - Values for which there is no evidence can't be told apart: appends of them with an unknown outcome are one
//   label, and they are irrelevant where every offset below the horizon has evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>

namespace porpentine::detail {

enum class LogKind : std::uint8_t {
  nothing,  ///< accepted everywhere, changes nothing
  append,   ///< of `values`, at `offset` where that is known
  found,    ///< `values` are there from `offset` on
  missing,  ///< nothing is at `offset` yet
  tail,     ///< the length is `offset`
  broken,   ///< no log ever answers so
};

struct LogOperation {
  LogKind kind = LogKind::nothing;
  bool indeterminate = false;
  bool offset_known = false;
  std::uint64_t offset = 0;
  std::span<const ValueId> values = {};  ///< none of them null
};

class LogMachine final : public Machine {
 public:
  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return 0; }
  [[nodiscard]] StateId step(StateId length, Label label) override;
  [[nodiscard]] bool viable(StateId length, Label label) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend class LogBinder;

  enum class Kind : std::uint8_t {
    never,
    at_least,  // the length is at least `bound`
    at_most,
    exactly,
    append_at,  // `count` values at `bound`
    append,     // `count` values somewhere
  };
  struct What {
    Kind kind = Kind::never;
    bool indeterminate = false;
    std::uint32_t bound = 0;
    std::uint32_t count = 0;
    std::size_t values = 0;  // of `append`: where they begin in values_
    [[nodiscard]] bool at_a_bound() const {
      return kind == Kind::at_most || kind == Kind::exactly || kind == Kind::append_at;
    }
  };

  // Instead of an offset's evidence.
  static constexpr ValueId kUnknown = kNull;
  static constexpr ValueId kTaken = 0xffffffff;

  [[nodiscard]] bool fits(StateId length, const What& what) const;

  std::vector<What> labels_;
  std::vector<LabelTraits> traits_;
  std::vector<ValueId> values_;    // of appends with an unknown offset; kUnknown: one without evidence
  std::vector<ValueId> evidence_;  // by offset
  std::uint32_t horizon_ = 0;
};

/// Fewer than 2^32 - 2 values are appended in all. The values that operations point to may go after it. O(n), n
/// counting the values too.
Bound bind_log(std::span<const LogOperation> operations);

}  // namespace porpentine::detail
