#include <porpentine/simulate/causal.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "random.h"

namespace porpentine {
namespace {

/// What stands at an offset.
struct Slot {
  enum class State : std::uint8_t { open, committed, hole } state = State::open;
  CausalWords stamp = {};
  std::uint32_t sender = 0;
  std::uint32_t echo = 0;                ///< how often it may still be answered
  std::vector<std::uint32_t> path = {};  ///< who sent what it answers, and what that answers, ...
  bool marker = false;
};

struct Channel {
  std::uint64_t start = 0;  ///< what is below was truncated
  std::vector<Slot> slots;  ///< by offset

  [[nodiscard]] std::uint64_t end() const { return slots.size(); }
  /// Nothing from the first record of an open step on can be read.
  [[nodiscard]] std::uint64_t readable_end() const {
    const auto open =
        std::find_if(slots.begin(), slots.end(), [](const Slot& slot) { return slot.state == Slot::State::open; });
    return static_cast<std::uint64_t>(open - slots.begin());
  }
};

struct Place {
  std::uint32_t channel;
  std::uint64_t offset;
};

struct Actor {
  std::unique_ptr<CausalProtocol> protocol;
  std::vector<Place> subscriptions;  ///< with their first positions
  std::optional<CausalWords> committed;
  bool down = false;
  bool lost_memory = false;                  ///< at the last crash
  std::vector<std::vector<bool>> delivered;  ///< by channel and offset, since the last loss of memory
  std::vector<Place> to_answer;              ///< delivered records that may be answered
};

class Simulation {
 public:
  Simulation(const CausalScenario& scenario, std::uint64_t seed, const CausalProtocolFactory& make)
      : scenario_(scenario), make_(make), random_(seed), channels_(scenario.channels) {
    for (std::uint32_t channel = 0; channel < scenario.channels; ++channel) {
      run_.trace.names.channels.push_back("t" + std::to_string(channel));
    }
  }

  CausalRun run() {
    for (std::uint32_t k = 0; k < scenario_.actors; ++k) join(0);
    for (std::uint32_t k = 0; k < scenario_.clients; ++k) add_actor("c");
    for (std::uint32_t moment = 0; moment < scenario_.moments; ++moment) act();
    drain();
    return std::move(run_);
  }

 private:
  CausalEvent& note(CausalEventType type, std::uint32_t actor = kNoIndex, std::uint32_t channel = kNoIndex,
                    std::uint64_t offset = 0) {
    std::vector<CausalEvent>& events = run_.trace.events;
    events.push_back({.type = type, .actor = actor, .channel = channel, .offset = offset, .line = events.size() + 2});
    return events.back();
  }

  std::uint32_t add_actor(const char* kind) {
    const auto index = static_cast<std::uint32_t>(actors_.size());
    actors_.emplace_back();
    run_.trace.names.actors.push_back(kind + std::to_string(index));
    actors_[index].protocol = make_(index);
    actors_[index].delivered.resize(channels_.size());
    return index;
  }

  /// `where`: 0 the start of what there is, 1 its end.
  void join(std::uint32_t where) {
    const std::uint32_t index = add_actor("n");
    Actor& actor = actors_[index];
    for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
      const bool wanted =
          random_.chance(scenario_.subscriptions) || (channel + 1 == channels_.size() && actor.subscriptions.empty());
      if (!wanted) continue;
      const std::uint64_t position = where == 0 ? channels_[channel].start : channels_[channel].end();
      actor.subscriptions.push_back({channel, position});
      actor.protocol->subscribe(channel, position);
      note(CausalEventType::subscribe, index, channel, position);
      if (channels_[channel].start > 0) run_.reached.joined_late = true;
    }
  }

  void act() {
    if (scenario_.late_joiners > 0 && random_.chance(scenario_.late_joiners)) join(random_.below(2));
    if (random_.chance(scenario_.truncations)) truncate();
    const std::uint32_t index = random_.below(static_cast<std::uint32_t>(actors_.size()));
    Actor& actor = actors_[index];
    if (actor.down) return restart(index);
    if (random_.chance(scenario_.crashes)) return crash(index, random_.chance(scenario_.memory_losses));
    const std::uint32_t dice = random_.below(100);
    if (dice < 35) return fetch(index);
    if (dice < 75) return step(index);
    if (actor.subscriptions.empty()) observe(index);
    send_alone(index);
  }

