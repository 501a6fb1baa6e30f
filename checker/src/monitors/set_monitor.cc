// One element of a set: added, removed, looked for; nothing need be distinct. O(n log k) for k operations at once.
//
// The state is one bit. Events are taken in order of time, and the bit is only ever changed when a return forces it: an
// operation returns that can only have happened while the bit was the other way round, and it never was since its call.
// The change is then made by the running operation with the earliest return that makes that change; if another than the
// one that had to be used is used in some order, the two can change places. Indeterminate operations have no return, so
// they are used last, and those that are not used never happened.
//
// An add whose result is not known, but that certainly happened, may change the bit or not. Where nothing is ever
// removed the bit changes once, and then this is no question; elsewhere it is the search's.

#include <algorithm>
#include <array>
#include <queue>

#include <porpentine/history/nearly_sorted.h>
#include "monitor.h"

namespace porpentine::detail {
namespace {

class SetMonitor {
 public:
  SetMonitor(const Trace& trace, Pulse& pulse) : trace_(trace), pulse_(pulse) {}

  Ruling rule() {
    if (!read_all()) return {};
    sort_nearly_sorted(returns_, [&](const Returning& a, const Returning& b) { return a.time < b.time; });
    std::size_t next = 0;
    for (const Returning& returning : returns_) {
      if (!pulse_.beat()) return Ruling::stopped();
      for (; next < running_.size() && running_[next].call <= returning.time; ++next) call(next);
      if (!finish(returning.index)) return refusal(running_[returning.index]);
    }
    return Ruling::yes();
  }

 private:
  /// What an operation does to the bit.
  enum class Effect : std::uint8_t {
    sees,          // nothing: it saw the bit as `bit`
    makes,         // makes it `bit`, from the other way round
    makes_or_sees  // either
  };
  struct Running {
    std::uint32_t operation;
    std::int64_t call;
    std::int64_t end;  // kAfterAll where it is indeterminate
    Effect effect;
    bool bit;
    bool indeterminate;
    bool used = false;
    std::uint64_t called_at = 0;  // changes of the bit before its call
    bool seen_at_call = false;
  };
  struct Returning {
    std::int64_t time;
    std::uint32_t index;
  };
  struct Later {
    const LargeVector<Running>* running;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return (*running)[a].end > (*running)[b].end; }
  };
  using Candidates = std::priority_queue<std::uint32_t, LargeVector<std::uint32_t>, Later>;

  bool read_all() {
    bool unclear = false;
    bool removed = false;
    for (const BoundOperation& bound : trace_.operations) {
      const std::uint32_t i = bound.operation;
      const std::uint8_t word = trace_.word(i);
      const ValueId output = trace_.history.output[i];
      if (trace_.history.input[i] != trace_.history.input[trace_.operations.front().operation]) return false;
      const bool adds = word == static_cast<std::uint8_t>(SetWord::add);
      const bool removes = word == static_cast<std::uint8_t>(SetWord::remove);
      const bool looks = word == static_cast<std::uint8_t>(SetWord::contains);
      if (!adds && !removes && !looks) return false;
      if (looks && bound.indeterminate) continue;
      removed = removed || (removes && (bound.indeterminate || output != kFalse));
      Running running{i, trace_.call[i], trace_.return_of(bound), Effect::makes, adds, bound.indeterminate};
      if (looks) {
        running.effect = Effect::sees;
        running.bit = output == kTrue;
      } else if (!bound.indeterminate && output == kFalse) {
        running.effect = Effect::sees;
      } else if (!bound.indeterminate && output != kTrue) {
        running.effect = Effect::makes_or_sees;
        unclear = true;
      }
      if (!bound.indeterminate) returns_.push_back({running.end, static_cast<std::uint32_t>(running_.size())});
      running_.push_back(running);
    }
    return !(unclear && removed);
  }

  void call(std::size_t index) {
    Running& running = running_[index];
    running.called_at = changes_;
    running.seen_at_call = running.bit == bit_;
    if (running.effect == Effect::sees) return;
    if (running.indeterminate) {
      ++in_doubt_[running.bit ? 1 : 0];
    } else {
      (running.effect == Effect::makes ? certain_ : unclear_)[running.bit ? 1 : 0].push(
          static_cast<std::uint32_t>(index));
    }
  }

  /// Whether the operation can have happened by its return.
  bool finish(std::uint32_t index) {
    Running& running = running_[index];
    if (running.used) return true;
    if (running.effect == Effect::makes) {
      if (bit_ == running.bit && !change(!running.bit)) return false;
      running.used = true;
      flip();
      return true;
    }
    // The bit was the other way round at the call, so any change since then made it so.
    const bool seen = running.seen_at_call || changes_ > running.called_at;
    running.used = true;
    if (seen) return true;
    if (change(running.bit)) return true;
    if (running.effect == Effect::sees) return false;
    flip();
    return true;
  }

  /// Makes the bit what it is to be by a running operation.
  bool change(bool to) {
    const std::size_t side = to ? 1 : 0;
    for (Candidates* const candidates : {&certain_[side], &unclear_[side]}) {
      while (!candidates->empty()) {
        Running& best = running_[candidates->top()];
        candidates->pop();
        if (best.used) continue;
        best.used = true;
        flip();
        return true;
      }
    }
    if (in_doubt_[side] == 0) return false;
    --in_doubt_[side];
    flip();
    return true;
  }

  void flip() {
    bit_ = !bit_;
    ++changes_;
  }

  [[nodiscard]] Ruling refusal(const Running& running) const {
    const bool wanted = running.effect == Effect::makes ? !running.bit : running.bit;
    const std::string value = trace_.history.values.to_json(trace_.history.input[running.operation]);
    return Ruling::no({},
                      value + (wanted ? " was not in, and no running operation can have added it"
                                      : " was in, and no running operation can have removed it"),
                      running.operation);
  }

  const Trace& trace_;
  Pulse& pulse_;
  LargeVector<Running> running_;    // all operations, in order of call
  LargeVector<Returning> returns_;  // in order of return

  bool bit_ = false;
  std::uint64_t changes_ = 0;
  // By the bit that they make.
  std::array<Candidates, 2> certain_{Candidates(Later{&running_}), Candidates(Later{&running_})};
  std::array<Candidates, 2> unclear_{Candidates(Later{&running_}), Candidates(Later{&running_})};
  std::array<std::uint64_t, 2> in_doubt_{};
};

}  // namespace

Ruling rule_set(const Trace& trace, Pulse& pulse) { return SetMonitor(trace, pulse).rule(); }

}  // namespace porpentine::detail
