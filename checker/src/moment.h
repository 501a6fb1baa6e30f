// The moment before one return: who is running, and what can be said of a configuration there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "configurations.h"
#include "search.h"

namespace porpentine::detail {

/// Calls `visit(slot)` for each bit of `words` words given by `word(w)`.
template <typename Word, typename Visit>
void for_each_bit(std::size_t words, const Word& word, const Visit& visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t bits = word(w); bits != 0; bits &= bits - 1) {
      visit(static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(std::countr_zero(bits))));
    }
  }
}

/// A set of slots: on the spot where its size is known to be one word, on the heap otherwise.
template <unsigned Words>
class Mask {
 public:
  explicit Mask(std::size_t words) {
    if constexpr (Words == 0) words_.resize(words);
  }
  [[nodiscard]] std::uint64_t* data() { return words_.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return words_.data(); }
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  std::uint64_t& operator[](std::size_t w) { return words_[w]; }
  const std::uint64_t& operator[](std::size_t w) const { return words_[w]; }
  void copy_from(const std::uint64_t* words) { std::copy_n(words, words_.size(), words_.data()); }

 private:
  std::conditional_t<Words == 0, std::vector<std::uint64_t>, std::array<std::uint64_t, Words>> words_{};
};

/// Moves along a timeline, one return after the other, and back. `Words` is the
/// number of words of a mask, 0 where only the run knows.
template <unsigned Words>
class Moment {
 public:
  Moment(const Timeline& timeline, Machine& machine, Meter& meter);

