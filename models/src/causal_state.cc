#include "causal_state.h"

#include <algorithm>
#include <limits>

#include "words.h"

namespace porpentine::detail {
namespace {

/// Text without quotes, unless it is long.
std::string name(const ValueTable& values, ValueId id) {
  constexpr std::size_t kLong = 40;
  const auto text = values.as_string(id);
  return text && text->size() <= kLong ? std::string(*text) : shown(values, id);
}

std::string name(const ValueTable& values, const CausalPlace& place) {
  return name(values, place.channel) + "@" + (place.unseen > 0 ? "?" : std::to_string(place.offset));
}

void transfer_flag(StateArchive& archive, bool& flag) {
  std::uint64_t word = flag ? 1 : 0;
  archive.number(word);
  flag = word != 0;
}

void transfer_optional(StateArchive& archive, std::optional<std::uint64_t>& number) {
  bool has = number.has_value();
  transfer_flag(archive, has);
  std::uint64_t word = number.value_or(0);
  if (has) archive.number(word);
  number = has ? std::optional(word) : std::nullopt;
}

void transfer_place(StateArchive& archive, CausalPlace& place) {
  archive.value(place.channel);
  std::uint64_t unseen = place.unseen;
  archive.number(unseen);
  place.unseen = static_cast<std::uint32_t>(unseen);
  archive.number(place.offset);
}

/// A set or a map, element by element.
template <typename Container, typename Each>
void transfer_all(StateArchive& archive, Container& container, Each each) {
  std::uint64_t count = container.size();
  archive.number(count);
  if (archive.writes()) {
    for (auto element : container) each(element);
    return;
  }
  container.clear();
  for (; count > 0; --count) {
    typename Container::value_type element{};
    each(element);
    container.insert(std::move(element));
  }
}

void transfer_places(StateArchive& archive, std::set<CausalPlace>& places) {
  transfer_all(archive, places, [&](CausalPlace& place) { transfer_place(archive, place); });
}

template <typename Key, typename Value, typename EachKey, typename EachValue>
void transfer_map(StateArchive& archive, std::map<Key, Value>& map, EachKey each_key, EachValue each_value) {
  std::uint64_t count = map.size();
  archive.number(count);
  if (archive.writes()) {
    for (auto& [key, value] : map) {
      Key copy = key;
      each_key(copy);
      each_value(value);
    }
    return;
  }
  map.clear();
  for (; count > 0; --count) {
    Key key{};
    each_key(key);
    each_value(map[key]);
  }
}

}  // namespace

std::optional<std::string> CausalState::apply(const CausalCall& call, const ValueTable& values) {
  if (auto why = complaint(call, values)) return why;
  Actor& actor = actors_[call.actor];
  Memory& now = actor.now;
  const CausalPlace& place = call.place;
  switch (call.word) {
    case CausalWord::subscribe: {
      View& view = now.views[place.channel];
      view.consumed = true;
      view.position = place.offset;
      if (!view.baseline) view.baseline = place.offset;
      break;
    }
    case CausalWord::unsubscribe:
      now.views[place.channel].consumed = false;
      break;
    case CausalWord::begin:
      actor.at_begin = now;
      break;
    case CausalWord::commit:
      end_step(actor, true);
      break;
    case CausalWord::abort:
      end_step(actor, false);
      break;
    case CausalWord::send: {
      const CausalPlace at = call.unseen ? next_unseen(place.channel) : place;
      Record& record = records_[at];
      record.fate = actor.at_begin ? Fate::open : Fate::committed;
      record.ancestors = now.known;
      now.known.insert(at);
      if (actor.at_begin) actor.sent.insert(at);
      break;
    }
    case CausalWord::deliver:
      deliver(now, place);
      break;
    case CausalWord::observe:
      learn(now, place);
      break;
    case CausalWord::marker:
      if (!records_.contains(place)) records_[place].fate = Fate::marker;
      break;
    case CausalWord::crash:
      if (actor.at_begin) end_step(actor, false);
      actor.down = true;
      if (!call.loses_all) break;
      now.known.clear();
      now.delivered.clear();
      for (auto& [channel, view] : now.views) {
        view.last.reset();
        view.position = view.baseline.value_or(0);
      }
      break;
    case CausalWord::restart:
      actor.down = false;
      break;
    case CausalWord::truncate:
      truncate(place);
      break;
    case CausalWord::drain:
      drain(call);
      break;
  }
  return std::nullopt;
}

void CausalState::deliver(Memory& memory, const CausalPlace& place) {
  Record& delivered = records_[place];
  delivered.delivered = true;
  for (const CausalPlace& ancestor : delivered.ancestors) {
    Record& record = records_.at(ancestor);
    if (record.fate != Fate::aborted) not_missed(memory, ancestor, record);
  }
  memory.delivered.insert(place);
  View& view = memory.views[place.channel];
  view.last = std::max(view.last.value_or(0), place.offset);
  view.position = std::max(place.offset, place.offset + 1);  // there is none behind the last one
  learn(memory, place);
}

void CausalState::drain(const CausalCall& call) {
  for (const auto& [id, actor] : actors_) {
    if (!counts(call, id)) continue;
    for (auto& [place, record] : records_) {
      if (record.fate == Fate::committed) not_missed(actor.now, place, record);
    }
  }
}

bool CausalState::counts(const CausalCall& drain, ValueId actor) {
  return !drain.lists_actors || std::find(drain.actors.begin(), drain.actors.end(), actor) != drain.actors.end();
}

void CausalState::truncate(const CausalPlace& log_start) {
  for (const auto& [id, actor] : actors_) {
    const auto view = actor.now.views.find(log_start.channel);
    if (actor.down || view == actor.now.views.end() || !view->second.consumed) continue;
    const std::uint64_t position = view->second.position;
    if (position >= log_start.offset) continue;
    for (auto record = records_.lower_bound({log_start.channel, 1, 0});
         record != records_.end() && record->first.channel == log_start.channel; ++record) {
      if (record->second.fate == Fate::aborted) continue;
      std::uint64_t& end = record->second.outside[position];
      end = std::max(end, log_start.offset);
    }
  }
}

CausalPlace CausalState::next_unseen(ValueId channel) const {
  CausalPlace place{channel, 1, 0};
  while (records_.contains(place)) ++place.unseen;
  return place;
}

/// Since nobody missed it, a record of unknown offset is below the baseline.
void CausalState::not_missed(const Memory& memory, const CausalPlace& place, Record& record) {
  const auto view = memory.views.find(place.channel);
  const bool counts = view != memory.views.end() && view->second.consumed && view->second.baseline;
  if (place.unseen > 0 && counts) record.below = std::min(record.below, *view->second.baseline);
}

bool CausalState::may_stand_at(const Record& record, std::uint64_t offset) {
  if (record.below != kNoBound && offset >= record.below) return false;
  return std::none_of(record.outside.begin(), record.outside.end(),
                      [&](const auto& range) { return range.first <= offset && offset < range.second; });
}

std::vector<CausalState> CausalState::readings(const CausalPlace& place) const {
  std::vector<CausalState> all{*this};
  if (records_.contains(place)) return all;
  for (auto record = records_.lower_bound({place.channel, 1, 0});
       record != records_.end() && record->first.channel == place.channel; ++record) {
    if (!may_stand_at(record->second, place.offset)) continue;
    all.push_back(*this);
    all.back().see(record->first, place);
  }
  return all;
}

/// The record of unknown offset has been at the place.
void CausalState::see(const CausalPlace& unseen, const CausalPlace& place) {
  const auto rename = [&, from = unseen](Places& places) {
    if (places.erase(from) > 0) places.insert(place);
  };
  for (auto& [id, actor] : actors_) {
    rename(actor.now.known);
    if (actor.at_begin) rename(actor.at_begin->known);
    rename(actor.sent);
  }
  auto seen = records_.extract(unseen);
  seen.key() = place;
  seen.mapped().below = kNoBound;
  seen.mapped().outside.clear();
  records_.insert(std::move(seen));
  for (auto& [at, record] : records_) rename(record.ancestors);
}

void CausalState::end_step(Actor& actor, bool committed) {
  for (const CausalPlace& place : actor.sent) records_[place].fate = committed ? Fate::committed : Fate::aborted;
  if (!committed) actor.now = *std::move(actor.at_begin);
  actor.at_begin.reset();
  actor.sent.clear();
}

void CausalState::learn(Memory& memory, const CausalPlace& place) const {
  const Places& ancestors = records_.at(place).ancestors;
  memory.known.insert(place);
  memory.known.insert(ancestors.begin(), ancestors.end());
}

std::optional<std::string> CausalState::complaint(const CausalCall& call, const ValueTable& values) const {
  if (call.word == CausalWord::truncate) return truncation_complaint(call, values);
  if (call.word == CausalWord::drain) return drain_complaint(call, values);
  const auto record = records_.find(call.place);
  if (call.word == CausalWord::marker) {
    const bool stands = record != records_.end() && record->second.fate != Fate::marker;
    if (!stands || record->second.fate == Fate::aborted) return std::nullopt;
    return name(values, call.place) + " holds a record that was not aborted";
  }
  const auto found = actors_.find(call.actor);
  const Actor actor = found == actors_.end() ? Actor{} : found->second;
  const std::string who = name(values, call.actor);
  if (actor.down != (call.word == CausalWord::restart)) return who + (actor.down ? " is down" : " has not crashed");
  switch (call.word) {
    case CausalWord::begin:
      if (actor.at_begin) return who + " has not ended its step";
      break;
    case CausalWord::commit:
    case CausalWord::abort:
      if (!actor.at_begin) return who + " has not begun a step";
      if (call.word == CausalWord::abort) return abort_complaint(actor, values);
      break;
    case CausalWord::crash:
      return abort_complaint(actor, values);
    case CausalWord::send:
      if (call.unseen || record == records_.end()) break;
      return name(values, call.place) + " holds a " + (record->second.fate == Fate::marker ? "marker" : "record");
    case CausalWord::deliver:
      return delivery_complaint(call, values);
    case CausalWord::observe:
      if (record == records_.end() || record->second.fate == Fate::marker) {
        return "nothing was sent to " + name(values, call.place);
      }
      break;
    default:
      break;
  }
  return std::nullopt;
}

/// A record that was aborted is delivered by nobody, so no step whose record was delivered is aborted.
std::optional<std::string> CausalState::abort_complaint(const Actor& actor, const ValueTable& values) const {
  for (const CausalPlace& place : actor.sent) {
    if (records_.at(place).delivered) return name(values, place) + " was delivered";
  }
  return std::nullopt;
}

std::optional<std::string> CausalState::delivery_complaint(const CausalCall& call, const ValueTable& values) const {
  const CausalPlace& place = call.place;
  const auto record = records_.find(place);
  if (record == records_.end() || record->second.fate == Fate::marker) {
    return "nothing was sent to " + name(values, place);
  }
  if (record->second.fate == Fate::aborted) return name(values, place) + " was aborted";
  const auto found = actors_.find(call.actor);
  if (found == actors_.end()) return std::nullopt;
  const Memory& now = found->second.now;
  const std::string who = name(values, call.actor);
  if (now.delivered.contains(place)) return who + " has delivered " + name(values, place);
  const auto view = now.views.find(place.channel);
  if (view != now.views.end() && view->second.last && *view->second.last >= place.offset) {
    return who + " has delivered " + name(values, CausalPlace{place.channel, 0, *view->second.last});
  }
  for (const CausalPlace& ancestor : record->second.ancestors) {
    if (records_.at(ancestor).fate != Fate::aborted && misses(now, ancestor)) {
      return who + " has not delivered " + name(values, ancestor) + ", which precedes " + name(values, place);
    }
  }
  return std::nullopt;
}

/// Whether it is on a channel that is consumed, at or above the baseline, and not delivered.
bool CausalState::misses(const Memory& memory, const CausalPlace& place) {
  const auto view = memory.views.find(place.channel);
  return view != memory.views.end() && view->second.consumed && view->second.baseline &&
         *view->second.baseline <= place.offset && !memory.delivered.contains(place);
}

std::optional<std::string> CausalState::drain_complaint(const CausalCall& call, const ValueTable& values) const {
  for (const auto& [id, actor] : actors_) {
    if (!counts(call, id)) continue;
    for (const auto& [place, record] : records_) {
      if (record.fate == Fate::committed && misses(actor.now, place)) {
        return name(values, id) + " has not delivered " + name(values, place);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> CausalState::truncation_complaint(const CausalCall& call, const ValueTable& values) const {
  for (const auto& [id, actor] : actors_) {
    const auto view = actor.now.views.find(call.place.channel);
    if (actor.down || view == actor.now.views.end() || !view->second.consumed) continue;
    for (auto record = records_.lower_bound({call.place.channel, 0, view->second.position});
         record != records_.end() && record->first < call.place; ++record) {
      const Fate fate = record->second.fate;
      if (fate == Fate::aborted || fate == Fate::marker || actor.now.delivered.contains(record->first)) continue;
      return name(values, id) + " has not delivered " + name(values, record->first);
    }
  }
  return std::nullopt;
}

std::string CausalState::to_string(const ValueTable& values) const {
  std::string text;
  for (const auto& [id, actor] : actors_) {
    if (actor.now.views.empty() && actor.now.delivered.empty()) continue;
    text += (text.empty() ? "" : "; ") + name(values, id) + " delivered ";
    std::vector<std::string> places;
    for (const CausalPlace& place : actor.now.delivered) places.push_back(name(values, place));
    text += places.empty() ? "nothing" : list(places);
  }
  return text.empty() ? "nothing was delivered" : text;
}

void CausalState::transfer(StateArchive& archive) {
  const auto transfer_memory = [&](Memory& memory) {
    transfer_places(archive, memory.known);
    transfer_places(archive, memory.delivered);
    transfer_map(
        archive, memory.views, [&](ValueId& channel) { archive.value(channel); },
        [&](View& view) {
          transfer_optional(archive, view.baseline);
          transfer_optional(archive, view.last);
          archive.number(view.position);
          transfer_flag(archive, view.consumed);
        });
  };
  transfer_map(
      archive, actors_, [&](ValueId& actor) { archive.value(actor); },
      [&](Actor& actor) {
        transfer_memory(actor.now);
        bool in_step = actor.at_begin.has_value();
        transfer_flag(archive, in_step);
        if (in_step && !actor.at_begin) actor.at_begin.emplace();
        if (in_step) transfer_memory(*actor.at_begin);
        transfer_places(archive, actor.sent);
        transfer_flag(archive, actor.down);
      });
  transfer_map(
      archive, records_, [&](CausalPlace& place) { transfer_place(archive, place); },
      [&](Record& record) {
        auto fate = static_cast<std::uint64_t>(record.fate);
        archive.number(fate);
        record.fate = static_cast<Fate>(fate);
        transfer_flag(archive, record.delivered);
        transfer_places(archive, record.ancestors);
        archive.number(record.below);
        transfer_map(
            archive, record.outside, [&](std::uint64_t& first) { archive.number(first); },
            [&](std::uint64_t& end) { archive.number(end); });
      });
}

}  // namespace porpentine::detail
