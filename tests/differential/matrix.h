// The differential matrix: every way of asking the library, against brute force, over many histories of one model.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "brute_force.h"
#include "enumerate.h"
#include "event.h"
#include "random.h"
#include "random_history.h"
#include "subject.h"
#include "support/catch.h"
#include "transform.h"

namespace porpentine::differential {

/// PORPENTINE_DIFFERENTIAL=few asks for the smaller bounds, full for the larger ones.
inline std::string_view level() {
  const char* level = std::getenv("PORPENTINE_DIFFERENTIAL");
  return level == nullptr ? "" : level;
}
inline bool full_size() { return level() == "full"; }
inline std::uint64_t by_level(std::uint64_t few, std::uint64_t usual, std::uint64_t full) {
  return full_size() ? full : level() == "few" ? few : usual;
}

/// How many histories were compared.
struct Tally {
  std::uint64_t histories = 0;
  std::uint64_t valid = 0;
  Ruled ruled;  ///< by monitors

  void count(bool is_valid) {
    ++histories;
    if (is_valid) ++valid;
  }
  [[nodiscard]] std::uint64_t invalid() const { return histories - valid; }
};

/// A comparison that never meets one of the two verdicts proves nothing.
inline void require_both_verdicts(const Tally& tally, const std::string& what) {
  std::cout << what << ": " << tally.histories << " histories, " << tally.valid << " valid; by monitors "
            << tally.ruled.valid << " valid and " << tally.ruled.invalid << " invalid partitions\n";
  INFO(what << ": " << tally.valid << " of " << tally.histories << " histories are valid");
  CHECK(tally.valid * 50 >= tally.histories);
  CHECK(tally.invalid() * 50 >= tally.histories);
}

inline const std::vector<Way>& all_ways() {
  static const std::vector<Way> ways{{"monitors", SearchOrder::portfolio, 1, false, true},
                                     {"breadth first", SearchOrder::breadth_first, 1},
                                     {"depth first", SearchOrder::depth_first, 1},
                                     {"portfolio", SearchOrder::portfolio, 1},
                                     {"portfolio, two jobs", SearchOrder::portfolio, 2},
                                     {"breadth first, promises tested", SearchOrder::breadth_first, 1, true},
                                     {"depth first, promises tested", SearchOrder::depth_first, 1, true}};
  return ways;
}

/// Without threads, which cost more than a check of few operations.
inline const std::vector<Way>& sequential_ways() {
  static const std::vector<Way> ways(all_ways().begin(), all_ways().begin() + 4);
  return ways;
}

/// What is wrong with the library's answers about `events`, if anything.
template <typename S>
std::optional<std::string> disagreement(S& subject, const Events<typename S::Op>& events,
                                        const std::vector<Way>& ways) {
  return objection(subject, events, right_verdict(subject, events), ways);
}

/// Makes `events` smaller as long as `still_wrong` holds.
template <typename Op>
Events<Op> shrunk(Events<Op> events, const std::function<bool(const Events<Op>&)>& still_wrong) {
  const auto try_change = [&](const Events<Op>& smaller) {
    if (!still_wrong(smaller)) return false;
    events = smaller;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = events.size(); i-- > 0;) {
      Events<Op> smaller = events;
      smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
      changed |= try_change(smaller);
    }
    const Events<Op> squeezed = without_gaps(events);
    if (!same_times(squeezed, events)) changed |= try_change(squeezed);
  }
  return events;
}

/// Fails the running test with the history and a smaller one that is judged wrongly as well.
template <typename S>
void report(S& subject, const Events<typename S::Op>& events, const std::string& what, const std::vector<Way>& ways,
            const std::string& origin) {
  using Op = typename S::Op;
  subject.load(events);
  const std::string whole = subject.text();
  const Events<Op> small =
      shrunk<Op>(events, [&](const Events<Op>& smaller) { return disagreement(subject, smaller, ways).has_value(); });
  const std::string still = disagreement(subject, small, ways).value_or(what);
  subject.load(small);
  FAIL_CHECK(subject.model() << ", " << origin << ": " << what << "\n"
                             << whole << "shrunk: " << still << "\n"
                             << subject.text());
}

