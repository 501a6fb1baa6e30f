// What may be done to a history without changing its verdict, or in one direction only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event.h"
#include "random.h"
#include "subject.h"

namespace porpentine::differential {

/// The same order of calls and returns, in the least numbers.
template <typename Op>
Events<Op> without_gaps(Events<Op> events) {
  std::map<std::int64_t, std::int64_t> ranks;
  for (const Event<Op>& event : events) {
    ranks[event.call];
    ranks[event.ended == Ended::unknown ? event.call : event.ret];
  }
  std::int64_t rank = 0;
  for (auto& [time, place] : ranks) place = rank++;
  for (Event<Op>& event : events) {
    event.ret = ranks[event.ended == Ended::unknown ? event.call : event.ret];
    event.call = ranks[event.call];
  }
  return events;
}

template <typename Op>
bool same_times(const Events<Op>& a, const Events<Op>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Event<Op>& x, const Event<Op>& y) { return x.call == y.call && x.ret == y.ret; });
}

/// The lines in another order. Where times of one process tie, the order of lines tells which was first, so lines of
/// one process with the same call keep theirs.
template <typename Op>
Events<Op> with_lines_shuffled(const Events<Op>& events, Random& random) {
  std::vector<std::size_t> order(events.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(order);
  std::map<std::pair<int, std::int64_t>, std::vector<std::size_t>> tied;
  for (std::size_t i = events.size(); i-- > 0;) tied[{events[i].process, events[i].call}].push_back(i);
  for (std::size_t& line : order) {
    std::vector<std::size_t>& group = tied[{events[line].process, events[line].call}];
    line = group.back();
    group.pop_back();
  }
  Events<Op> shuffled;
  for (const std::size_t i : order) shuffled.push_back(events[i]);
  return shuffled;
}

template <typename Op, typename Change>
Events<Op> with_times(Events<Op> events, Change change) {
  for (Event<Op>& event : events) {
    event.call = change(event.call);
    event.ret = change(event.ret);
  }
  return events;
}

/// The first time becomes the smallest integer and the last one the largest.
template <typename Op>
Events<Op> with_times_spread(const Events<Op>& events) {
  const Events<Op> ranked = without_gaps(events);
  std::int64_t last = 0;
  for (const Event<Op>& event : ranked) last = std::max(last, event.ret);
  return with_times(ranked, [last](std::int64_t time) {
    if (time == 0) return std::numeric_limits<std::int64_t>::min();
    return time == last ? std::numeric_limits<std::int64_t>::max() : time * 1000 - 3000;
  });
}

/// Other numbers for the processes, in another order.
template <typename Op>
Events<Op> with_processes_renamed(Events<Op> events) {
  for (Event<Op>& event : events) event.process = 1'000'003 - 7 * event.process;
  return events;
}

/// The index of some event that `matches`, if there is one.
template <typename Op, typename Predicate>
std::optional<std::size_t> some_event(const Events<Op>& events, Random& random, Predicate matches) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (matches(events[i])) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  return random.pick(found);
}

/// A transformation that changed the verdict of the default search, with the history that it made.
template <typename S>
std::optional<std::string> broken_invariance(S& subject, const Events<typename S::Op>& events, bool expected,
                                             Random& random) {
  using Op = typename S::Op;
  std::optional<std::string> broken;
  const auto try_one = [&](const char* what, const Events<Op>& changed, Names::Scheme scheme = Names::Scheme::plain) {
    if (broken) return;
    subject.load(changed, scheme);
    CheckOptions options;
    options.jobs = 1;
    const Verdict verdict = subject.check(options).verdict;
    if (verdict != (expected ? Verdict::valid : Verdict::invalid)) {
      broken = std::string(what) + " gave " + to_string(verdict) + "\n" + subject.text();
    }
  };
  try_one("shuffled lines", with_lines_shuffled(events, random));
  try_one("shifted times", with_times(events, [](std::int64_t time) { return time - 1'000'000'007; }));
  try_one("doubled times", with_times(events, [](std::int64_t time) { return 2 * time; }));
  try_one("spread times", with_times_spread(events));
  try_one("renamed processes", with_processes_renamed(events));
  if (subject.object().renamable()) try_one("renamed values", events, Names::Scheme::renamed);
  if (expected) {
    if (const auto i = some_event(events, random, [](const auto& event) { return event.ended == Ended::ok; })) {
      Events<Op> weaker = events;
      weaker[*i].ended = Ended::unknown;
      try_one("an outcome forgotten", weaker);
    }
  } else if (const auto i =
                 some_event(events, random, [](const auto& event) { return event.ended == Ended::unknown; })) {
    Events<Op> fewer = events;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(*i));
    try_one("an indeterminate operation left out", fewer);
  }
  return broken;
}

}  // namespace porpentine::differential