  [[nodiscard]] std::size_t words() const { return Words != 0 ? Words : words_; }
  [[nodiscard]] bool at_end() const { return index_ == timeline_.returns.size(); }
  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] std::uint32_t returning() const { return timeline_.returns[index_]; }
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  [[nodiscard]] const LabelTraits& traits(Label label) const { return traits_[label]; }
  [[nodiscard]] std::uint32_t operation_in(std::size_t slot) const { return in_slot_[slot]; }
  [[nodiscard]] const Mask<Words>& candidates() const { return candidates_; }

  /// Starts the operations that are called before the return at index(): [first, last).
  struct Calls {
    std::uint32_t first;
    std::uint32_t last;
  };
  Calls enter();
  /// Frees the slot of the returning operation and goes on to the next return. enter() comes next.
  void leave();
  /// Undoes enter(), or leave(): for a search that goes back.
  void undo_enter();
  void undo_leave();

  static bool has(const std::uint64_t* mask, std::uint32_t slot) { return (mask[slot / 64] >> (slot % 64) & 1U) != 0; }
  static void put(std::uint64_t* mask, std::uint32_t slot) { mask[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  static void drop(std::uint64_t* mask, std::uint32_t slot) { mask[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }

  /// Whether the operation that its process puts before this one is linearized.
  [[nodiscard]] bool unlocked(std::uint32_t predecessor, const std::uint64_t* mask) const {
    return predecessor == kNone || timeline_.return_index[predecessor] < index_ ||
           has(mask, timeline_.slot[predecessor]);
  }
  [[nodiscard]] bool has_predecessors() const { return !timeline_.predecessor.empty(); }

  /// Whether a matching read-only operation can be taken in this configuration.
  [[nodiscard]] bool matches(std::uint32_t op, StateId state, const std::uint64_t* mask) {
    const LabelTraits& traits = traits_[timeline_.label[op]];
    if (traits.needs != kNoToken && has_tokens_ && machine_.token(state) != traits.needs) return false;
    return unlocked(timeline_.predecessor_of(op), mask) && machine_.step(state, timeline_.label[op]) == state;
  }
  /// Takes every matching read-only operation; `taken(op)` hears of each.
  template <typename Taken>
  void normalise(StateId state, std::uint64_t* mask, const Taken& taken);

  /// Whether some operation that still has to be placed never can be, now that `from` has become `state` and the
  /// operations of `mask` and `used` are placed.
  [[nodiscard]] bool hopeless(StateId from, StateId state, const std::uint64_t* mask, std::uint32_t used);
  /// The same for an operation that was called just now.
  [[nodiscard]] bool hopeless_call(std::uint32_t op, StateId state) {
    if (!traits_[timeline_.label[op]].bounded || machine_.viable(state, timeline_.label[op])) return false;
    blamed_ = op;
    return true;
  }
  [[nodiscard]] std::uint32_t blamed() const { return blamed_; }

  /// The element of the group that would be used next, or kNone.
  [[nodiscard]] std::uint32_t available(std::uint32_t group, std::uint32_t used, const std::uint64_t* mask) const;
  /// Calls `use(group, element)` for the groups that may be noticed in a configuration, until it returns false.
  template <typename Use>
  bool for_each_group(const std::uint64_t* mask, std::uint32_t used, const Use& use);
  /// Whether a step with `label` to `next` notices what is pending.
  [[nodiscard]] bool notices(StateId pending, Label label, StateId next) {
    if (pending == kRefused) return true;
    if (traits_[label].overwrites) return false;
    return pending == kOverwritten || next == kSeveral || machine_.step(pending, label) != next;
  }
  /// Whether one with the same label should be taken before this one.
  [[nodiscard]] bool has_earlier_twin(std::uint32_t op, const std::uint64_t* mask) const {
    const std::uint32_t twin = twins_[timeline_.slot[op]];
    return twin != kNone && !timeline_.is_awaited(op) && !has(mask, timeline_.slot[twin]) &&
           unlocked(timeline_.predecessor_of(twin), mask);
  }
  /// The operation that can be hidden next under `op` (kNone: an indeterminate one), or kNone.
  [[nodiscard]] std::uint32_t next_to_hide(std::uint32_t op, const std::uint64_t* mask) const;
  /// Hides up to `most` operations under `op`; `hidden(op)` hears of each. How many they were.
  template <typename Hidden>
  std::uint32_t hide(std::uint32_t op, std::uint32_t most, std::uint64_t* mask, const Hidden& hidden) const;
  /// How many have to be hidden under `op` because nobody needs them any more.
  [[nodiscard]] std::uint32_t least_hidden(std::uint32_t op, const std::uint64_t* mask);
  /// Which of the operations placed in `mask` may as well not be, after the return at index(): another operation
  /// that overwrites is sure to be placed before they return, and they can hide under that one.
  void find_removable(const std::uint64_t* mask, std::uint64_t* removable) const;
  [[nodiscard]] const Mask<Words>& read_only() const { return read_only_; }
  /// Whether it can be hidden: what its process orders after it doesn't wait for it.
  [[nodiscard]] bool can_hide(std::uint32_t op) const {
    return traits_[timeline_.label[op]].overwrites && !timeline_.is_awaited(op);
  }
  /// What is pending after a completed operation was taken.
  [[nodiscard]] StateId pending_after(std::uint32_t op) const { return can_hide(op) ? kOverwritten : kRefused; }
  /// Forgets groups that every configuration has used up.
  template <typename Exhausted>
  void close_groups(const Exhausted& exhausted);

  Machine& machine() { return machine_; }
  UsedSets& sets() { return sets_; }
  const UsedSets& sets() const { return sets_; }
  Meter& meter() { return meter_; }
  [[nodiscard]] std::size_t memory() const;

 private:
  /// Adds the parts of an operation that touches a part already, and of what must come before it.
  void join(std::uint64_t touches, std::uint32_t predecessor) {
    if ((touches & parts_) == 0) return;
    parts_ |= touches;
    if (predecessor != kNone && timeline_.return_index[predecessor] >= index_) {
      parts_ |= traits_[timeline_.label[predecessor]].touches;
    }
  }
  void start(std::uint32_t op);
  void stop(std::uint32_t op);
  /// The first return from there of an operation that overwrites, or kNone.
  [[nodiscard]] std::uint32_t overwriting_from(std::uint32_t index) const {
    return index < next_overwriting_.size() ? next_overwriting_[index] : kNone;
  }
  void find_twins(std::uint32_t op);
  void find_candidates();
  [[nodiscard]] bool token_lost(Token token, const std::uint64_t* mask, std::uint32_t used);

  const Timeline& timeline_;
  Machine& machine_;
  Meter& meter_;
  std::span<const LabelTraits> traits_;
  TokenIndex tokens_;
  UsedSets sets_;
  bool has_tokens_;
  bool has_touches_ = false;
  std::size_t words_;
  std::uint32_t index_ = 0;
  std::uint32_t called_groups_ = 0;
  std::uint32_t curious_groups_ = 0;  // among the open ones: any but those that overwrite may notice something
  std::uint32_t blamed_ = kNone;
  std::vector<std::uint32_t> in_slot_;
  std::vector<std::uint32_t> twins_;  // by slot: the running operation with that label that returns just before
  std::vector<std::uint32_t>
      next_overwriting_;  // by return index: the first from there of an operation that overwrites
  Mask<Words> running_;
  Mask<Words> read_only_;   // among the running
  Mask<Words> bounded_;     // among the running
  Mask<Words> curious_;     // among the running
  Mask<Words> candidates_;  // among the running: those that the returning one can depend on
  std::vector<std::uint32_t> open_groups_;
  Mask<Words> hiding_;
  std::uint64_t parts_ = ~std::uint64_t{0};  // what the returning operation depends on
};

template <unsigned Words>
Moment<Words>::Moment(const Timeline& timeline, Machine& machine, Meter& meter)
    : timeline_(timeline),
      machine_(machine),
      meter_(meter),
      traits_(machine.labels()),
      tokens_(machine.has_tokens() ? TokenIndex(timeline, traits_) : TokenIndex()),
      has_tokens_(machine.has_tokens()),
      words_((timeline.slots + 63) / 64),
      in_slot_(timeline.slots, kNone),
      twins_(timeline.slots, kNone),
      running_(words()),
      read_only_(words()),
      bounded_(words()),
      curious_(words()),
      candidates_(words()),
      hiding_(words()) {
  for (std::uint32_t i = static_cast<std::uint32_t>(timeline.returns.size()); i-- > 0;) {
    if (!traits_[timeline.label[timeline.returns[i]]].overwrites && next_overwriting_.empty()) continue;
    next_overwriting_.resize(timeline.returns.size(), kNone);
    next_overwriting_[i] = traits_[timeline.label[timeline.returns[i]]].overwrites ? i : next_overwriting_[i + 1];
  }
  for (const Label label : timeline.label) has_touches_ |= traits_[label].touches != ~std::uint64_t{0};
  for (const Timeline::Group& group : timeline.groups)
    has_touches_ |= traits_[group.label].touches != ~std::uint64_t{0};
}

template <unsigned Words>
void Moment<Words>::start(std::uint32_t op) {
  const std::uint32_t slot = timeline_.slot[op];
  const LabelTraits& traits = traits_[timeline_.label[op]];
  if (!traits.read_only) find_twins(op);
  in_slot_[slot] = op;
  put(running_.data(), slot);
  if (traits.read_only) put(read_only_.data(), slot);
  if (traits.bounded) put(bounded_.data(), slot);
  if (is_curious(traits)) put(curious_.data(), slot);
}

template <unsigned Words>
void Moment<Words>::stop(std::uint32_t op) {
  const std::uint32_t slot = timeline_.slot[op];
  for (std::uint32_t& twin : twins_) {
    if (twin == op) twin = twins_[slot];
  }
  twins_[slot] = kNone;
  in_slot_[slot] = kNone;
  for (Mask<Words>* mask : {&running_, &read_only_, &bounded_, &curious_}) drop(mask->data(), slot);
}

template <unsigned Words>
void Moment<Words>::find_twins(std::uint32_t op) {
  const std::uint32_t returns = timeline_.return_index[op];
  std::uint32_t& before = twins_[timeline_.slot[op]];
  for (const std::uint32_t other : in_slot_) {
    if (other == kNone || timeline_.label[other] != timeline_.label[op]) continue;
    // The nearer of what stands in `twin` and `candidate`, both of which return before.
    const auto nearer = [this](std::uint32_t& twin, std::uint32_t candidate) {
      if (twin == kNone || timeline_.return_index[twin] < timeline_.return_index[candidate]) twin = candidate;
    };
    if (timeline_.return_index[other] < returns) {
      nearer(before, other);
    } else {
      nearer(twins_[timeline_.slot[other]], op);
    }
  }
}

template <unsigned Words>
std::uint32_t Moment<Words>::next_to_hide(std::uint32_t op, const std::uint64_t* mask) const {
  for (std::uint32_t i = overwriting_from(index_); i != kNone; i = overwriting_from(i + 1)) {
    const std::uint32_t next = timeline_.returns[i];
    if (next == op) continue;
    // It is sure to be placed later, and what returns after it can hide under it. The returning one comes last.
    if (i == index_ || next >= timeline_.called[index_]) return kNone;
    if (has(mask, timeline_.slot[next])) continue;
    return unlocked(timeline_.predecessor_of(next), mask) ? next : kNone;
  }
  return kNone;
}

template <unsigned Words>
template <typename Hidden>
std::uint32_t Moment<Words>::hide(std::uint32_t op, std::uint32_t most, std::uint64_t* mask,
                                  const Hidden& hidden) const {
  std::uint32_t count = 0;
  for (; count < most; ++count) {
    const std::uint32_t next = next_to_hide(op, mask);
    if (next == kNone) break;
    put(mask, timeline_.slot[next]);
    hidden(next);
  }
  return count;
}

template <unsigned Words>
void Moment<Words>::find_removable(const std::uint64_t* mask, std::uint64_t* removable) const {
  std::fill_n(removable, words(), 0);
  if (next_overwriting_.empty()) return;
  std::uint32_t sure = kNone;  // the first return of one that is still to be placed
  for (std::uint32_t i = overwriting_from(index_ + 1); i != kNone && sure == kNone; i = overwriting_from(i + 1)) {
    const std::uint32_t op = timeline_.returns[i];
    if (op >= timeline_.called[index_] || !has(mask, timeline_.slot[op])) sure = i;
  }
  for_each_bit(
      words(), [&](std::size_t w) { return running_[w] & mask[w]; },
      [&](std::uint32_t slot) {
        const std::uint32_t op = in_slot_[slot];
        if (can_hide(op) && timeline_.return_index[op] > sure) put(removable, slot);
      });
}

template <unsigned Words>
std::uint32_t Moment<Words>::least_hidden(std::uint32_t op, const std::uint64_t* mask) {
  if (!has_tokens_) return 0;
  hiding_.copy_from(mask);
  std::uint32_t count = 0;
  for (;; ++count) {
    const std::uint32_t next = next_to_hide(op, hiding_.data());
    if (next == kNone || !tokens_.unneeded(traits_[timeline_.label[next]].makes, index_)) return count;
    put(hiding_.data(), timeline_.slot[next]);
  }
}

template <unsigned Words>
typename Moment<Words>::Calls Moment<Words>::enter() {
  const Calls calls{index_ == 0 ? 0 : timeline_.called[index_ - 1], timeline_.called[index_]};
  for (std::uint32_t op = calls.first; op < calls.last; ++op) start(op);
  for (; called_groups_ < timeline_.groups.size(); ++called_groups_) {
    const Timeline::Group& group = timeline_.groups[called_groups_];
    if (timeline_.element_call[group.begin] > index_) break;
    open_groups_.push_back(called_groups_);
    curious_groups_ += traits_[group.label].overwrites ? 0 : 1;
  }
  find_candidates();
  return calls;
}

template <unsigned Words>
void Moment<Words>::leave() {
  stop(returning());
  ++index_;
}

template <unsigned Words>
void Moment<Words>::undo_enter() {
  const std::uint32_t first = index_ == 0 ? 0 : timeline_.called[index_ - 1];
  for (std::uint32_t op = timeline_.called[index_]; op-- > first;) stop(op);
  while (called_groups_ > 0) {
    const Timeline::Group& group = timeline_.groups[called_groups_ - 1];
    if (timeline_.element_call[group.begin] < index_) break;
    open_groups_.pop_back();
    curious_groups_ -= traits_[group.label].overwrites ? 0 : 1;
    --called_groups_;
  }
}

template <unsigned Words>
void Moment<Words>::undo_leave() {
  --index_;
  start(returning());
  find_candidates();
}

template <unsigned Words>
void Moment<Words>::find_candidates() {
  for (std::size_t w = 0; w < words(); ++w) candidates_[w] = running_[w] & ~read_only_[w];
  if (!has_touches_) return;
  parts_ = traits_[timeline_.label[returning()]].touches;
  for (std::uint64_t before = 0; before != parts_;) {
    before = parts_;
    for_each_bit(
        words(), [&](std::size_t w) { return running_[w]; },
        [&](std::uint32_t slot) {
          const std::uint32_t op = in_slot_[slot];
          join(traits_[timeline_.label[op]].touches, timeline_.predecessor_of(op));
        });
    for (const std::uint32_t group : open_groups_) {
      join(traits_[timeline_.groups[group].label].touches, timeline_.groups[group].predecessor);
    }
  }
  for_each_bit(
      words(), [&](std::size_t w) { return candidates_[w]; },
      [&](std::uint32_t slot) {
        if ((traits_[timeline_.label[in_slot_[slot]]].touches & parts_) == 0) drop(candidates_.data(), slot);
      });
}

template <unsigned Words>
template <typename Taken>
void Moment<Words>::normalise(StateId state, std::uint64_t* mask, const Taken& taken) {
  bool again = true;
  while (again) {
    again = false;
    for_each_bit(
        words(), [&](std::size_t w) { return read_only_[w] & ~mask[w]; },
        [&](std::uint32_t slot) {
          if (!matches(in_slot_[slot], state, mask)) return;
          put(mask, slot);
          taken(in_slot_[slot]);
          again = has_predecessors();
        });
  }
}

template <unsigned Words>
bool Moment<Words>::hopeless(StateId from, StateId state, const std::uint64_t* mask, std::uint32_t used) {
  for (std::size_t w = 0; w < words(); ++w) {
    for (std::uint64_t bits = bounded_[w] & ~mask[w]; bits != 0; bits &= bits - 1) {
      if (hopeless_call(in_slot_[w * 64 + static_cast<unsigned>(std::countr_zero(bits))], state)) return true;
    }
  }
  if (!has_tokens_) return false;
  const Token token = machine_.token(from);
  return token != machine_.token(state) && token_lost(token, mask, used);
}

template <unsigned Words>
bool Moment<Words>::token_lost(Token token, const std::uint64_t* mask, std::uint32_t used) {
  const TokenIndex::Use& use = tokens_.use(token);
  if (use.last_need_return <= index_ || use.last_make_call > index_ + 1) return false;
  std::uint32_t needed_by = use.last_need_call > index_ + 1 ? use.last_need : kNone;
  for (std::size_t w = 0; w < words(); ++w) {
    for (std::uint64_t bits = running_[w] & ~mask[w]; bits != 0; bits &= bits - 1) {
      const std::uint32_t op = in_slot_[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
      const LabelTraits& traits = traits_[timeline_.label[op]];
      if (traits.makes == token) return false;
      if (traits.needs == token) needed_by = op;
    }
  }
  if (needed_by == kNone) return false;
  for (const std::uint32_t group : tokens_.makers(token)) {
    const Timeline::Group& elements = timeline_.groups[group];
    if (sets_.first_missing(used, elements.begin, elements.end) != elements.end) return false;
  }
  blamed_ = needed_by;
  return true;
}

template <unsigned Words>
std::uint32_t Moment<Words>::available(std::uint32_t group, std::uint32_t used, const std::uint64_t* mask) const {
  const Timeline::Group& elements = timeline_.groups[group];
  const std::uint32_t element = sets_.first_missing(used, elements.begin, elements.end);
  if (element == elements.end || timeline_.element_call[element] > index_) return kNone;
  return unlocked(elements.predecessor, mask) ? element : kNone;
}

template <unsigned Words>
template <typename Use>
bool Moment<Words>::for_each_group(const std::uint64_t* mask, std::uint32_t used, const Use& use) {
  if (open_groups_.empty()) return true;
  const auto offer = [&](std::uint32_t group) {
    if ((traits_[timeline_.groups[group].label].touches & parts_) == 0) return true;
    const std::uint32_t element = available(group, used, mask);
    return element == kNone || use(group, element);
  };
  bool any_curious = !has_tokens_ || curious_groups_ != 0;
  for (std::size_t w = 0; w < words(); ++w) any_curious |= (curious_[w] & ~mask[w]) != 0;
  if (any_curious) {
    for (const std::uint32_t group : open_groups_) {
      if (!offer(group)) return false;
    }
    return true;
  }
  // Everyone who is left waits for a token: only what makes such a token will be noticed.
  for (std::size_t w = 0; w < words(); ++w) {
    for (std::uint64_t bits = running_[w] & ~mask[w]; bits != 0; bits &= bits - 1) {
      const std::uint32_t op = in_slot_[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
      const Token token = traits_[timeline_.label[op]].needs;
      if (token == kNoToken) continue;
      for (const std::uint32_t group : tokens_.makers(token)) {
        if (!offer(group)) return false;
      }
    }
  }
  return true;
}

template <unsigned Words>
template <typename Exhausted>
void Moment<Words>::close_groups(const Exhausted& exhausted) {
  std::erase_if(open_groups_, [&](std::uint32_t group) {
    const Timeline::Group& elements = timeline_.groups[group];
    if (timeline_.element_call[elements.end - 1] > index_ || !exhausted(elements)) return false;
    curious_groups_ -= traits_[elements.label].overwrites ? 0 : 1;
    return true;
  });
}

template <unsigned Words>
std::size_t Moment<Words>::memory() const {
  // What grows unasked counts twice: while it does, it is there twice.
  return timeline_.memory() + tokens_.memory() + 2 * (sets_.memory() + machine_.memory()) +
         (in_slot_.capacity() + twins_.capacity() + next_overwriting_.capacity() + open_groups_.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace porpentine::detail
