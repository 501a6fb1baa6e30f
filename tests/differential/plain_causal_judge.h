// Causal delivery by plain sets, as the definition reads: what the judge is compared with. Shares no code with it.
#pragma once

#include <porpentine/checker/causal.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace porpentine::differential {

using Place = std::pair<std::uint32_t, std::uint64_t>;  // channel, offset

/// Without `because`, in order of lines, kinds, actors and places.
class PlainCausalJudge {
 public:
  explicit PlainCausalJudge(const CausalTrace& trace) : trace_(trace) {
    find_fates();
    for (std::size_t k = 0; k < trace.events.size(); ++k) judge(k);
    std::stable_sort(found_.begin(), found_.end(), [](const CausalViolation& a, const CausalViolation& b) {
      return std::tuple(a.line, a.kind, a.actor, a.channel, a.offset) <
             std::tuple(b.line, b.kind, b.actor, b.channel, b.offset);
    });
  }
  [[nodiscard]] const std::vector<CausalViolation>& violations() const { return found_; }

 private:
  using Set = std::set<Place>;

  struct ActorState {
    Set known;
    Set delivered;
    std::map<std::uint32_t, std::uint64_t> last;
    std::map<std::uint32_t, std::uint64_t> baseline;
    std::map<std::uint32_t, std::uint64_t> position;
    std::set<std::uint32_t> consumed;
  };
  struct Actor {
    ActorState now;
    std::optional<ActorState> at_begin;
    std::vector<Place> sent;  // in the open step
    bool down = false;
  };
  struct Sent {
    Set ancestors;
    std::uint64_t line = 0;
  };

  /// What becomes of each step: which places hold aborted records in the end, which commits were none.
  void find_fates() {
    std::map<std::uint32_t, std::vector<Place>> open;
    std::map<std::uint32_t, bool> in_step;
    for (std::size_t k = 0; k < trace_.events.size(); ++k) {
      const CausalEvent& event = trace_.events[k];
      std::vector<Place>& sent = open[event.actor];
      const bool aborts = event.type == CausalEventType::abort || event.type == CausalEventType::crash;
      if (event.type == CausalEventType::begin) in_step[event.actor] = true;
      if (event.type == CausalEventType::send && in_step[event.actor]) sent.emplace_back(event.channel, event.offset);
      if (!aborts && event.type != CausalEventType::commit) continue;
      const bool none = event.type == CausalEventType::commit && event.flag && !is_seen_before_marked(k, sent);
      if (none) no_commits_.insert(k);
      if (aborts || none) ends_aborted_.insert(sent.begin(), sent.end());
      sent.clear();
      in_step[event.actor] = false;
    }
  }
  /// Whether the first later event that says something of one of the records says that it was committed.
  [[nodiscard]] bool is_seen_before_marked(std::size_t begin, const std::vector<Place>& places) const {
    for (std::size_t k = begin; k < trace_.events.size(); ++k) {
      const CausalEvent& event = trace_.events[k];
      if (std::count(places.begin(), places.end(), Place(event.channel, event.offset)) == 0) continue;
      if (event.type == CausalEventType::deliver || event.type == CausalEventType::observe) return true;
      if (event.type == CausalEventType::marker) return false;
    }
    return false;
  }

  void judge(std::size_t index) {
    const CausalEvent& event = trace_.events[index];
    const Place place(event.channel, event.offset);
    Actor& actor = actors_[event.actor];
    ActorState& now = actor.now;
    switch (event.type) {
      case CausalEventType::subscribe:
        now.consumed.insert(event.channel);
        now.baseline.emplace(event.channel, event.offset);  // keeps the first
        now.position[event.channel] = event.offset;
        break;
      case CausalEventType::unsubscribe:
        now.consumed.erase(event.channel);
        break;
      case CausalEventType::begin:
        actor.at_begin = now;
        break;
      case CausalEventType::commit:
        end_step(actor, !no_commits_.contains(index));
        break;
      case CausalEventType::abort:
        end_step(actor, false);
        break;
      case CausalEventType::send:
        sent_[place] = {now.known, event.line};
        now.known.insert(place);
        if (actor.at_begin) actor.sent.push_back(place);
        break;
      case CausalEventType::deliver:
        if (!sent_.contains(place)) {
          report(CausalViolationKind::unknown_record, event.line, event.actor, place);
        } else {
          deliver(event, place, now);
        }
        break;
      case CausalEventType::observe:
        if (sent_.contains(place)) learn(now, place);
        break;
      case CausalEventType::crash:
        if (actor.at_begin) end_step(actor, false);
        actor.down = true;
        if (!event.flag) break;
        now.known.clear();
        now.delivered.clear();
        now.last.clear();
        now.position = now.baseline;
        break;
      case CausalEventType::restart:
        actor.down = false;
        break;
      case CausalEventType::truncate:
        truncate(event);
        break;
      case CausalEventType::drain:
        drain(event);
        break;
      case CausalEventType::end:
        if (!event.flag) found_.push_back({.kind = CausalViolationKind::not_drained, .line = event.line});
        break;
      case CausalEventType::marker:
      case CausalEventType::note:
        break;
    }
  }

