// The events of one partition in the order in which a search meets them.
//
// Times become positions: returns are numbered 0, 1, 2, ... in order of time, and every call stands before the
// return that it precedes. Calls stand before returns of the same time (intervals are closed), so that tied
// operations overlap; the order that a process gives to its own tied operations is kept as `predecessor`.
//
// A completed operation holds a **slot** from its call to its return. Slots are used again, so there are as many
// as operations run at once, and a set of running operations is a few machine words whatever the length of
// the history. Indeterminate operations hold no slot. Those with one label are a **group**: they are
// interchangeable, so only how many of them were used matters, and the earliest call is used first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/checker/engine.h>

namespace porpentine::detail {

inline constexpr std::uint32_t kNone = 0xffffffff;

struct Timeline {
  // Completed operations, numbered in order of their calls.
  std::vector<std::uint32_t> operation;  ///< index into the problem's intervals
  std::vector<Label> label;
  std::vector<std::uint32_t> slot;
  std::vector<std::uint32_t> return_index;  ///< its position among the returns
  std::vector<std::uint32_t> predecessor;   ///< the process's operation before it where their times tie; may be empty

  std::vector<bool> awaited;  ///< whether it is the predecessor of another one; may be empty

  // Returns.
  std::vector<std::uint32_t> returns;  ///< return index -> completed operation
  std::vector<std::uint32_t> called;   ///< return index -> how many completed operations were called before it

  // Indeterminate operations, group after group, by call within a group.
  struct Group {
    Label label = 0;
    std::uint32_t begin = 0;  ///< its elements
    std::uint32_t end = 0;
    std::uint32_t predecessor = kNone;  ///< as above; such a group has one element
  };
  std::vector<Group> groups;                     ///< in order of their first calls
  std::vector<std::uint32_t> element_operation;  ///< index into the problem's intervals
  std::vector<std::uint32_t> element_call;       ///< the first return index that it may precede

  std::uint32_t slots = 0;

  [[nodiscard]] std::uint32_t predecessor_of(std::uint32_t op) const {
    return predecessor.empty() ? kNone : predecessor[op];
  }
  [[nodiscard]] bool is_awaited(std::uint32_t op) const { return !awaited.empty() && awaited[op]; }
  [[nodiscard]] std::size_t memory() const;
};

/// `operations` with the labels that they were bound to; irrelevant ones are left out. O(n log n), O(n) where the
/// intervals are in order of call and overlap little.
Timeline make_timeline(std::span<const Interval> intervals, std::span<const BoundOperation> operations,
                       std::span<const Label> labels);

/// The completed ones among `operations` in order of return, as a Timeline orders them where returns tie.
std::vector<std::uint32_t> in_order_of_return(std::span<const Interval> intervals,
                                              std::span<const BoundOperation> operations);

}  // namespace porpentine::detail
