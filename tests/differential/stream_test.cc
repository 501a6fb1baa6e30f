// Streams against brute force: every history is told event by event.
#include <porpentine/checker/stream.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bag_object.h"
#include "bank_object.h"
#include "causal_object.h"
#include "counter_object.h"
#include "kv_object.h"
#include "log_object.h"
#include "matrix.h"
#include "multi_register_object.h"
#include "mutex_object.h"
#include "priority_queue_object.h"
#include "queue_object.h"
#include "register_object.h"
#include "s2_object.h"
#include "semaphore_object.h"
#include "set_object.h"
#include "stack_object.h"

namespace porpentine::differential {
namespace {

/// A call or an end, in the order in which they are told.
struct Told {
  std::int64_t time = 0;
  std::size_t operation = 0;
  bool is_call = true;
};

/// The events of each process in its order, all in order of time, and in any order where times tie. Indeterminate
/// operations end before their process goes on, or some time or never.
template <typename Op>
std::vector<Told> in_time_order(const Events<Op>& events, Random& random) {
  std::map<int, std::vector<std::size_t>> by_process;
  for (std::size_t i = 0; i < events.size(); ++i) by_process[events[i].process].push_back(i);
  std::vector<std::vector<Told>> lines;
  for (auto& [process, operations] : by_process) {
    std::sort(operations.begin(), operations.end(),
              [&](std::size_t a, std::size_t b) { return earlier_in_process(events, a, b) && a != b; });
    std::vector<Told>& line = lines.emplace_back();
    for (std::size_t k = 0; k < operations.size(); ++k) {
      const Event<Op>& event = events[operations[k]];
      line.push_back({event.call, operations[k], true});
      const bool is_last = k + 1 == operations.size();
      if (event.ended != Ended::unknown) {
        line.push_back({event.ret, operations[k], false});
      } else if (!is_last || random.chance(50)) {
        const std::int64_t latest = is_last ? event.call + 10 : events[operations[k + 1]].call;
        line.push_back({event.call + random.below(static_cast<int>(latest - event.call) + 1), operations[k], false});
      }
    }
  }
  std::vector<Told> all;
  std::vector<std::size_t> next(lines.size(), 0);
  while (true) {
    std::vector<std::size_t> candidates;
    std::int64_t least = 0;
    for (std::size_t p = 0; p < lines.size(); ++p) {
      if (next[p] == lines[p].size()) continue;
      const std::int64_t time = lines[p][next[p]].time;
      if (candidates.empty() || time < least) candidates.clear();
      if (candidates.empty()) least = time;
      if (time == least) candidates.push_back(p);
    }
    if (candidates.empty()) return all;
    const std::size_t p = random.pick(candidates);
    all.push_back(lines[p][next[p]++]);
  }
}

template <typename R>
class StreamSubject {
 public:
  using Op = typename R::Op;

  /// `exact`: it is never unknown.
  StreamSubject(const R& object, std::string model, bool exact, StreamOptions options)
      : object_(object), model_(std::move(model)), exact_(exact), options_(options) {}

  /// What is wrong about what a stream says of the first `count` of the events, if anything.
  std::optional<std::string> objection(const Events<Op>& events, const std::vector<Told>& told, std::size_t count) {
    const Events<Op> prefix = known(events, told, count);
    const bool expected = linearizable(object_, prefix);
    tally.count(expected);
    std::optional<std::int64_t> fault;
    if (!expected) fault = FirstFailure<R>(object_, prefix).time();
    Stream stream = Stream::open(model_, options_).value();
    std::vector<bool> ended(events.size(), false);
    for (std::size_t k = 0; k < count; ++k) {
      if (auto error = tell(stream, events[told[k].operation], told[k])) return "an input error: " + error->message;
      if (!told[k].is_call) ended[told[k].operation] = true;
      if (stream.verdict() == Verdict::invalid && expected) return "invalid, by brute force valid: " + message(stream);
      if (exact_ && fault && told[k].time > *fault && all_ended(events, ended, *fault) &&
          stream.verdict() == Verdict::valid) {
        return "nothing found when all that was called by time " + std::to_string(*fault) + " had ended";
      }
    }
    if (exact_) {
      const Verdict verdict = stream.verdict_if_ended();
      if (verdict != (expected ? Verdict::valid : Verdict::invalid)) {
        return std::string("before the end ") + to_string(verdict) + ", by brute force otherwise: " + message(stream);
      }
    }
    const Verdict verdict = stream.finish();
    if (verdict == Verdict::unknown) {
      ++unknown;
      return stream.reason().empty() ? std::optional<std::string>("unknown without a reason") : std::nullopt;
    }
    if (verdict == (expected ? Verdict::valid : Verdict::invalid)) return std::nullopt;
    return std::string(to_string(verdict)) + ", by brute force otherwise: " + message(stream);
  }