  void fetch(std::uint32_t index) {
    Actor& actor = actors_[index];
    if (actor.subscriptions.empty()) return;
    const auto k = random_.below(static_cast<std::uint32_t>(actor.subscriptions.size()));
    fetch(index, actor.subscriptions[k].channel, 1 + random_.below(4));
  }
  void fetch(std::uint32_t index, std::uint32_t channel, std::uint64_t most) {
    CausalProtocol& protocol = *actors_[index].protocol;
    const Channel& log = channels_[channel];
    const std::uint64_t begin = std::max(protocol.fetch_position(channel), log.start);
    const std::uint64_t end = std::max(begin, std::min(begin + most, log.readable_end()));
    std::vector<CausalRecord> records;
    for (std::uint64_t offset = begin; offset < end; ++offset) {
      if (log.slots[offset].state == Slot::State::hole) {
        run_.reached.crossed_hole = true;
      } else {
        records.push_back({channel, offset, log.slots[offset].stamp});
      }
    }
    protocol.fetched(channel, records, end);
    if (protocol.held() > 0 && !protocol.next()) run_.reached.held = true;
  }

  /// Delivers what is next, answers it or not, all or nothing.
  void step(std::uint32_t index) {
    Actor& actor = actors_[index];
    if (!actor.protocol->is_atomic()) return torn_step(index);
    std::vector<Place> sent;
    const std::vector<Place> to_answer = actor.to_answer;
    const std::optional<CausalRecord> first = actor.protocol->next();
    if (!first && actor.to_answer.empty()) return;
    note(CausalEventType::begin, index);
    std::vector<Place> delivered;
    for (std::uint32_t count = 1 + random_.below(2); count > 0; --count) {
      const std::optional<CausalRecord> record = actor.protocol->next();
      if (!record) break;
      deliver(index, *record);
      delivered.push_back({record->channel, record->offset});
    }
    answer(index, &sent);
    end_step(index, sent, delivered, to_answer);
  }

  void end_step(std::uint32_t index, const std::vector<Place>& sent, const std::vector<Place>& delivered,
                const std::vector<Place>& to_answer) {
    Actor& actor = actors_[index];
    const bool seen = std::any_of(sent.begin(), sent.end(), [&](const Place& place) { return is_consumed(place); });
    if (random_.chance(scenario_.crashes)) {
      settle(sent, false);
      take_back(actor, delivered, to_answer);
      return crash(index, random_.chance(scenario_.memory_losses));
    }
    if (seen && random_.chance(scenario_.unknown_commits)) {
      // Who does not know crashes, and goes on from what was committed.
      note(CausalEventType::commit, index).flag = true;
      const bool committed = random_.chance(50);
      (committed ? run_.reached.unknown_commit_seen : run_.reached.unknown_commit_lost) = true;
      if (committed) actor.committed = actor.protocol->save();
      if (!committed) take_back(actor, delivered, to_answer);
      settle(sent, committed);
      return crash(index, false);
    }
    if (random_.chance(scenario_.aborts)) {
      note(CausalEventType::abort, index);
      run_.reached.aborted = true;
      settle(sent, false);
      note_markers();
      take_back(actor, delivered, to_answer);
      start(index);
      return;
    }
    actor.committed = actor.protocol->save();
    note(CausalEventType::commit, index);
    settle(sent, true);
    note_markers();
  }

  static void take_back(Actor& actor, const std::vector<Place>& delivered, const std::vector<Place>& to_answer) {
    for (const Place& place : delivered) actor.delivered[place.channel][place.offset] = false;
    actor.to_answer = to_answer;
  }

  /// The same without a step: a crash may come in between.
  void torn_step(std::uint32_t index) {
    Actor& actor = actors_[index];
    if (const std::optional<CausalRecord> record = actor.protocol->next()) deliver(index, *record);
    if (random_.chance(scenario_.crashes)) return crash(index, false);
    answer(index, nullptr);
    if (random_.chance(scenario_.crashes)) return crash(index, false);
    actor.committed = actor.protocol->save();
  }

  void deliver(std::uint32_t index, const CausalRecord& record) {
    Actor& actor = actors_[index];
    note(CausalEventType::deliver, index, record.channel, record.offset);
    std::vector<bool>& delivered = actor.delivered[record.channel];
    if (delivered.size() <= record.offset) delivered.resize(record.offset + 1, false);
    delivered[record.offset] = true;
    const Slot& slot = channels_[record.channel].slots[record.offset];
    if (std::count(slot.path.begin(), slot.path.end(), index) > 0) run_.reached.went_round = true;
    if (slot.echo > 0) actor.to_answer.push_back({record.channel, record.offset});
    actor.protocol->delivered(record);
  }

