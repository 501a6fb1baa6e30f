// Few events of a trace that have a violation by themselves.
//
// The judge itself says whether they do. The first guess is what the violation names: its chains of causes, and what
// its actor did; where something else matters, it is all there is. From that ever smaller pieces are taken out as
// long as the violation stays (delta debugging: Zeller and Hildebrandt, TSE 2002), until no single event can be missed.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <porpentine/checker/causal.h>

namespace porpentine {
namespace {

constexpr std::uint64_t kMostJudged = 40'000'000;  // events

class CoreFinder {
 public:
  CoreFinder(const CausalTrace& trace, const CausalViolation& violation) : trace_(trace), violation_(violation) {}

  std::vector<std::uint32_t> find() {
    std::vector<std::uint32_t> events = guess();
    if (!holds(events)) {
      events.resize(trace_.events.size());
      std::iota(events.begin(), events.end(), std::uint32_t{0});
    }
    for (std::size_t length = (events.size() + 1) / 2; length > 0; length /= 2) take_out(events, length);
    return events;
  }

 private:
  /// The events of the chains, of the violating actor, and of the steps and records that these are about.
  [[nodiscard]] std::vector<std::uint32_t> guess() const {
    std::set<std::uint64_t> lines{violation_.line, violation_.sent};
    for (const MissingAncestor& missing : violation_.missing)
      lines.insert(missing.because.begin(), missing.because.end());
    std::set<std::pair<std::uint32_t, std::uint64_t>> records{{violation_.channel, violation_.offset}};
    std::set<std::uint32_t> senders;
    for (const CausalEvent& event : trace_.events) {
      if (event.actor == violation_.actor && event.type == CausalEventType::deliver) {
        records.insert({event.channel, event.offset});
      }
      if (lines.count(event.line) > 0 && event.type == CausalEventType::send) senders.insert(event.actor);
    }
    std::vector<std::uint32_t> events;
    for (std::uint32_t k = 0; k < trace_.events.size(); ++k) {
      const CausalEvent& event = trace_.events[k];
      if (event.type == CausalEventType::note) continue;
      if (event.line > violation_.line) break;
      const bool of_record = event.type == CausalEventType::send && records.count({event.channel, event.offset}) > 0;
      const bool bounds = event.type == CausalEventType::begin || event.type == CausalEventType::commit ||
                          event.type == CausalEventType::abort || event.type == CausalEventType::crash ||
                          event.type == CausalEventType::restart;
      if (event.actor == violation_.actor || of_record || lines.count(event.line) > 0 ||
          (bounds && senders.count(event.actor) > 0)) {
        events.push_back(k);
      }
    }
    return events;
  }

  void take_out(std::vector<std::uint32_t>& events, std::size_t length) {
    for (std::size_t end = events.size(); end > 0 && judged_ < kMostJudged;) {
      const std::size_t begin = end - std::min(end, length);
      std::vector<std::uint32_t> fewer(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(begin));
      fewer.insert(fewer.end(), events.begin() + static_cast<std::ptrdiff_t>(end), events.end());
      if (holds(fewer)) events = std::move(fewer);
      end = begin;
    }
  }

  /// Whether these can have happened, and have the violation.
  [[nodiscard]] bool holds(const std::vector<std::uint32_t>& events) {
    judged_ += events.size();
    CausalJudge judge(trace_.names, 0, {.violations = 0});
    for (const std::uint32_t k : events) {
      if (judge.take(trace_.events[k])) return false;
    }
    if (judge.finish()) return false;
    const std::vector<CausalViolation>& found = judge.violations();
    return std::any_of(found.begin(), found.end(), [&](const CausalViolation& other) {
      return other.kind == violation_.kind && other.line == violation_.line && other.actor == violation_.actor &&
             other.channel == violation_.channel && other.offset == violation_.offset;
    });
  }

  const CausalTrace& trace_;
  const CausalViolation& violation_;
  std::uint64_t judged_ = 0;
};

}  // namespace

std::vector<std::uint32_t> causal_core(const CausalTrace& trace, const CausalViolation& violation) {
  return CoreFinder(trace, violation).find();
}

}  // namespace porpentine