  Tally tally;
  std::uint64_t unknown = 0;

 private:
  /// The first `count` of what is told as a history.
  static Events<Op> known(const Events<Op>& events, const std::vector<Told>& told, std::size_t count) {
    std::vector<bool> is_called(events.size(), false);
    std::vector<bool> has_ended(events.size(), false);
    for (std::size_t k = 0; k < count; ++k) (told[k].is_call ? is_called : has_ended)[told[k].operation] = true;
    Events<Op> prefix;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!is_called[i]) continue;
      prefix.push_back(events[i]);
      if (!has_ended[i]) prefix.back().ended = Ended::unknown;
    }
    return prefix;
  }

  static bool all_ended(const Events<Op>& events, const std::vector<bool>& ended, std::int64_t time) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].call <= time && !ended[i]) return false;
    }
    return true;
  }

  std::optional<Error> tell(Stream& stream, const Event<Op>& event, const Told& told) {
    const Names names(values_, Names::Scheme::plain);
    const std::string process = std::to_string(event.process);
    const Encoded encoded = object_.encode(event.op, event.ended == Ended::ok, names);
    if (told.is_call) {
      return stream.call(process, encoded.f, values_.to_json(names.key(event.key)), values_.to_json(encoded.input),
                         told.time);
    }
    if (event.ended == Ended::ok) return stream.ok(process, values_.to_json(encoded.output), told.time);
    if (auto error = stream.advance(told.time)) return error;
    return event.ended == Ended::fail ? stream.fail(process) : stream.info(process);
  }

  static std::string message(const Stream& stream) { return stream.failure() ? stream.failure()->message : ""; }

  R object_;
  std::string model_;
  bool exact_;
  StreamOptions options_;
  ValueTable values_;
};

template <typename Op>
std::string shown(const Events<Op>& events, const std::vector<Told>& told, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    const Event<Op>& event = events[told[k].operation];
    text += std::to_string(told[k].time) + " " + (told[k].is_call ? "call" : "end") + " of " +
            std::to_string(told[k].operation) + " by process " + std::to_string(event.process) + "\n";
  }
  return text;
}

/// `most_unknown_percent`: of all histories.
template <typename R>
void compare_streams(const R& object, const std::string& model, const Shape& shape, std::uint64_t first_seed,
                     std::uint64_t count, std::uint64_t most_unknown_percent = 0, StreamOptions options = {}) {
  StreamSubject<R> subject(object, model, most_unknown_percent == 0, options);
  Subject<R> printer(object, model);
  int reports = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count && reports < 3; ++seed) {
    Random random(seed);
    const auto events = random_history(object, shape, random);
    const std::vector<Told> told = in_time_order(events, random);
    for (const std::size_t end : {told.size(), static_cast<std::size_t>(random.below(static_cast<int>(told.size())))}) {
      const auto wrong = subject.objection(events, told, end);
      if (!wrong) continue;
      ++reports;
      printer.load(events);
      FAIL_CHECK(model << ", seed " << seed << ": " << *wrong << "\n" << printer.text() << shown(events, told, end));
    }
  }
  require_both_verdicts(subject.tally, model + ", streams");
  INFO(model << ": " << subject.unknown << " of " << subject.tally.histories << " are unknown");
  CHECK(subject.unknown * 100 <= most_unknown_percent * subject.tally.histories);
}

