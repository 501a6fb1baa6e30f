#include <porpentine/checker/stream.h>

#include "model_support.h"
#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

constexpr const char* kModel = "causal-delivery";

Op at(int process, const std::string& f, const std::string& input = "null", const std::string& output = "null") {
  return {f, input, output, "null", std::to_string(process)};
}
Op subscribe(int process, const std::string& ch, int position = 0) {
  return at(process, "subscribe", "[\"" + ch + "\", " + std::to_string(position) + "]");
}
Op send(int process, const std::string& ch, int offset) {
  return at(process, "send", "\"" + ch + "\"", std::to_string(offset));
}
Op on(int process, const std::string& f, const std::string& ch, int offset) {
  return at(process, f, "[\"" + ch + "\", " + std::to_string(offset) + "]");
}
Op deliver(int process, const std::string& ch, int offset) { return on(process, "deliver", ch, offset); }

/// Processes 2 and 3 consume a, 3 consumes b.
std::vector<Op> three(const std::vector<Op>& more) {
  std::vector<Op> ops = {subscribe(2, "a"), subscribe(3, "a"), subscribe(3, "b")};
  ops.insert(ops.end(), more.begin(), more.end());
  return ops;
}

Op pick(Random& random) {
  const int process = static_cast<int>(random.below(2));
  const std::string ch = random.of({"a", "b"});
  const int offset = static_cast<int>(random.below(2));
  switch (random.below(12)) {
    case 0:
    case 1:
      return subscribe(process, ch, offset);
    case 2:
    case 3:
    case 4:
      return send(process, ch, offset);
    case 5:
    case 6:
    case 7:
      return deliver(process, ch, offset);
    case 8:
      return at(process, random.of({"begin", "commit", "abort"}));
    case 9:
      return at(process, "crash", random.of({"\"staged\"", "\"all\""}));
    case 10:
      return at(process, random.of({"restart", "drain"}));
    default:
      return on(process, random.of({"observe", "marker", "truncate"}), ch, offset);
  }
}

}  // namespace

TEST_CASE("an actor delivers no record before what precedes it") {
  const std::vector<Op> chain = three({send(1, "a", 0), deliver(2, "a", 0), send(2, "b", 0)});
  const auto with = [&](const std::vector<Op>& more) {
    std::vector<Op> ops = chain;
    ops.insert(ops.end(), more.begin(), more.end());
    return run(kModel, ops);
  };
  CHECK(with({deliver(3, "a", 0), deliver(3, "b", 0), at(9, "drain")}) == "");
  CHECK(with({deliver(3, "b", 0)}) == "3 has not delivered a@0, which precedes b@0");
  CHECK(with({at(3, "unsubscribe", "\"a\""), deliver(3, "b", 0)}) == "");
  CHECK(with({on(4, "observe", "b", 0), send(4, "b", 1), deliver(3, "b", 1)}) ==
        "3 has not delivered a@0, which precedes b@1");
}

TEST_CASE("an actor delivers what was sent, once, and in order") {
  const std::vector<Op> two = {subscribe(3, "a"), send(1, "a", 0), send(2, "a", 1)};
  const auto with = [&](const std::vector<Op>& more) {
    std::vector<Op> ops = two;
    ops.insert(ops.end(), more.begin(), more.end());
    return run(kModel, ops);
  };
  CHECK(with({deliver(3, "a", 2)}) == "nothing was sent to a@2");
  CHECK(with({on(4, "observe", "a", 2)}) == "nothing was sent to a@2");
  CHECK(with({deliver(3, "a", 0), deliver(3, "a", 0)}) == "3 has delivered a@0");
  CHECK(with({deliver(3, "a", 1), deliver(3, "a", 0)}) == "3 has delivered a@1");
  CHECK(with({send(3, "a", 1)}) == "a@1 holds a record");
  CHECK(with({on(9, "marker", "a", 2), send(3, "a", 2)}) == "a@2 holds a marker");
  CHECK(with({on(9, "marker", "a", 1)}) == "a@1 holds a record that was not aborted");
  CHECK(with({on(9, "truncate", "a", 1)}) == "3 has not delivered a@0");
  CHECK(with({deliver(3, "a", 0), on(9, "truncate", "a", 1)}) == "");
  CHECK(with({deliver(3, "a", 0), at(9, "drain")}) == "3 has not delivered a@1");
  CHECK(with({at(9, "drain", "[\"1\"]")}) == "");
}