/// All histories of `count` operations; every 64th in all ways.
template <typename S>
void compare_all(S& subject, std::size_t count, Structures structures, Processes processes,
                 const std::vector<Event<typename S::Op>>& alphabet, Tally& tally) {
  int reports = 0;
  for_each_history(count, structures, processes, alphabet, [&](const Events<typename S::Op>& events) {
    const auto& ways = tally.histories % 64 == 0 ? all_ways() : sequential_ways();
    const bool expected = right_verdict(subject, events);
    tally.count(expected);
    const auto wrong = objection(subject, events, expected, ways, &tally.ruled);
    if (wrong && reports++ < 3) report(subject, events, *wrong, ways, "all histories");
  });
}

/// Operations to enumerate, from few to many.
template <typename Op>
struct Alphabets {
  std::vector<Event<Op>> wide;
  std::vector<Event<Op>> medium;
  std::vector<Event<Op>> narrow;
  std::vector<Event<Op>> least;
};

/// All histories up to the bounds that tests/differential/README.md tells.
template <typename S>
void compare_every(S& subject, const Alphabets<typename S::Op>& alphabets) {
  Tally tally;
  compare_all(subject, 1, Structures::all, Processes::all, alphabets.wide, tally);
  compare_all(subject, 2, Structures::all, Processes::all, alphabets.wide, tally);
  if (level() == "few") return require_both_verdicts(tally, subject.model() + ", all");
  compare_all(subject, 3, Structures::all, Processes::all, full_size() ? alphabets.wide : alphabets.narrow, tally);
  compare_all(subject, 4, Structures::precedence, Processes::few, full_size() ? alphabets.medium : alphabets.narrow,
              tally);
  if (full_size()) {
    compare_all(subject, 4, Structures::all, Processes::all, alphabets.least, tally);
    compare_all(subject, 5, Structures::precedence, Processes::few, alphabets.narrow, tally);
  }
  require_both_verdicts(tally, subject.model() + ", all");
}

/// A monitor that is seldom asked, or that only ever gives one answer, is not compared.
inline void require_monitors(const Tally& tally, const std::string& what) {
  INFO(what << ": monitors judged " << tally.ruled.valid << " partitions valid and " << tally.ruled.invalid
            << " invalid in " << tally.histories << " histories");
  CHECK(tally.ruled.valid * 20 >= tally.histories);
  CHECK(tally.ruled.invalid * 20 >= tally.histories);
}

/// Histories of the seeds `first_seed`, `first_seed` + 1, ..., with their transformations, which must not change the
/// verdict; `fewer` times fewer than usual.
template <typename S>
Tally compare_random(S& subject, const Shape& shape, std::uint64_t first_seed, std::uint64_t count) {
  using Op = typename S::Op;
  Tally tally;
  int reports = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count && reports < 3; ++seed) {
    Random random(seed);
    const Events<Op> events = random_history(subject.object(), shape, random);
    const bool expected = right_verdict(subject, events);
    tally.count(expected);
    const std::string origin = "seed " + std::to_string(seed);
    const auto& ways = seed % 8 == 0 ? all_ways() : sequential_ways();
    if (auto wrong = objection(subject, events, expected, ways, &tally.ruled)) {
      ++reports;
      report(subject, events, *wrong, ways, origin);
    } else if (auto broken = broken_invariance(subject, events, expected, random)) {
      ++reports;
      subject.load(events);
      FAIL_CHECK(subject.model() << ", " << origin << ": " << *broken << "\nbefore:\n" << subject.text());
    }
  }
  require_both_verdicts(tally, subject.model() + ", random");
  return tally;
}

template <typename S>
void compare_random(S& subject, const Shape& shape, std::uint64_t first_seed) {
  compare_random(subject, shape, first_seed, by_level(500, 5'000, 1'000'000));
}

/// Fewer, for what takes longer.
template <typename S>
void compare_longer(S& subject, const Shape& shape, std::uint64_t first_seed) {
  compare_random(subject, shape, first_seed, by_level(100, 1'000, 20'000));
}

/// Histories that a monitor should be able to judge: values are distinct, and times as a rule.
template <typename S>
void compare_monitor(S& subject, Shape shape, std::uint64_t first_seed) {
  shape.distinct = true;
  const Tally tally = compare_random(subject, shape, first_seed, by_level(1'000, 50'000, 1'000'000));
  require_monitors(tally, subject.model() + ", for monitors");
}

}  // namespace porpentine::differential
