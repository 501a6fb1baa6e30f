// More operations at once than a machine word has bits: histories whose verdict is known by how they are made.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kv_object.h"
#include "log_object.h"
#include "matrix.h"
#include "mutex_object.h"
#include "register_object.h"

namespace porpentine::differential {
namespace {

template <typename Op>
Event<Op> at(Event<Op> event, int process, std::int64_t call, std::int64_t ret) {
  event.process = process;
  event.call = call;
  event.ret = ret;
  return event;
}

/// The answer of one way, which must come within a number of steps or not at all.
template <typename S>
CheckResult answer(S& subject, const Events<typename S::Op>& events, const Way& way,
                   std::uint64_t step_limit = 1'000'000) {
  subject.load(events);
  REQUIRE_FALSE(subject.input_error());
  CheckOptions options = options_of(way);
  options.step_limit = step_limit;
  return subject.check(options);
}

/// Every way decides, and says `expected`.
template <typename S>
void require_verdict(S& subject, const Events<typename S::Op>& events, Verdict expected) {
  for (const Way& way : all_ways()) {
    INFO(subject.model() << ", " << way.name);
    const CheckResult result = answer(subject, events, way);
    CHECK(std::string(to_string(result.verdict)) == to_string(expected));
    if (result.verdict != Verdict::valid || way.monitors || subject.parts().size() != 1) continue;
    const auto& found = result.partitions.front().linearization;
    CHECK(is_linearization(subject.object(), events, std::vector<std::size_t>(found.begin(), found.end())));
  }
}

/// No way contradicts what is valid, and the portfolio decides.
template <typename S>
void require_validity(S& subject, const Events<typename S::Op>& events) {
  for (const Way& way : all_ways()) {
    INFO(subject.model() << ", " << way.name);
    const Verdict verdict = answer(subject, events, way, 50'000).verdict;
    CHECK((verdict == Verdict::valid || (verdict == Verdict::unknown && way.order == SearchOrder::breadth_first)));
  }
}

constexpr int kMany = 100;

Event<RegisterObject::Op> write(int value) { return known(RegisterObject::Op{RegisterObject::F::write, value}); }
Event<RegisterObject::Op> lost_write(int value) { return unknown(RegisterObject::Op{RegisterObject::F::write, value}); }
Event<RegisterObject::Op> read(int value) { return known(RegisterObject::Op{RegisterObject::F::read, value}); }

Event<LogObject::Op> append(int value, int offset) {
  return known(LogObject::Op{LogObject::F::append, {value}, offset});
}

Events<LogObject::Op> appends_at_once(int count) {
  Events<LogObject::Op> events;
  for (int i = 0; i < count; ++i) events.push_back(at(append(i + 1, (i * 37) % count), i, i % 5, 1000 + i % 7));
  return events;
}

}  // namespace

TEST_CASE("of a hundred writes at once any may be the last", "[large]") {
  Subject<RegisterObject> subject({}, "register");
  Events<RegisterObject::Op> events;
  for (int i = 0; i < kMany; ++i) events.push_back(at(write(i + 1), i, 0, 10));
  for (const int last : {1, 50, kMany}) {
    Events<RegisterObject::Op> longer = events;
    longer.push_back(at(read(last), 0, 11, 12));
    require_validity(subject, longer);
  }
  events.push_back(at(read(kMany + 1), 0, 11, 12));
  for (const Way& way : all_ways()) CHECK(answer(subject, events, way, 50'000).verdict != Verdict::valid);
}

TEST_CASE("a hundred reads at once see the old value or the new one, and no third", "[large]") {
  Subject<RegisterObject> subject({}, "register");
  Events<RegisterObject::Op> events{at(write(1), 0, 5, 6)};
  for (int i = 1; i <= kMany; ++i) events.push_back(at(read(i % 2), i, i % 5, 6 + i % 3));
  require_verdict(subject, events, Verdict::valid);
  events.push_back(at(read(2), kMany + 1, 1, 7));
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("a hundred lost writes explain a hundred reads, and no more", "[large]") {
  Subject<RegisterObject> subject({}, "register");
  Events<RegisterObject::Op> events;
  for (int i = 0; i < kMany; ++i) events.push_back(at(lost_write(1), i, 0, 0));
  const auto resurrections = [&](int count) {
    Events<RegisterObject::Op> longer = events;
    for (int i = 0; i < count; ++i) {
      longer.push_back(at(read(1), kMany, 4 * i, 4 * i + 1));
      longer.push_back(at(write(2), kMany, 4 * i + 2, 4 * i + 3));
    }
    return longer;
  };
  require_verdict(subject, resurrections(kMany), Verdict::valid);
  require_verdict(subject, resurrections(kMany + 1), Verdict::invalid);
}

TEST_CASE("a hundred lost writes of other values explain nothing", "[large]") {
  Subject<RegisterObject> subject({}, "register");
  Events<RegisterObject::Op> events;
  for (int i = 0; i < kMany; ++i) events.push_back(at(lost_write(i + 10), i, 0, 0));
  events.push_back(at(write(1), kMany, 1, 2));
  events.push_back(at(read(1), kMany, 3, 4));
  require_verdict(subject, events, Verdict::valid);
  events.push_back(at(read(2), kMany, 5, 6));
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("the offsets of two hundred appends at once tell their order", "[large]") {
  Subject<LogObject> subject({}, "log");
  Events<LogObject::Op> events = appends_at_once(200);
  require_verdict(subject, events, Verdict::valid);
  events.push_back(at(known(LogObject::Op{LogObject::F::tail, {}, 200}), 0, 2000, 2001));
  require_verdict(subject, events, Verdict::valid);
  events.back().op.offset = 199;
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("two of two hundred appends at one offset can't be ordered", "[large]") {
  Subject<LogObject> subject({}, "log");
  Events<LogObject::Op> events = appends_at_once(200);
  events[77].op.offset = events[78].op.offset;
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("a gap that no append can fill is found among two hundred appends at once", "[large]") {
  Subject<LogObject> subject({}, "log");
  Events<LogObject::Op> events = appends_at_once(200);
  events[77].op.offset = 200;
  require_verdict(subject, events, Verdict::invalid);
  // A lost append of any value fills it.
  events.push_back(at(unknown(LogObject::Op{LogObject::F::append, {500}}), 300, 0, 0));
  require_verdict(subject, events, Verdict::valid);
  events.back().call = 2000;
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("a hundred clients wait for a lock that one holds at a time", "[large]") {
  Subject<MutexObject> subject({}, "mutex");
  Events<MutexObject::Op> events;
  for (int i = 0; i < kMany; ++i) {
    events.push_back(at(known(MutexObject::Op{true}), i, 0, 4 * i + 1));
    events.push_back(at(known(MutexObject::Op{false}), i, 4 * i + 2, 4 * i + 3));
  }
  require_verdict(subject, events, Verdict::valid);
  events.erase(events.begin() + 101);
  require_verdict(subject, events, Verdict::invalid);
}

TEST_CASE("random histories of a hundred clients are valid as they were made", "[large]") {
  const Shape shape{.least_operations = 150,
                    .most_operations = 300,
                    .least_clients = 80,
                    .most_clients = 120,
                    .failures = false,
                    .damaged = false};
  Subject<LogObject> subject({}, "log");
  for (std::uint64_t seed = 70'000'000; seed < 70'000'000 + (full_size() ? 100U : 5U); ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Events<LogObject::Op> events = random_history(subject.object(), shape, random);
    require_validity(subject, events);
    events.push_back(at(append(1, 10'000), 10'000, 0, 1));
    for (const Way& way : all_ways()) CHECK(answer(subject, events, way, 50'000).verdict != Verdict::valid);
  }
}

}  // namespace porpentine::differential