  void end_step(Actor& actor, bool committed) {
    if (!committed) {
      actor.now = *actor.at_begin;
      aborted_.insert(actor.sent.begin(), actor.sent.end());
    }
    actor.at_begin.reset();
    actor.sent.clear();
  }

  void learn(ActorState& now, const Place& place) {
    now.known.insert(place);
    const Set& ancestors = sent_[place].ancestors;
    now.known.insert(ancestors.begin(), ancestors.end());
  }

  void deliver(const CausalEvent& event, const Place& place, ActorState& now) {
    if (ends_aborted_.contains(place)) report(CausalViolationKind::aborted_delivery, event.line, event.actor, place);
    if (now.delivered.contains(place)) {
      report(CausalViolationKind::duplicate, event.line, event.actor, place);
    } else if (now.last.contains(event.channel) && now.last[event.channel] >= event.offset) {
      report(CausalViolationKind::fifo, event.line, event.actor, place);
    }
    std::vector<MissingAncestor> missing;
    for (const Place& ancestor : sent_[place].ancestors) {
      const bool missed =
          is_in_scope(now, ancestor) && !aborted_.contains(ancestor) && !now.delivered.contains(ancestor);
      if (missed) missing.push_back({ancestor.first, ancestor.second});
    }
    if (!missing.empty()) {
      report(CausalViolationKind::causal, event.line, event.actor, place);
      found_.back().missing = std::move(missing);
    }
    now.delivered.insert(place);
    const auto last = now.last.emplace(event.channel, event.offset).first;
    last->second = std::max(last->second, event.offset);
    now.position[event.channel] = event.offset == ~std::uint64_t{0} ? event.offset : event.offset + 1;
    learn(now, place);
  }

  static bool is_in_scope(const ActorState& now, const Place& place) {
    const auto baseline = now.baseline.find(place.first);
    return now.consumed.contains(place.first) && baseline != now.baseline.end() && baseline->second <= place.second;
  }

  [[nodiscard]] bool is_open(const Place& place) const {
    return std::any_of(actors_.begin(), actors_.end(), [&](const auto& entry) {
      const std::vector<Place>& sent = entry.second.sent;
      return std::count(sent.begin(), sent.end(), place) > 0;
    });
  }

  void drain(const CausalEvent& event) {
    for (const auto& [index, actor] : actors_) {
      if (index == kNoIndex) continue;
      if (event.detail != kNoIndex) {
        const auto& listed = trace_.names.lists[event.detail];
        if (std::count(listed.begin(), listed.end(), index) == 0) continue;
      }
      for (const auto& [place, sent] : sent_) {
        const bool missed = is_in_scope(actor.now, place) && !actor.now.delivered.contains(place) &&
                            !aborted_.contains(place) && !is_open(place);
        if (missed) report(CausalViolationKind::incomplete, event.line, index, place);
      }
    }
  }

  void truncate(const CausalEvent& event) {
    for (const auto& [index, actor] : actors_) {
      if (index == kNoIndex || actor.down || !actor.now.consumed.contains(event.channel)) continue;
      for (const auto& [place, sent] : sent_) {
        const bool lost = place.first == event.channel && place.second < event.offset &&
                          place.second >= actor.now.position.at(event.channel) && !aborted_.contains(place) &&
                          !actor.now.delivered.contains(place);
        if (!lost) continue;
        report(CausalViolationKind::truncated_too_far, event.line, index, place);
        break;
      }
    }
  }

