// Random causal traces that could have happened, most of them wrong.
#pragma once

#include <porpentine/history/causal_trace.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "random.h"

namespace porpentine::differential {

class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed) {
    const auto actors = static_cast<std::size_t>(random_.between(2, 5));
    const auto channels = static_cast<std::size_t>(random_.between(1, 4));
    for (std::size_t k = 0; k < actors; ++k) trace_.names.actors.push_back("n" + std::to_string(k));
    for (std::size_t k = 0; k < channels; ++k) trace_.names.channels.push_back("c" + std::to_string(k));
    actors_.resize(actors);
    channels_.resize(channels);
    if (random_.chance(15)) {
      be_right(random_.between(20, 150));
      return;
    }
    careful_ = random_.chance(40);
    steps_ = random_.chance(60);
    crashes_ = random_.chance(50);
    const int length = random_.between(20, 150);
    for (std::uint32_t actor = 0; actor < actors; ++actor) {
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        if (random_.chance(70)) subscribe(actor, channel, random_.chance(80) ? 0 : offset_near(channel));
      }
    }
    while (trace_.events.size() < static_cast<std::size_t>(length)) step();
    finish();
  }

  CausalTrace take() { return std::move(trace_); }

 private:
  struct Actor {
    bool down = false;
    bool in_step = false;
    std::vector<std::pair<std::uint32_t, std::size_t>> sent = {};  // channel, index there
    std::map<std::uint32_t, std::size_t> next = {};                // by channel, an index into its slots
    std::map<std::uint32_t, std::size_t> next_at_begin = {};
  };
  enum class Slot : std::uint8_t { record, aborted, unknown, marker };
  struct Channel {
    std::vector<std::pair<std::uint64_t, Slot>> slots = {};  // by offset
  };

  /// A trace with nothing wrong: who delivers does so in the order in which all was sent.
  void be_right(int length) {
    struct Sent {
      std::uint32_t actor;
      std::uint32_t channel;
      std::uint64_t offset;
      bool aborted = false;
    };
    std::vector<Sent> sent;
    std::vector<std::size_t> next(actors_.size(), 0);
    std::vector<std::size_t> next_at_begin = next;
    std::vector<std::size_t> begun(actors_.size(), 0);  // records that were sent by then
    std::vector<std::uint64_t> ends(channels_.size(), 0);
    std::vector<std::vector<bool>> consumed(actors_.size(), std::vector<bool>(channels_.size()));
    for (std::uint32_t actor = 0; actor < actors_.size(); ++actor) {
      for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
        consumed[actor][channel] = random_.chance(60);
        if (consumed[actor][channel]) add(CausalEventType::subscribe, actor, channel, 0);
      }
    }
    const auto is_open = [&](std::size_t k) { return actors_[sent[k].actor].in_step && k >= begun[sent[k].actor]; };
    const auto deliver_next = [&](std::uint32_t actor) {
      std::size_t& at = next[actor];
      while (at < sent.size() && (sent[at].aborted || !consumed[actor][sent[at].channel])) ++at;
      if (at == sent.size() || is_open(at)) return false;
      add(CausalEventType::deliver, actor, sent[at].channel, sent[at].offset);
      ++at;
      return true;
    };
    const auto end_step = [&](std::uint32_t actor, bool committed) {
      for (std::size_t k = begun[actor]; !committed && k < sent.size(); ++k) sent[k].aborted |= sent[k].actor == actor;
      if (!committed) next[actor] = next_at_begin[actor];
      actors_[actor].in_step = false;
    };
    const auto come_up = [&](std::uint32_t actor) {
      if (actors_[actor].down) add(CausalEventType::restart, actor);
      actors_[actor].down = false;
    };
    while (length-- > 0) {
      const std::uint32_t actor = any_actor();
      Actor& state = actors_[actor];
      come_up(actor);
      const int dice = random_.below(100);
      if (dice < 35) {
        const std::uint32_t channel = any_channel();
        add(CausalEventType::send, actor, channel, ends[channel]);
        sent.push_back({actor, channel, ends[channel]++});
      } else if (dice < 80) {
        deliver_next(actor);
      } else if (dice < 95 && !state.in_step) {
        add(CausalEventType::begin, actor);
        state.in_step = true;
        begun[actor] = sent.size();
        next_at_begin[actor] = next[actor];
      } else if (dice < 95) {
        const bool commits = random_.chance(60);
        add(commits ? CausalEventType::commit : CausalEventType::abort, actor);
        end_step(actor, commits);
      } else {
        const bool all = random_.chance(30);
        add(CausalEventType::crash, actor).flag = all;
        if (state.in_step) end_step(actor, false);
        if (all) next[actor] = 0;
        state.down = true;
      }
    }
    for (std::uint32_t actor = 0; actor < actors_.size(); ++actor) {
      come_up(actor);
      if (!actors_[actor].in_step) continue;
      add(CausalEventType::commit, actor);
      end_step(actor, true);
    }
    for (std::uint32_t actor = 0; actor < actors_.size(); ++actor) {
      while (deliver_next(actor)) {
      }
    }
    add(CausalEventType::drain);
    add(CausalEventType::end).flag = true;
  }

  CausalEvent& add(CausalEventType type, std::uint32_t actor = kNoIndex, std::uint32_t channel = kNoIndex,
                   std::uint64_t offset = 0) {
    if (type == CausalEventType::deliver || type == CausalEventType::observe) settle(channel, offset, Slot::record);
    if (type == CausalEventType::marker) settle(channel, offset, Slot::aborted);
    trace_.events.push_back(
        {.type = type, .actor = actor, .channel = channel, .offset = offset, .line = trace_.events.size() + 2});
    return trace_.events.back();
  }
  /// The first event that says something of a record of unknown outcome decides.
  void settle(std::uint32_t channel, std::uint64_t offset, Slot outcome) {
    for (auto& [at, slot] : channels_[channel].slots) {
      if (at == offset && slot == Slot::unknown) slot = outcome;
    }
  }
  std::uint32_t any_actor() { return static_cast<std::uint32_t>(random_.below(static_cast<int>(actors_.size()))); }
  std::uint32_t any_channel() { return static_cast<std::uint32_t>(random_.below(static_cast<int>(channels_.size()))); }
  std::uint64_t end_of(std::uint32_t channel) const {
    return channels_[channel].slots.empty() ? 0 : channels_[channel].slots.back().first + 1;
  }
  std::uint64_t offset_near(std::uint32_t channel) {
    const int end = static_cast<int>(end_of(channel));
    return static_cast<std::uint64_t>(std::max(0, random_.between(end - 4, end + 2)));
  }

  void step() {
    const std::uint32_t actor = any_actor();
    if (actors_[actor].down) {
      if (random_.chance(60)) {
        add(CausalEventType::restart, actor);
        actors_[actor].down = false;
      }
      return;
    }
    const int dice = random_.below(100);
    if (dice < 25) return send(actor);
    if (dice < 65) return deliver(actor);
    if (dice < 70) return see(actor);
    if (dice < 82) return steps_ ? bound(actor) : send(actor);
    if (dice < 86) return crashes_ ? crash(actor) : deliver(actor);
    if (dice < 88) return subscribe(actor, any_channel(), random_.chance(50) ? 0 : offset_near(any_channel()));
    if (dice < 90) return unsubscribe(actor);
    if (dice < 93) return mark();
    if (dice < 95) return truncate();
    if (dice < 97) return drain();
    if (dice < 98) add(CausalEventType::note);
  }

  void subscribe(std::uint32_t actor, std::uint32_t channel, std::uint64_t position) {
    add(CausalEventType::subscribe, actor, channel, position);
    const auto& slots = channels_[channel].slots;
    const auto first = std::lower_bound(slots.begin(), slots.end(), position,
                                        [](const auto& slot, std::uint64_t bound) { return slot.first < bound; });
    actors_[actor].next[channel] = static_cast<std::size_t>(first - slots.begin());
  }
  void unsubscribe(std::uint32_t actor) { add(CausalEventType::unsubscribe, actor, any_channel()); }

  void send(std::uint32_t actor) {
    const std::uint32_t channel = any_channel();
    auto& slots = channels_[channel].slots;
    std::uint64_t offset = end_of(channel) + static_cast<std::uint64_t>(random_.chance(85) ? 0 : random_.between(1, 3));
    auto place = slots.end();
    if (random_.chance(10)) {  // into a gap
      const std::uint64_t wanted = offset_near(channel);
      place = std::lower_bound(slots.begin(), slots.end(), wanted,
                               [](const auto& slot, std::uint64_t bound) { return slot.first < bound; });
      if (place != slots.end() && place->first == wanted) return;
      offset = wanted;
    }
    const auto index = static_cast<std::size_t>(place - slots.begin());
    slots.insert(place, {offset, Slot::record});
    for (Actor& other : actors_) {
      for (auto& [sent_to, at] : other.sent) at += sent_to == channel && at >= index ? 1 : 0;
      for (auto* next : {&other.next, &other.next_at_begin}) {
        const auto found = next->find(channel);
        if (found != next->end() && found->second > index) ++found->second;
      }
    }
    if (actors_[actor].in_step) actors_[actor].sent.emplace_back(channel, index);
    add(CausalEventType::send, actor, channel, offset);
  }

  void deliver(std::uint32_t actor) {
    const std::uint32_t channel = any_channel();
    const auto& slots = channels_[channel].slots;
    std::size_t& next = actors_[actor].next[channel];
    while (next < slots.size() && (slots[next].second == Slot::aborted || slots[next].second == Slot::marker)) ++next;
    const int mistakes = careful_ ? 1 : 12;
    if (random_.chance(mistakes)) {
      add(CausalEventType::deliver, actor, channel, offset_near(channel));
    } else if (next < slots.size()) {
      if (random_.chance(mistakes) && next + 1 < slots.size() && slots[next + 1].second == Slot::record) ++next;
      add(CausalEventType::deliver, actor, channel, slots[next].first);
      if (!random_.chance(mistakes / 3)) ++next;
    }
  }

  void see(std::uint32_t actor) {
    const std::uint32_t channel = any_channel();
    add(CausalEventType::observe, actor, channel, offset_near(channel));
  }

  void settle(Actor& actor, Slot slot) {
    for (const auto& [channel, index] : actor.sent) channels_[channel].slots[index].second = slot;
    if (slot != Slot::record) actor.next = actor.next_at_begin;
    actor.sent.clear();
    actor.in_step = false;
  }
  void bound(std::uint32_t index) {
    Actor& actor = actors_[index];
    if (!actor.in_step) {
      add(CausalEventType::begin, index);
      actor.in_step = true;
      actor.next_at_begin = actor.next;
    } else if (random_.chance(55)) {
      add(CausalEventType::commit, index);
      settle(actor, Slot::record);
    } else if (random_.chance(50)) {
      add(CausalEventType::commit, index).flag = true;
      const bool goes_back = random_.chance(50);
      const auto next = actor.next;
      settle(actor, Slot::unknown);
      if (!goes_back) actor.next = next;
    } else {
      add(CausalEventType::abort, index);
      settle(actor, Slot::aborted);
    }
  }

  void crash(std::uint32_t index) {
    Actor& actor = actors_[index];
    CausalEvent& event = add(CausalEventType::crash, index);
    event.flag = random_.chance(35);
    const bool in_step = actor.in_step;
    if (in_step) settle(actor, Slot::aborted);
    if (event.flag && random_.chance(80)) {
      for (auto& [channel, next] : actor.next) next = 0;
    }
    actor.down = true;
  }

  void mark() {
    const std::uint32_t channel = any_channel();
    auto& slots = channels_[channel].slots;
    const std::uint64_t wanted = offset_near(channel);
    const auto place = std::lower_bound(slots.begin(), slots.end(), wanted,
                                        [](const auto& slot, std::uint64_t bound) { return slot.first < bound; });
    if (place != slots.end() && place->first == wanted) {
      if (place->second != Slot::record) add(CausalEventType::marker, kNoIndex, channel, wanted);
    } else if (place == slots.end()) {
      slots.insert(place, {wanted, Slot::marker});
      add(CausalEventType::marker, kNoIndex, channel, wanted);
    }
  }

  void truncate() {
    const std::uint32_t channel = any_channel();
    add(CausalEventType::truncate, kNoIndex, channel, offset_near(channel));
  }

  void drain() {
    CausalEvent& event = add(CausalEventType::drain);
    if (random_.chance(60)) return;
    std::vector<std::uint32_t> listed;
    for (int k = random_.below(4); k > 0; --k) listed.push_back(any_actor());
    event.detail = static_cast<std::uint32_t>(trace_.names.lists.size());
    trace_.names.lists.push_back(std::move(listed));
  }

  void finish() {
    for (std::uint32_t actor = 0; actor < actors_.size() && random_.chance(80); ++actor) {
      if (actors_[actor].down) add(CausalEventType::restart, actor);
      if (actors_[actor].in_step) {
        add(CausalEventType::commit, actor);
        settle(actors_[actor], Slot::record);
      }
      actors_[actor].down = false;
    }
    for (std::uint32_t actor = 0; careful_ && actor < actors_.size(); ++actor) {
      for (int k = 0; k < 60 && !actors_[actor].down; ++k) deliver(actor);
    }
    if (random_.chance(70)) drain();
    if (random_.chance(70)) add(CausalEventType::end).flag = random_.chance(80);
  }

  Random random_;
  CausalTrace trace_;
  std::vector<Actor> actors_;
  std::vector<Channel> channels_;
  bool careful_ = false;
  bool steps_ = false;
  bool crashes_ = false;
};

}  // namespace porpentine::differential