  /// Sends up to so many records as a step may; nothing most of the time where there is nothing to answer.
  void answer(std::uint32_t index, std::vector<Place>* open) {
    Actor& actor = actors_[index];
    for (std::uint32_t k = 0; k < scenario_.sinks; ++k) {
      if (!actor.to_answer.empty()) {
        const Place answered = actor.to_answer.back();
        actor.to_answer.pop_back();
        const Slot& slot = channels_[answered.channel].slots[answered.offset];
        std::vector<std::uint32_t> path = slot.path;
        path.push_back(slot.sender);
        send(index, slot.echo - 1, std::move(path), open);
      } else if (random_.chance(40)) {
        send(index, scenario_.echo, {}, open);
      }
    }
  }

  void send_alone(std::uint32_t index) {
    send(index, scenario_.echo, {}, nullptr);
    Actor& actor = actors_[index];
    actor.committed = actor.protocol->save();
  }

  /// `open` collects the records of a step; without one it is committed at once.
  void send(std::uint32_t index, std::uint32_t echo, std::vector<std::uint32_t> path, std::vector<Place>* open) {
    Actor& actor = actors_[index];
    const std::uint32_t channel = random_.below(static_cast<std::uint32_t>(channels_.size()));
    Channel& log = channels_[channel];
    const std::uint64_t offset = log.end();
    log.slots.push_back({.state = open == nullptr ? Slot::State::committed : Slot::State::open,
                         .stamp = actor.protocol->stamp(),
                         .sender = index,
                         .echo = echo,
                         .path = std::move(path)});
    note(CausalEventType::send, index, channel, offset);
    actor.protocol->sent(channel, offset);
    if (open != nullptr) open->push_back({channel, offset});
  }

  /// A step's records become visible, or holes; a marker follows them on each channel.
  void settle(const std::vector<Place>& sent, bool committed) {
    for (const Place& place : sent) {
      Slot& slot = channels_[place.channel].slots[place.offset];
      slot.state = committed ? Slot::State::committed : Slot::State::hole;
    }
    for (const Place& place : sent) {
      Channel& log = channels_[place.channel];
      if (log.slots.back().marker) continue;
      markers_.push_back({place.channel, log.end()});
      log.slots.push_back({.state = Slot::State::hole, .marker = true});
    }
  }
  /// Once the step's end is in the trace.
  void note_markers() {
    for (const Place& place : markers_) note(CausalEventType::marker, kNoIndex, place.channel, place.offset);
    markers_.clear();
  }

  void observe(std::uint32_t index) {
    Actor& actor = actors_[index];
    const std::uint32_t channel = random_.below(static_cast<std::uint32_t>(channels_.size()));
    const Channel& log = channels_[channel];
    if (log.readable_end() <= log.start) return;
    const std::uint64_t offset = log.start + random_.below(static_cast<std::uint32_t>(log.readable_end() - log.start));
    if (log.slots[offset].state != Slot::State::committed) return;
    note(CausalEventType::observe, index, channel, offset);
    actor.protocol->observed({channel, offset, log.slots[offset].stamp});
    actor.committed = actor.protocol->save();
  }

  void crash(std::uint32_t index, bool loses_all) {
    Actor& actor = actors_[index];
    if (actor.protocol->held() > 0) run_.reached.crashed_while_held = true;
    note(CausalEventType::crash, index).flag = loses_all;
    note_markers();
    actor.down = true;
    actor.lost_memory = loses_all;
    if (!loses_all) return;
    run_.reached.lost_memory = true;
    actor.committed.reset();
    actor.to_answer.clear();
    for (std::vector<bool>& delivered : actor.delivered) delivered.clear();
  }

  /// A new protocol object, from what was committed.
  void start(std::uint32_t index) {
    Actor& actor = actors_[index];
    actor.protocol = make_(index);
    for (const Place& subscription : actor.subscriptions) {
      actor.protocol->subscribe(subscription.channel, subscription.offset);
    }
    if (actor.committed) actor.protocol->restore(*actor.committed);
  }

  void restart(std::uint32_t index) {
    Actor& actor = actors_[index];
    note(CausalEventType::restart, index);
    actor.down = false;
    start(index);
    if (actor.lost_memory) return;
    for (const Place& subscription : actor.subscriptions) {
      actor.protocol->restarted(subscription.channel, channels_[subscription.channel].end());
    }
  }

  /// No further than what every consumer has delivered, and could have to deliver again.
  void truncate() {
    const std::uint32_t channel = random_.below(static_cast<std::uint32_t>(channels_.size()));
    Channel& log = channels_[channel];
    std::uint64_t start = log.readable_end();
    for (const Actor& actor : actors_) {
      for (const Place& subscription : actor.subscriptions) {
        if (subscription.channel == channel) start = std::min(start, first_undelivered(actor, subscription));
      }
    }
    if (start <= log.start) return;
    log.start = start;
    run_.reached.truncated = true;
    note(CausalEventType::truncate, kNoIndex, channel, start);
  }

