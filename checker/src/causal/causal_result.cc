#include "causal_result.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <porpentine/checker/causal.h>
#include <porpentine/history/message_text.h>

namespace porpentine {
namespace {

constexpr std::array<std::string_view, 8> kKinds = {"unknown-record", "aborted-delivery", "duplicate",
                                                    "fifo",           "causal",           "incomplete",
                                                    "not-drained",    "truncated-too-far"};

std::string lines_of(const MissingAncestor& missing) {
  constexpr std::size_t kMost = 9;
  std::string text = missing.because.size() > 1 ? "lines " : "line ";
  for (std::size_t k = 0; k < missing.because.size(); ++k) {
    if (k == kMost - 1 && missing.because.size() > kMost) {
      text += ", ... " + std::to_string(missing.because.back());
      break;
    }
    text += (k == 0 ? "" : ", ") + std::to_string(missing.because[k]);
  }
  return text;
}

/// The limits of a check, looked at now and then.
class Watch {
 public:
  explicit Watch(const CheckOptions& options) : options_(options) {}

  [[nodiscard]] double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  [[nodiscard]] Limit reached() const {
    if (options_.cancel != nullptr && *options_.cancel) return Limit::cancelled;
    return options_.time_limit && Clock::now() - begin_ >= *options_.time_limit ? Limit::time : Limit::none;
  }
  void report(std::uint64_t done, std::uint64_t total) {
    constexpr auto kBetween = std::chrono::milliseconds(100);
    if (!options_.progress || Clock::now() - reported_ < kBetween) return;
    reported_ = Clock::now();
    options_.progress({.partitions_done = 0, .partitions = 1, .operations_done = done, .operations = total});
  }

 private:
  using Clock = std::chrono::steady_clock;

  const CheckOptions& options_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point reported_ = begin_;
};

}  // namespace

std::string_view to_string(CausalViolationKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string describe(const CausalViolation& violation, const CausalNames& names) {
  const auto place = [&](std::uint32_t channel, std::uint64_t offset) {
    return shortened(names.channels[channel]) + "@" + std::to_string(offset);
  };
  if (violation.kind == CausalViolationKind::not_drained) return "the run ended before everything was delivered";
  const std::string who = shortened(names.actors[violation.actor]);
  std::string record = place(violation.channel, violation.offset);
  if (violation.sent != 0) record += " (sent at line " + std::to_string(violation.sent) + ")";
  switch (violation.kind) {
    case CausalViolationKind::unknown_record:
      return who + " delivered " + record + ", where nothing had been sent";
    case CausalViolationKind::aborted_delivery:
      return who + " delivered " + record + ", which was aborted";
    case CausalViolationKind::duplicate:
      return who + " delivered " + record + " again";
    case CausalViolationKind::fifo:
      return who + " delivered " + record + " after it had gone beyond that offset";
    case CausalViolationKind::incomplete:
      return who + " had not delivered " + record + " by the drain";
    case CausalViolationKind::truncated_too_far:
      return record + " was truncated before " + who + " had delivered it";
    case CausalViolationKind::causal:
    case CausalViolationKind::not_drained:
      break;
  }
  constexpr std::size_t kMost = 3;
  std::string text = who + " delivered " + record + " before what causally precedes it: ";
  for (std::size_t k = 0; k < violation.missing.size() && k < kMost; ++k) {
    const MissingAncestor& missing = violation.missing[k];
    text += (k == 0 ? "" : "; ") + place(missing.channel, missing.offset) + " (" + lines_of(missing) + ")";
  }
  const std::uint64_t told = std::min(violation.missing.size(), kMost);
  if (violation.missing_in_all > told) text += "; and " + std::to_string(violation.missing_in_all - told) + " more";
  return text;
}

namespace detail {

void sort_by_place(std::vector<CausalViolation>& violations) {
  const auto place = [](const CausalViolation& violation) {
    return std::tuple(violation.line, violation.kind, violation.actor, violation.channel, violation.offset);
  };
  std::stable_sort(violations.begin(), violations.end(),
                   [&](const CausalViolation& a, const CausalViolation& b) { return place(a) < place(b); });
}

}  // namespace detail

namespace {

/// Judges events, under the limits of a check.
class Judging {
 public:
  Judging(const CausalNames& names, const CheckOptions& options, CausalDetail detail)
      : watch_(options), judge_(names, options.memory_limit.value_or(0), detail) {}

  /// False where a limit was reached. An Error for an event that can't be.
  Result<bool> take(const CausalEvent& event, std::uint64_t total) {
    constexpr std::uint64_t kBetweenLooks = 1024;
    CausalStatistics& statistics = result_.statistics;
    if (statistics.events % kBetweenLooks == 0) {
      watch_.report(statistics.events, total);
      if (stop(watch_.reached())) return false;
    }
    if (auto error = judge_.take(event)) {
      if (error->code == ErrorCode::limit) return !stop(Limit::memory);
      return *std::move(error);
    }
    ++statistics.events;
    statistics.records += event.type == CausalEventType::send ? 1 : 0;
    statistics.deliveries += event.type == CausalEventType::deliver ? 1 : 0;
    statistics.drains += event.type == CausalEventType::drain ? 1 : 0;
    return true;
  }
  /// Whether there is a reason to stop.
  bool stop(Limit limit) {
    result_.limit = limit;
    return limit != Limit::none;
  }

  CausalResult finish() {
    // What waits for a commit's outcome is not judged where a limit was reached: the outcome may come.
    if (result_.limit == Limit::none) judge_.finish();
    result_.statistics.peak_memory = judge_.memory();
    result_.violations = std::move(judge_).violations();
    detail::sort_by_place(result_.violations);
    if (!result_.violations.empty()) {
      result_.verdict = Verdict::invalid;
    } else if (result_.limit != Limit::none) {
      result_.verdict = Verdict::unknown;
    }
    result_.elapsed_s = watch_.elapsed_s();
    return std::move(result_);
  }

 private:
  Watch watch_;
  CausalJudge judge_;
  CausalResult result_;
};

}  // namespace

CausalResult judge_causal_trace(const CausalTrace& trace, const CheckOptions& options, CausalDetail detail) {
  Judging judging(trace.names, options, detail);
  for (const CausalEvent& event : trace.events) {
    const Result<bool> goes_on = judging.take(event, trace.events.size());
    if (!goes_on) throw std::invalid_argument(goes_on.error().to_string());
    if (!*goes_on) break;
  }
  return judging.finish();
}

Result<CausalResult> judge_causal_trace(CausalTraceReader& reader, const std::string& file, const CheckOptions& options,
                                        CausalDetail detail) {
  Judging judging(reader.names(), options, detail);
  reader.keep_details(false);
  CausalEvent event;
  while (true) {
    const Result<bool> there_is = reader.next(event);
    if (!there_is && there_is.error().code != ErrorCode::limit) return there_is.error();
    if (!there_is) {
      judging.stop(options.cancel != nullptr && *options.cancel ? Limit::cancelled : Limit::memory);
      break;
    }
    if (!*there_is) break;
    Result<bool> goes_on = judging.take(event, 0);
    if (!goes_on) {
      Error error = std::move(goes_on).error();
      error.file = file;
      return error;
    }
    if (!*goes_on) break;
  }
  return judging.finish();
}

}  // namespace porpentine
