// Actors that deliver what others sent, by bits: two channels of three offsets.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct CausalObject {
  enum class F : std::uint8_t {
    subscribe,
    unsubscribe,
    begin,
    commit,
    abort,
    send,
    deliver,
    observe,
    marker,
    crash,
    restart,
    truncate,
    drain
  };
  struct Op {
    F f = F::drain;
    int channel = 0;
    int offset = 0;  ///< subscribe: the position; truncate: the log's start
    bool all = false;
  };
  static constexpr int kOffsets = 3;
  static constexpr int kPlaces = 2 * kOffsets;
  using Places = unsigned;  ///< bits

  struct View {
    int baseline = -1;  ///< -1: none
    int last = -1;
    int position = 0;
    bool consumed = false;
    auto operator<=>(const View&) const = default;
  };
  struct Memory {
    Places known = 0;
    Places delivered = 0;
    std::array<View, 2> views = {};
    auto operator<=>(const Memory&) const = default;
  };
  struct Actor {
    Memory now;
    Memory before;
    bool in_step = false;
    Places sent = 0;
    bool down = false;
    auto operator<=>(const Actor&) const = default;
  };
  enum class Holds : std::uint8_t { nothing, marker, open, committed, aborted };
  struct Slot {
    Holds holds = Holds::nothing;
    bool delivered = false;
    Places ancestors = 0;
    auto operator<=>(const Slot&) const = default;
  };
  struct State {
    std::map<int, Actor> actors;
    std::array<Slot, kPlaces> slots = {};
    auto operator<=>(const State&) const = default;
  };

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int process, bool known) const {
    std::vector<State> after;
    const auto attempt = [&](const Op& tried) {
      State copy = state;
      if (happens(copy, tried, process)) after.push_back(copy);
    };
    if (known || (op.f != F::send && op.f != F::commit)) {
      attempt(op);
    } else if (op.f == F::send) {
      for (int offset = 0; offset < kOffsets; ++offset) attempt({F::send, op.channel, offset});
    } else {
      attempt(op);
      attempt({F::abort});
    }
    return after;
  }

  [[nodiscard]] Encoded encode(const Op& op, bool known, const Names& names) const {
    static const char* const words[] = {"subscribe", "unsubscribe", "begin", "commit",  "abort",    "send", "deliver",
                                        "observe",   "marker",      "crash", "restart", "truncate", "drain"};
    ValueTable& table = names.table();
    Encoded encoded{words[static_cast<std::size_t>(op.f)]};
    const ValueId channel = names.key(op.channel + 1);
    const ValueId offset = table.integer(op.offset);
    if (op.f == F::send || op.f == F::unsubscribe) encoded.input = channel;
    if (op.f == F::send && known) encoded.output = offset;
    if (has_place(op.f)) encoded.input = names.array({channel, offset});
    if (op.f == F::crash) encoded.input = table.string(op.all ? "all" : "staged");
    return encoded;
  }

  [[nodiscard]] Op invocation(Random& random) const {
    static const std::vector<F> words = {
        F::subscribe, F::subscribe, F::subscribe, F::send,    F::send,       F::send,    F::send,     F::send,
        F::deliver,   F::deliver,   F::deliver,   F::deliver, F::deliver,    F::deliver, F::begin,    F::begin,
        F::commit,    F::commit,    F::abort,     F::observe, F::observe,    F::marker,  F::truncate, F::drain,
        F::drain,     F::crash,     F::restart,   F::restart, F::unsubscribe};
    Op op{random.pick(words), random.below(2), random.below(kOffsets), random.chance(50)};
    if (op.f == F::subscribe && random.chance(60)) op.offset = 0;
    return op;
  }

  /// What can't happen is something else.
  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random& random) const {
    for (int tries = 0; tries < 12; ++tries) {
      State after = state;
      if (happens(after, op, process)) return after;
      op = tries < 6 && has_place(op.f) ? Op{op.f, random.below(2), random.below(kOffsets)} : invocation(random);
    }
    return std::nullopt;
  }

  void corrupt(Op& op, Random& random) const {
    op.offset = random.below(kOffsets);
    if (random.chance(20)) op.channel = 1 - op.channel;
    if (random.chance(20)) op = invocation(random);
  }

 private:
  static bool has_place(F f) {
    return f == F::subscribe || f == F::deliver || f == F::observe || f == F::marker || f == F::truncate;
  }
  static Places bit(int place) { return 1U << static_cast<unsigned>(place); }

  static bool misses(const Memory& memory, int place) {
    const View& view = memory.views[static_cast<std::size_t>(place / kOffsets)];
    return view.consumed && view.baseline >= 0 && place % kOffsets >= view.baseline &&
           (memory.delivered & bit(place)) == 0;
  }
  static bool is_record(const Slot& slot) { return slot.holds != Holds::nothing && slot.holds != Holds::marker; }

  static bool undo(State& state, Actor& actor) {
    for (int p = 0; p < kPlaces; ++p) {
      Slot& slot = state.slots[static_cast<std::size_t>(p)];
      if ((actor.sent & bit(p)) == 0) continue;
      if (slot.delivered) return false;
      slot.holds = Holds::aborted;
    }
    actor.now = actor.before;
    close(actor);
    return true;
  }
  static void close(Actor& actor) {
    actor.in_step = false;
    actor.before = {};
    actor.sent = 0;
  }

  static bool happens(State& state, const Op& op, int process) {
    const int place = op.channel * kOffsets + op.offset;
    Slot& slot = state.slots[static_cast<std::size_t>(place < kPlaces ? place : 0)];
    if (op.f == F::marker) {
      if (slot.holds == Holds::open || slot.holds == Holds::committed) return false;
      if (slot.holds == Holds::nothing) slot.holds = Holds::marker;
      return true;
    }
    if (op.f == F::truncate) return is_safe(state, op.channel, op.offset);
    if (op.f == F::drain) return is_drained(state);
    Actor& actor = state.actors[process];
    if (actor.down != (op.f == F::restart)) return false;
    Memory& now = actor.now;
    View& view = now.views[static_cast<std::size_t>(op.channel)];
    switch (op.f) {
      case F::subscribe:
        if (view.baseline < 0) view.baseline = op.offset;
        view.position = op.offset;
        view.consumed = true;
        return true;
      case F::unsubscribe:
        view.consumed = false;
        return true;
      case F::begin:
        if (actor.in_step) return false;
        actor.before = now;
        actor.in_step = true;
        return true;
      case F::commit:
        if (!actor.in_step) return false;
        for (int p = 0; p < kPlaces; ++p) {
          if ((actor.sent & bit(p)) != 0) state.slots[static_cast<std::size_t>(p)].holds = Holds::committed;
        }
        close(actor);
        return true;
      case F::abort:
        return actor.in_step && undo(state, actor);
      case F::send:
        if (slot.holds != Holds::nothing) return false;
        slot = {actor.in_step ? Holds::open : Holds::committed, false, now.known};
        now.known |= bit(place);
        if (actor.in_step) actor.sent |= bit(place);
        return true;
      case F::deliver:
        if (!is_record(slot) || slot.holds == Holds::aborted || view.last >= op.offset) return false;
        for (int p = 0; p < kPlaces; ++p) {
          const bool precedes = (slot.ancestors & bit(p)) != 0;
          const bool hole = state.slots[static_cast<std::size_t>(p)].holds == Holds::aborted;
          if (precedes && !hole && misses(now, p)) return false;
        }
        slot.delivered = true;
        now.delivered |= bit(place);
        now.known |= bit(place) | slot.ancestors;
        view.last = op.offset;
        view.position = op.offset + 1;
        return true;
      case F::observe:
        if (!is_record(slot)) return false;
        now.known |= bit(place) | slot.ancestors;
        return true;
      case F::crash:
        if (actor.in_step && !undo(state, actor)) return false;
        actor.down = true;
        if (!op.all) return true;
        now.known = now.delivered = 0;
        for (View& each : now.views) {
          each.last = -1;
          each.position = each.baseline < 0 ? 0 : each.baseline;
        }
        return true;
      default:
        actor.down = false;
        return true;
    }
  }

  static bool is_safe(const State& state, int channel, int log_start) {
    for (const auto& [process, actor] : state.actors) {
      const View& view = actor.now.views[static_cast<std::size_t>(channel)];
      if (actor.down || !view.consumed) continue;
      for (int offset = view.position; offset < log_start; ++offset) {
        const int place = channel * kOffsets + offset;
        const Slot& slot = state.slots[static_cast<std::size_t>(place)];
        const bool stands = slot.holds == Holds::open || slot.holds == Holds::committed;
        if (stands && (actor.now.delivered & bit(place)) == 0) return false;
      }
    }
    return true;
  }
  static bool is_drained(const State& state) {
    for (const auto& [process, actor] : state.actors) {
      for (int place = 0; place < kPlaces; ++place) {
        const bool stands = state.slots[static_cast<std::size_t>(place)].holds == Holds::committed;
        if (stands && misses(actor.now, place)) return false;
      }
    }
    return true;
  }
};

}  // namespace porpentine::differential