  [[nodiscard]] std::uint64_t first_undelivered(const Actor& actor, const Place& subscription) const {
    const std::vector<Slot>& slots = channels_[subscription.channel].slots;
    const std::vector<bool>& delivered = actor.delivered[subscription.channel];
    std::uint64_t offset = subscription.offset;
    while (offset < slots.size() &&
           (slots[offset].state == Slot::State::hole || (offset < delivered.size() && delivered[offset]))) {
      ++offset;
    }
    return offset;
  }

  [[nodiscard]] bool is_consumed(const Place& place) const {
    return std::any_of(actors_.begin(), actors_.end(), [&](const Actor& actor) {
      return std::any_of(actor.subscriptions.begin(), actor.subscriptions.end(), [&](const Place& subscription) {
        return subscription.channel == place.channel && subscription.offset <= place.offset;
      });
    });
  }

  void drain() {
    for (std::uint32_t index = 0; index < actors_.size(); ++index) {
      if (actors_[index].down) restart(index);
    }
    // As long as anything happens. Answers to answers end by themselves: each may be answered less often.
    bool drained = false;
    for (std::size_t before = 0; !drained && before != run_.trace.events.size();) {
      before = run_.trace.events.size();
      drained = true;
      for (std::uint32_t index = 0; index < actors_.size(); ++index) drained = drain(index) && drained;
    }
    note(CausalEventType::drain);
    note(CausalEventType::end).flag = drained;
  }

  /// Delivers what it can. Whether there was nothing more to deliver or answer.
  bool drain(std::uint32_t index) {
    Actor& actor = actors_[index];
    for (const Place& subscription : actor.subscriptions) {
      fetch(index, subscription.channel, channels_[subscription.channel].end() + 1);
    }
    while (const std::optional<CausalRecord> record = actor.protocol->next()) {
      deliver(index, *record);
      while (!actor.to_answer.empty()) answer_in_drain(index);
      actor.committed = actor.protocol->save();
    }
    while (!actor.to_answer.empty()) answer_in_drain(index);
    return std::all_of(actor.subscriptions.begin(), actor.subscriptions.end(), [&](const Place& subscription) {
      return first_undelivered(actor, subscription) == channels_[subscription.channel].end();
    });
  }
  void answer_in_drain(std::uint32_t index) {
    Actor& actor = actors_[index];
    const Place answered = actor.to_answer.back();
    actor.to_answer.pop_back();
    const Slot& slot = channels_[answered.channel].slots[answered.offset];
    std::vector<std::uint32_t> path = slot.path;
    path.push_back(slot.sender);
    send(index, slot.echo - 1, std::move(path), nullptr);
  }

  const CausalScenario& scenario_;
  const CausalProtocolFactory& make_;
  detail::SplitMix random_;
  std::vector<Channel> channels_;
  std::deque<Actor> actors_;
  std::vector<Place> markers_;
  CausalRun run_;
};

}  // namespace

const std::vector<CausalScenario>& causal_scenarios() {
  static const std::vector<CausalScenario> scenarios = {
      {.name = "plain"},
      {.name = "filters", .actors = 5, .channels = 4, .clients = 2, .subscriptions = 55},
      {.name = "aborted steps", .sinks = 2, .aborts = 30},
      {.name = "crashes", .sinks = 2, .aborts = 10, .crashes = 12},
      {.name = "lost memory", .crashes = 12, .memory_losses = 50},
      {.name = "unknown commits", .sinks = 2, .unknown_commits = 25, .crashes = 3},
      {.name = "retention",
       .actors = 2,
       .channels = 3,
       .moments = 250,
       .subscriptions = 50,
       .aborts = 10,
       .crashes = 3,
       .truncations = 50,
       .late_joiners = 2},
      {.name = "cycles", .actors = 3, .channels = 3, .moments = 80, .echo = 3, .aborts = 10, .crashes = 5},
      {.name = "everything",
       .actors = 5,
       .channels = 4,
       .clients = 1,
       .moments = 200,
       .subscriptions = 70,
       .sinks = 3,
       .echo = 1,
       .aborts = 10,
       .unknown_commits = 8,
       .crashes = 6,
       .truncations = 5,
       .late_joiners = 1}};
  return scenarios;
}

CausalRun simulate_causal(const CausalScenario& scenario, std::uint64_t seed, const CausalProtocolFactory& make) {
  return Simulation(scenario, seed, make).run();
}

}  // namespace porpentine
