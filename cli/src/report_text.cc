#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <porpentine/history/message_text.h>

#include "output.h"
#include "report.h"

namespace porpentine::cli {
namespace {

constexpr std::size_t kMostShown = 10;

std::string count(std::uint64_t number, std::string_view singular, std::string_view plural) {
  return std::to_string(number) + " " + std::string(number == 1 ? singular : plural);
}

std::string operations(std::uint64_t number) { return count(number, "operation", "operations"); }

std::string seconds(double value) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%.3f s", value);
  return text.data();
}

std::string indented(std::string_view text) { return "  " + harmless(text) + "\n"; }

/// "12 more ..." where a list was cut; `all` is how long it was.
std::string left_out(std::size_t all, std::string_view what) {
  if (all <= kMostShown) return "";
  return indented("... and " + std::to_string(all - kMostShown) + " more " + std::string(what));
}

std::string valid_report(const Judgement& judgement, const HistoryStatistics& statistics) {
  std::string text = "valid (" + operations(statistics.operations);
  if (statistics.keys != 0) text += ", " + count(statistics.keys, "key", "keys");
  text += ", " + seconds(judgement.result.elapsed_s) + ")";
  if (judgement.verified) text += " (verified)";
  text += "\n";
  const std::string nothing = emptiness(statistics);
  return nothing.empty() ? text : text + indented("note: " + nothing);
}

std::uint64_t count_verdicts(const CheckResult& result, Verdict verdict) {
  std::uint64_t number = 0;
  for (const PartitionResult& partition : result.partitions) number += partition.verdict == verdict ? 1 : 0;
  return number;
}

std::string invalid_report(const CheckResult& result) {
  std::string text = "invalid\n";
  for (std::size_t i = 0; i < result.failures.size() && i < kMostShown; ++i) {
    text += indented(result.failures[i].message);
  }
  text += left_out(result.failures.size(), "violations");
  const std::uint64_t undecided = count_verdicts(result, Verdict::unknown);
  if (undecided == 0) return text;
  return text + indented("note: " + count(undecided, "other partition is", "other partitions are") + " undecided (" +
                         to_string(result.limit) + ")");
}

std::string_view advice(Limit limit) {
  switch (limit) {
    case Limit::time:
      return "to decide it, raise --time-limit";
    case Limit::memory:
      return "to decide it, raise --memory-limit";
    case Limit::steps:
      return "to decide it, raise --step-limit";
    case Limit::not_applicable:
      return "no monitor applies to all of it: to decide it, leave --engine monitor out";
    case Limit::cancelled:
    case Limit::none:
      break;
  }
  return "to decide it, let it run to the end";
}

/// How far the check came.
std::string undecided(const CheckResult& result, const ValueTable& values) {
  const std::uint64_t number = count_verdicts(result, Verdict::unknown);
  std::string text = indented(std::to_string(result.partitions.size() - number) + " of " +
                              count(result.partitions.size(), "partition is", "partitions are") + " decided");
  std::size_t shown = 0;
  for (const PartitionResult& partition : result.partitions) {
    if (partition.verdict != Verdict::unknown || shown == kMostShown) continue;
    text += indented(describe_progress(partition, values));
    ++shown;
  }
  return text + left_out(number, "undecided partitions");
}

/// Of what was judged while it came, and not kept.
std::string following_report(const Following& following) {
  const StreamCounts& counts = following.counts;
  if (following.verdict == Verdict::invalid) return "invalid\n" + indented(following.failure->message);
  if (following.verdict == Verdict::unknown) {
    std::string text = std::string("unknown (") + to_string(following.limit) + ")\n";
    text += indented("no violation in the " + operations(counts.operations) + " so far");
    return following.reason.empty() ? text : text + indented(following.reason);
  }
  std::string text = "valid (" + operations(counts.operations);
  if (counts.keys != 0) text += ", " + count(counts.keys, "key", "keys");
  text += ", " + seconds(following.elapsed_s) + ")\n";
  const std::string nothing = emptiness(statistics_of(following));
  return nothing.empty() ? text : text + indented("note: " + nothing);
}

std::string unknown_report(const Judgement& judgement) {
  const CheckResult& result = judgement.result;
  std::string text = std::string("unknown (") + to_string(result.limit) + ")\n";
  if (!judgement.history) {
    text += indented("the history was not read to its end");
  } else if (!result.partitions.empty()) {
    text += undecided(result, judgement.history->values);
  }
  return text + indented(advice(result.limit));
}

std::string report(const Judgement& judgement) {
  if (judgement.causal) return causal_text(*judgement.causal);
  if (!judgement.history && judgement.following) return following_report(*judgement.following);
  switch (judgement.result.verdict) {
    case Verdict::valid:
      return valid_report(judgement, statistics(*judgement.history));
    case Verdict::invalid:
      return invalid_report(judgement.result);
    case Verdict::unknown:
      break;
  }
  return unknown_report(judgement);
}

}  // namespace

std::string text_report(const Judgement& judgement) { return harmless(judgement.file) + ": " + report(judgement); }

HistoryStatistics statistics_of(const Following& following) {
  HistoryStatistics statistics;
  statistics.operations = following.counts.operations;
  statistics.ok = following.counts.ok;
  statistics.fail = following.counts.fail;
  statistics.info = following.counts.info + following.running;
  statistics.keys = following.counts.keys;
  statistics.overlapping_pairs = following.counts.overlapping_pairs;
  statistics.max_concurrency = statistics.overlapping_pairs > 0 ? 2 : 1;
  return statistics;
}

std::string emptiness(const HistoryStatistics& statistics) {
  if (statistics.ok == 0) return "no operation is known to have succeeded: there was nothing to contradict";
  if (statistics.max_concurrency <= 1 && statistics.info == 0) {
    return "no two operations overlap: a pass says nothing about concurrency, run more clients at once";
  }
  return "";
}

}  // namespace porpentine::cli