template <typename R>
void compare_streams(const R& object, const std::string& model, std::uint64_t first_seed,
                     std::uint64_t most_unknown_percent = 0) {
  const std::uint64_t count = by_level(300, 2'000, 100'000);
  compare_streams(object, model, {}, first_seed, count, most_unknown_percent);
  compare_streams(object, model, {.keys = 2}, first_seed + 500'000, count / 2, most_unknown_percent);
  // Where hardly anything is waited for, what can't be told apart is unknown, and nothing is wrong.
  compare_streams(object, model, {.keys = 2}, first_seed + 700'000, count / 4, 100, {.most_waiting = 3});
}

}  // namespace

TEST_CASE("registers that are told as they happen are judged as by brute force", "[register]") {
  compare_streams(RegisterObject{}, "register", 300'000'000);
  compare_streams(RegisterObject{.first = 2}, "register:initial=2", 301'000'000);
  compare_streams(RegisterObject{.nil_says_nothing = true}, "cas-register", 302'000'000);
}

TEST_CASE("key-value stores that are told as they happen are judged as by brute force", "[kv]") {
  compare_streams(KvObject{}, "kv", 303'000'000);
  compare_streams(KvObject{}, "kv:split=false", 304'000'000);
}

TEST_CASE("transactions that are told as they happen are judged as by brute force", "[multi_register]") {
  compare_streams(MultiRegisterObject{}, "multi-register", 305'000'000);
  compare_streams(MultiRegisterObject{.nil_says_nothing = true}, "multi-register:nil-read=any", 306'000'000);
}

TEST_CASE("queues that are told as they happen are judged as by brute force", "[queue]") {
  compare_streams(QueueObject{}, "queue", 307'000'000);
  compare_streams(QueueObject{.values = 20}, "queue", 308'000'000);
}

TEST_CASE("stacks that are told as they happen are judged as by brute force", "[stack]") {
  compare_streams(StackObject{}, "stack", 309'000'000);
  compare_streams(StackObject{.values = 20}, "stack", 310'000'000);
}

TEST_CASE("bags that are told as they happen are judged as by brute force", "[bag]") {
  compare_streams(BagObject{}, "bag", 311'000'000);
  compare_streams(BagObject{.values = 20}, "bag", 312'000'000);
  compare_streams(BagObject{.may_be_empty = false}, "bag", 313'000'000);
}

TEST_CASE("priority queues that are told as they happen are judged as by brute force", "[priority_queue]") {
  compare_streams(PriorityQueueObject{}, "priority-queue", 314'000'000);
  compare_streams(PriorityQueueObject{.values = 6, .odd_numbers = true}, "priority-queue", 315'000'000);
}

TEST_CASE("mutexes that are told as they happen are judged as by brute force", "[mutex]") {
  compare_streams(MutexObject{{}}, "mutex", 316'000'000);
  compare_streams(MutexObject{{.owned = true}}, "mutex:owned", 317'000'000);
  compare_streams(MutexObject{{.reentrant = true}}, "mutex:reentrant", 318'000'000);
  compare_streams(MutexObject{{.fenced = true}}, "mutex:fenced", 319'000'000);
  compare_streams(MutexObject{{.reentrant = true, .fenced = true}}, "mutex:reentrant:fenced", 320'000'000);
}

TEST_CASE("sets that are told as they happen are judged as by brute force", "[set]") {
  compare_streams(SetObject{}, "set", 321'000'000);
  compare_streams(SetObject{.whole_reads = false}, "set", 322'000'000);
}

TEST_CASE("counters that are told as they happen are judged as by brute force", "[counter]") {
  compare_streams(CounterObject{}, "counter", 323'000'000);
}

TEST_CASE("semaphores that are told as they happen are judged as by brute force", "[semaphore]") {
  compare_streams(SemaphoreObject{.permits = 3}, "semaphore:permits=3", 324'000'000);
}

TEST_CASE("banks that are told as they happen are judged as by brute force", "[bank]") {
  compare_streams(BankObject{}, BankObject::kModel, 325'000'000);
}

TEST_CASE("streams of s2 that are told as they happen are judged as by brute force", "[s2]") {
  compare_streams(S2Object{}, "s2", 326'000'000);
}

/// Without appends that may leave a log undecided.
struct SingleLogObject : LogObject {
  [[nodiscard]] Op invocation(Random& random) const {
    while (true) {
      Op op = LogObject::invocation(random);
      if (op.f != F::batch) return op;
    }
  }
};

/// Mostly sends, and what learns of them: of sends of unknown outcome a stream is told late what they sent.
struct LossyCausalObject : CausalObject {
  [[nodiscard]] Op invocation(Random& random) const {
    static const std::vector<F> words = {F::subscribe, F::subscribe, F::send,    F::send,    F::send,    F::send,
                                         F::deliver,   F::deliver,   F::deliver, F::observe, F::observe, F::begin,
                                         F::crash,     F::truncate,  F::drain,   F::marker,  F::abort};
    return {random.pick(words), random.below(2), random.below(kOffsets), random.chance(50)};
  }
};

TEST_CASE("causal delivery that is told as it happens is judged as by brute force", "[causal]") {
  compare_streams(CausalObject{}, "causal-delivery", {}, 350'000'000, by_level(300, 2'000, 100'000));
  compare_streams(LossyCausalObject{}, "causal-delivery", {.most_clients = 3, .failures = false}, 352'000'000,
                  by_level(1'000, 10'000, 100'000));
}

TEST_CASE("logs of single records that are told as they happen are judged as by brute force", "[log]") {
  compare_streams(SingleLogObject{{.silent_percent = 0}}, "log", 340'000'000);
}

TEST_CASE("logs that are told as they happen are judged as by brute force, or unknown", "[log]") {
  compare_streams(LogObject{.silent_percent = 0}, "log", 341'000'000, 20);
  compare_streams(LogObject{}, "log", 342'000'000, 40);
}

}  // namespace porpentine::differential