  void report(CausalViolationKind kind, std::uint64_t line, std::uint32_t actor, const Place& place) {
    const auto sent = sent_.find(place);
    found_.push_back({.kind = kind,
                      .line = line,
                      .actor = actor,
                      .channel = place.first,
                      .offset = place.second,
                      .sent = sent == sent_.end() ? 0 : sent->second.line});
  }

  const CausalTrace& trace_;
  std::set<std::size_t> no_commits_;  // events
  Set ends_aborted_;
  Set aborted_;  // so far
  std::map<std::uint32_t, Actor> actors_;
  std::map<Place, Sent> sent_;
  std::vector<CausalViolation> found_;
};

/// What is wrong with a chain of lines that is to show that a record precedes another one; nothing where it shows it.
/// Each step undone by an abort is told by its events, from its begin on.
class ChainProof {
 public:
  explicit ChainProof(const CausalTrace& trace) : trace_(trace) {
    std::map<std::uint32_t, std::vector<std::uint64_t>> step;
    for (const CausalEvent& event : trace.events) {
      by_line_[event.line] = &event;
      const auto open = step.find(event.actor);
      if (event.type == CausalEventType::begin) {
        step[event.actor];
      } else if (event.type == CausalEventType::commit && open != step.end()) {
        if (event.flag && !is_seen(event.line, open->second)) undo(event.line, open->second);
        step.erase(open);
      } else if (event.type == CausalEventType::abort || event.type == CausalEventType::crash) {
        if (open != step.end()) {
          undo(event.line, open->second);
          step.erase(open);
        }
      } else if (open != step.end()) {
        open->second.push_back(event.line);
      }
    }
  }

  [[nodiscard]] std::optional<std::string> objection(const CausalViolation& violation,
                                                     const MissingAncestor& missing) const {
    const std::vector<std::uint64_t>& lines = missing.because;
    if (lines.size() < 2) return "a chain of fewer than two lines";
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!by_line_.contains(lines[k])) return "no such line";
      if (k > 0 && lines[k] <= lines[k - 1]) return "lines that do not rise";
    }
    const auto sends = [&](std::uint64_t line, const Place& place) {
      const CausalEvent& event = *by_line_.at(line);
      return event.type == CausalEventType::send && Place(event.channel, event.offset) == place;
    };
    if (!sends(lines.front(), {missing.channel, missing.offset})) return "it does not begin with the missing record";
    if (!sends(lines.back(), {violation.channel, violation.offset})) return "it does not end with the record";
    for (std::size_t k = 1; k < lines.size(); ++k) {
      const CausalEvent& before = *by_line_.at(lines[k - 1]);
      const CausalEvent& event = *by_line_.at(lines[k]);
      if (event.type == CausalEventType::send) {
        if (event.actor != before.actor) return "a send by an actor that did not know";
        if (forgot(before, event)) return "what was known was forgotten";
      } else if (event.type == CausalEventType::deliver || event.type == CausalEventType::observe) {
        if (!sends(before.line, {event.channel, event.offset})) return "a delivery of another record";
      } else {
        return "an event that passes no knowledge";
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_seen(std::uint64_t after, const std::vector<std::uint64_t>& step) const {
    return std::any_of(trace_.events.begin(), trace_.events.end(), [&](const CausalEvent& event) {
      if (event.line < after) return false;
      if (event.type != CausalEventType::deliver && event.type != CausalEventType::observe) return false;
      return std::any_of(step.begin(), step.end(), [&](std::uint64_t line) {
        const CausalEvent& sent = *by_line_.at(line);
        return sent.type == CausalEventType::send && sent.channel == event.channel && sent.offset == event.offset;
      });
    });
  }
  void undo(std::uint64_t at, const std::vector<std::uint64_t>& step) {
    for (const std::uint64_t line : step) undone_at_[line] = at;
  }
  [[nodiscard]] bool forgot(const CausalEvent& before, const CausalEvent& after) const {
    const auto undone = undone_at_.find(before.line);
    if (undone != undone_at_.end() && undone->second < after.line) return true;
    return std::any_of(trace_.events.begin(), trace_.events.end(), [&](const CausalEvent& event) {
      return event.type == CausalEventType::crash && event.flag && event.actor == after.actor &&
             before.line < event.line && event.line < after.line;
    });
  }

  const CausalTrace& trace_;
  std::map<std::uint64_t, const CausalEvent*> by_line_;
  std::map<std::uint64_t, std::uint64_t> undone_at_;
};

}  // namespace porpentine::differential
