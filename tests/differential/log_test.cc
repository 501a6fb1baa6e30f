// Logs against brute force.
#include "log_object.h"
#include "matrix.h"

namespace porpentine::differential {
namespace {

using Op = LogObject::Op;
using F = LogObject::F;

Op append(int value, int offset = 0) { return {F::append, {value}, offset}; }
Op batch(std::vector<int> values, int offset = 0) { return {F::batch, std::move(values), offset}; }
Op read(int offset, int value = 0) { return {F::read, {value}, offset}; }
Op tail(int length) { return {F::tail, {}, length}; }
Op scan(int offset, std::vector<int> run) { return {F::scan, std::move(run), offset}; }

}  // namespace

TEST_CASE("every small log history is judged as by brute force", "[log]") {
  Subject<LogObject> subject({}, "log");
  compare_every(
      subject,
      {.wide = {known(append(1, 0)), known(append(2, 1)), known(append(1, 2)), known(append(2, LogObject::kSilent)),
                known(batch({1, 2}, 0)), known(read(0)), known(read(1, 2)), known(tail(1)), known(tail(2)),
                known(scan(0, {1})), known(scan(1, {})), unknown(append(1)), unknown(batch({1, 2}))},
       .medium = {known(append(1, 0)), known(append(2, 1)), known(append(1, 2)), known(read(0)), known(read(1, 2)),
                  known(tail(1)), known(scan(0, {1, 2})), unknown(append(1)), unknown(batch({1, 2}))},
       .narrow = {known(append(1, 0)), known(append(1, 1)), known(read(0)), known(read(1, 1)), known(tail(1)),
                  unknown(append(1))},
       .least = {known(append(1, 0)), known(append(1, 1)), known(read(1)), unknown(append(1))}});
}

TEST_CASE("random log histories are judged as by brute force", "[log]") {
  Subject<LogObject> subject({}, "log");
  compare_random(subject, {}, 20'000'000);
}

TEST_CASE("random histories of two logs are judged as by brute force", "[log]") {
  Subject<LogObject> subject({}, "log");
  compare_random(subject, {.keys = 2}, 21'000'000);
}

TEST_CASE("longer random log histories are judged as by brute force", "[log]") {
  Subject<LogObject> subject({}, "log");
  compare_longer(subject, longer(), 22'000'000);
}

TEST_CASE("random log histories are judged by the monitor as by brute force", "[log]") {
  Subject<LogObject> subject({.silent_percent = 1}, "log");
  compare_monitor(subject, {}, 23'000'000);
  compare_monitor(subject, {.keys = 2}, 25'000'000);
}

}  // namespace porpentine::differential