TEST_CASE("an aborted step has not happened, and its records are holes") {
  CHECK(run(kModel, three({at(1, "begin"), send(1, "a", 0), at(1, "abort"), deliver(2, "a", 0)})) == "a@0 was aborted");
  CHECK(run(kModel, three({at(1, "begin"), send(1, "a", 0), deliver(2, "a", 0), at(1, "abort")})) ==
        "a@0 was delivered");
  CHECK(run(kModel, three({at(1, "begin"), send(1, "a", 0), at(1, "crash", "\"staged\""), at(9, "drain")})) == "");
  CHECK(run(kModel, three({send(1, "a", 0), at(2, "begin"), deliver(2, "a", 0), at(2, "abort"), send(2, "b", 0),
                           deliver(3, "b", 0), deliver(2, "a", 0)})) == "");
  CHECK(run(kModel, {at(1, "commit")}) == "1 has not begun a step");
  CHECK(run(kModel, {at(1, "begin"), at(1, "begin")}) == "1 has not ended its step");
}

TEST_CASE("who crashed does nothing, and may have lost its memory") {
  const Op crash = at(2, "crash", "\"staged\"");
  CHECK(run(kModel, three({crash, send(2, "b", 0)})) == "2 is down");
  CHECK(run(kModel, {at(2, "restart")}) == "2 has not crashed");
  CHECK(run(kModel, three({send(1, "a", 0), deliver(2, "a", 0), crash, at(2, "restart"), deliver(2, "a", 0)})) ==
        "2 has delivered a@0");
  CHECK(run(kModel, three({send(1, "a", 0), deliver(2, "a", 0), at(2, "crash", "\"all\""), at(2, "restart"),
                           deliver(2, "a", 0)})) == "");
}

TEST_CASE("what is unknown may have happened") {
  // A send whose offset nobody knows sent what was delivered.
  const Case sent = make_case(kModel, {subscribe(3, "a"), lost(send(1, "a", 0)), deliver(3, "a", 5)});
  CHECK(orders_by_machine(sent) == orders_by_replay(sent));
  CHECK(orders_by_machine(sent).count({0, 2}) == 1);
  // A commit was one, or an abort.
  const std::vector<Op> step = {at(1, "begin"), send(1, "a", 0), lost(at(1, "commit")), at(1, "begin")};
  std::vector<Op> seen = step;
  seen.push_back(deliver(3, "a", 0));
  CHECK(run(kModel, seen) == "");
  std::vector<Op> drained = step;
  drained.insert(drained.begin(), subscribe(3, "a"));
  drained.push_back(at(9, "drain"));
  CHECK(run(kModel, drained) == "");
}

TEST_CASE("a send of unknown outcome got an offset that is told by whoever sees it") {
  const std::vector<Op> lost_b = {subscribe(3, "b"), lost(send(1, "b", 0))};
  const auto after = [&](const std::vector<Op>& more) {
    std::vector<Op> ops = lost_b;
    ops.insert(ops.end(), more.begin(), more.end());
    return run(kModel, ops);
  };
  // What its sender learned later does not precede it.
  const std::vector<Op> learned = {subscribe(3, "a"), send(2, "a", 0), on(1, "observe", "a", 0), at(1, "begin")};
  std::vector<Op> seen = learned;
  seen.push_back(deliver(3, "b", 5));
  CHECK(after(seen) == "");
  CHECK(after({send(1, "a", 0), deliver(3, "b", 5), deliver(3, "b", 5)}) == "3 has delivered b@5");
  // Its sender's later records are preceded by it: nobody missed it, so it would have to be below the baseline.
  CHECK(after({send(1, "c", 0), deliver(3, "c", 0)}) == "3 has not delivered b@?, which precedes c@0");
  CHECK(after({at(9, "drain")}) == "3 has not delivered b@?");
  const std::vector<Op> from_two = {subscribe(3, "b", 2), lost(send(1, "b", 0)), at(9, "drain")};
  const auto drained = [&](int offset) {
    std::vector<Op> ops = from_two;
    ops.push_back(on(4, "observe", "b", offset));
    return run(kModel, ops);
  };
  CHECK(drained(1) == "");
  CHECK(drained(2) == "nothing was sent to b@2");
  // A truncation that nobody minded did not cut it off.
  CHECK(after({on(9, "truncate", "b", 3), on(4, "observe", "b", 3)}) == "");
  CHECK(after({on(9, "truncate", "b", 3), on(4, "observe", "b", 2)}) == "nothing was sent to b@2");
  // A hole is where its marker is.
  CHECK(run(kModel, {at(1, "begin"), lost(send(1, "b", 0)), at(1, "abort"), on(9, "marker", "b", 4),
                     on(4, "observe", "b", 4)}) == "");
  CHECK(run(kModel, {at(1, "begin"), lost(send(1, "b", 0)), on(9, "marker", "b", 4), at(1, "abort"),
                     on(4, "observe", "b", 4)}) == "nothing was sent to b@4");
}

TEST_CASE("a stream may be told late what a lost send sent") {
  Stream stream = Stream::open(kModel, {}).value();
  std::int64_t time = 0;
  const auto done = [&](const char* process, const char* f, const char* input, const char* output = "null") {
    REQUIRE_FALSE(stream.call(process, f, "null", input, time++));
    REQUIRE_FALSE(stream.ok(process, output, time++));
  };
  done("3", "subscribe", R"(["a", 0])");
  done("3", "subscribe", R"(["b", 0])");
  done("2", "send", R"("a")", "0");
  REQUIRE_FALSE(stream.call("1", "send", "null", R"("b")", time++));
  REQUIRE_FALSE(stream.info("1"));
  done("1", "observe", R"(["a", 0])");
  done("1", "crash", R"("staged")");
  SECTION("in time") {
    done("3", "deliver", R"(["b", 5])");
    done("3", "deliver", R"(["a", 0])");
    CHECK(stream.finish() == Verdict::valid);
  }
  SECTION("twice") {
    done("3", "deliver", R"(["b", 5])");
    done("3", "deliver", R"(["b", 6])");
    CHECK(stream.finish() == Verdict::invalid);
  }
}

TEST_CASE("a drain lists actors by their names") {
  const std::vector<Op> sent = {subscribe(3, "a"), send(1, "a", 0)};
  const auto drained = [&](const std::string& list) {
    std::vector<Op> ops = sent;
    ops.push_back(at(9, "drain", list));
    return run(kModel, ops);
  };
  CHECK(drained("[1, 3]") == "3 has not delivered a@0");
  CHECK(drained(R"(["3"])") == "3 has not delivered a@0");
  CHECK(drained("[1]") == "");
  CHECK(complaint(kModel, {at(9, "drain", "[null]")}) ==
        "test.jsonl:1: drain takes nothing or [actor, ...], not [null] (array)");
}

TEST_CASE("malformed events of a causal history are told") {
  CHECK(complaint(kModel, {at(1, "deliver", "\"a\"")}) ==
        "test.jsonl:1: deliver takes [channel, offset], not \"a\" (string)");
  CHECK(complaint(kModel, {at(1, "deliver", "[\"a\", -1]")}) ==
        "test.jsonl:1: deliver takes [channel, offset], not [\"a\",-1] (array)");
  CHECK(complaint(kModel, {at(1, "crash", "\"some\"")}) ==
        "test.jsonl:1: crash takes \"staged\" or \"all\", not \"some\" (string)");
  CHECK(complaint(kModel, {at(1, "send", "\"a\"", "\"x\"")}) ==
        "test.jsonl:1: send returns the record's offset, an unsigned integer, not \"x\" (string)");
  CHECK(complaint(kModel, {at(1, "reboot")}).find("reboot") != std::string::npos);
}

TEST_CASE("deliveries that are known as intervals are ordered by the search") {
  const std::string begin = line(0, "subscribe", "[\"a\", 0]", "null", 0, 1) +
                            line(0, "subscribe", "[\"b\", 0]", "null", 2, 3) + line(1, "send", "\"a\"", "0", 4, 5) +
                            line(1, "send", "\"b\"", "0", 6, 7);
  // Two threads of one actor are two processes here: the first delivery was called first, and returned last.
  CHECK(verdict(kModel, begin + line(0, "deliver", "[\"b\", 0]", "null", 8, 9) +
                            line(0, "deliver", "[\"a\", 0]", "null", 10, 11)) == "invalid");
  CHECK(verdict(kModel, begin + line(0, "deliver", "[\"a\", 0]", "null", 8, 9) +
                            line(0, "deliver", "[\"b\", 0]", "null", 10, 11)) == "valid");
  // The send of b overlaps that of a, which returned later: whichever order saves it is found.
  const std::string overlapping =
      line(0, "subscribe", "[\"a\", 0]", "null", 0, 1) + line(0, "subscribe", "[\"b\", 0]", "null", 2, 3) +
      line(1, "send", "\"a\"", "0", 4, 20) + line(2, "deliver", "[\"a\", 0]", "null", 5, 19) +
      line(2, "send", "\"b\"", "0", 20, 21);
  CHECK(verdict(kModel, overlapping + line(0, "deliver", "[\"a\", 0]", "null", 6, 30) +
                            line(0, "deliver", "[\"b\", 0]", "null", 31, 32)) == "valid");
  CHECK(verdict(kModel, overlapping + line(0, "deliver", "[\"b\", 0]", "null", 22, 23) +
                            line(0, "deliver", "[\"a\", 0]", "null", 24, 25)) == "invalid");
}

TEST_CASE("the machine of causal delivery accepts what its replay accepts") {
  compare_on_random_operations(kModel, pick, 3000);
}
