#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op pick_log(Random& random) {
  const auto value = [&] { return random.of({"\"a\"", "\"b\"", "\"c\""}); };
  const auto offset = [&] { return random.of({"0", "1", "2", "3"}); };
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return {"append", value(), offset()};
    case 3:
      return {"append", value()};
    case 4:
      return {"append-batch", std::string("[") + value() + ", " + value() + "]", random.of({"null", "0", "1"})};
    case 5:
      return {"append-batch", random.of({"[]", "[\"a\"]"}), offset()};
    case 6:
    case 7:
    case 8:
      return {"read", offset(), random.chance(40) ? "null" : value()};
    case 9:
      return {"tail", "null", offset()};
    case 10:
      return {"scan", offset(), "[]"};
    default: {
      const std::string from = random.of({"0", "1"});
      const std::string next = random.chance(90) ? std::to_string(from == "0" ? 1 : 2) : "5";
      return {"scan", from, "[[" + from + ", " + value() + "], [" + next + ", " + value() + "]]"};
    }
  }
}

/// Mostly lost appends with evidence about some offsets.
Op pick_holes(Random& random) {
  if (random.chance(50)) return lost({"append", random.of({"\"a\"", "\"b\"", "\"c\""})});
  switch (random.below(4)) {
    case 0:
      return {"read", random.of({"0", "1", "2"}), random.of({"\"a\"", "\"b\""})};
    case 1:
      return {"tail", "null", random.of({"1", "2", "3"})};
    case 2:
      return lost({"append-batch", random.of({"[\"a\", \"b\"]", "[\"c\", \"a\"]"})});
    default:
      return {"append", "\"a\"", random.of({"1", "2"})};
  }
}

std::vector<Label> labels(const std::vector<Op>& ops) {
  const Case tested = make_case("log", ops);
  return tested.model->bind(tested.history, tested.operations()).labels;
}

}  // namespace

TEST_CASE("an append returns the offset at which its value is from then on") {
  CHECK(run("log",
            {{"append", "\"a\"", "0"}, {"append", "\"b\"", "1"}, {"read", "0", "\"a\""}, {"read", "1", "\"b\""}}) ==
        "");
  CHECK(run("log", {{"append", "\"a\"", "1"}}) == "the log's length is 0");
  CHECK(run("log", {{"append", "\"a\"", "0"}, {"read", "0", "\"b\""}}) == "offset 0 holds \"a\"");
  CHECK(run("log", {{"append", "42", "0"}, {"read", "0", "\"42\""}}) ==
        "offset 0 holds the integer 42, not the string \"42\"");
}

TEST_CASE("a read that found nothing comes before there is something") {
  CHECK(run("log", {{"read", "0"}, {"append", "\"a\"", "0"}, {"read", "1"}}) == "");
  CHECK(run("log", {{"append", "\"a\"", "0"}, {"read", "0"}}) == "offset 0 holds \"a\"");
  CHECK(run("log", {{"read", "0", "\"a\""}}) == "the log's length is 0");
}

TEST_CASE("a tail is the log's length") {
  CHECK(run("log", {{"tail", "null", "0"}, {"append", "\"a\"", "0"}, {"tail", "null", "1"}}) == "");
  CHECK(run("log", {{"append", "\"a\"", "0"}, {"tail", "null", "0"}}) == "the log's length is 1");
}

TEST_CASE("a batch takes consecutive offsets") {
  CHECK(run("log", {{"append-batch", "[\"a\", \"b\"]", "0"}, {"read", "1", "\"b\""}, {"append", "\"c\"", "2"}}) == "");
  CHECK(run("log", {{"append-batch", "[\"a\", \"b\"]", "0"}, {"append", "\"c\"", "1"}}) == "the log's length is 2");
  CHECK(run("log", {{"append-batch", "[]", "0"}, {"tail", "null", "0"}}) == "");
}

TEST_CASE("a scan shows a run without gaps from its offset, to the end or not; an empty one that nothing is there") {
  const std::vector<Op> two{{"append", "\"a\"", "0"}, {"append", "\"b\"", "1"}};
  const auto after_two = [&](const Op& op) {
    std::vector<Op> ops = two;
    ops.push_back(op);
    return run("log", ops);
  };
  CHECK(after_two({"scan", "0", R"([[0, "a"], [1, "b"]])"}) == "");
  CHECK(after_two({"scan", "0", R"([[0, "a"]])"}) == "");
  CHECK(after_two({"scan", "2", "[]"}) == "");
  CHECK(after_two({"scan", "1", "[]"}) == "offset 1 holds \"b\"");
  CHECK(after_two({"scan", "0", R"([[0, "b"]])"}) == "offset 0 holds \"a\"");
  CHECK(after_two({"scan", "1", R"([[1, "b"], [2, "c"]])"}) == "the log's length is 2");
  CHECK(after_two({"scan", "0", R"([[1, "b"]])"}) == "the scan shows offset 1 where offset 0 is due");
}

TEST_CASE("an append that returned no offset took effect somewhere") {
  CHECK(run("log", {{"append", "\"a\""}, {"tail", "null", "1"}}) == "");
  CHECK(run("log", {{"append", "\"a\""}, {"tail", "null", "0"}}) == "the log's length is 1");
}

TEST_CASE("a lost append may fill the offset between two others, if its value was not seen to be another") {
  const Op lost_append = lost({"append", "\"x\""});
  CHECK(run("log", {{"append", "\"a\"", "0"}, lost_append, {"append", "\"b\"", "2"}}) == "");
  const Case seen =
      make_case("log", {{"append", "\"a\"", "0"}, lost_append, {"read", "1", "\"y\""}, {"append", "\"b\"", "2"}});
  CHECK(orders_by_machine(seen).empty());
  const Case right =
      make_case("log", {{"append", "\"a\"", "0"}, lost_append, {"read", "1", "\"x\""}, {"append", "\"b\"", "2"}});
  CHECK(orders_by_machine(right).size() == 2);
}

TEST_CASE("offsets have 64 bits") {
  CHECK(run("log", {{"append", "\"a\"", "4294967296"}}) == "the log's length is 0");
  CHECK(run("log", {{"append", "\"a\"", "0"}, {"read", "4294967296"}}) == "");
  CHECK(run("log", {{"append", "\"a\"", "0"}, {"read", "4294967296", "\"a\""}}) == "the log's length is 1");
  CHECK(run("log", {{"tail", "null", "18446744073709551615"}}) == "the log's length is 0");
  CHECK(run("log", {{"scan", "18446744073709551615", R"([[18446744073709551615, "a"], [0, "b"]])"}}) ==
        "the log's length is 0");
}

TEST_CASE("two appends that returned one offset can't both be right, which is told at once") {
  const Case tested = make_case("log", {{"append", "\"a\"", "0"}, {"append", "\"a\"", "0"}});
  CHECK(orders_by_machine(tested).empty());
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK_FALSE(bound.machine->viable(0, bound.labels[1]));
}

TEST_CASE("lost appends of values that nobody saw are one label, and none where there is no room for them") {
  const std::vector<Op> gap{lost({"append", "\"x\""}), lost({"append", "\"y\""}), {"append", "\"a\"", "1"}};
  CHECK(labels(gap)[0] == labels(gap)[1]);
  CHECK(labels(gap)[0] != kIrrelevant);
  const std::vector<Op> full{lost({"append", "\"x\""}), {"append", "\"a\"", "0"}, {"read", "1"}};
  CHECK(labels(full)[0] == kIrrelevant);
  CHECK(labels(full)[2] != kIrrelevant);
  const std::vector<Op> awaited{lost({"append", "\"x\""}), lost({"append", "\"y\""}), {"read", "0", "\"x\""}};
  CHECK(labels(awaited)[0] != kIrrelevant);
  CHECK(labels(awaited)[1] == kIrrelevant);
}

TEST_CASE("a lost append can't be at an offset that another append returned, whatever its value") {
  CHECK(labels({lost({"append", "\"a\""}), {"append", "\"a\"", "0"}})[0] == kIrrelevant);
}

TEST_CASE("reads of one offset share a label") {
  const auto bound = labels({{"append", "\"a\"", "0"}, {"read", "0", "\"a\""}, {"read", "0", "\"a\""}, {"read", "0"}});
  CHECK(bound[1] == bound[2]);
  CHECK(bound[1] != bound[3]);
}

TEST_CASE("a log that is too long already is told at once") {
  const Case tested =
      make_case("log", {{"append", "\"a\"", "0"}, {"append", "\"b\"", "1"}, {"read", "0"}, {"tail", "null", "1"}});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  Machine& machine = *bound.machine;
  CHECK(machine.viable(0, bound.labels[0]));
  CHECK_FALSE(machine.viable(1, bound.labels[0]));
  CHECK_FALSE(machine.viable(1, bound.labels[2]));
  CHECK(machine.viable(1, bound.labels[3]));
  CHECK_FALSE(machine.viable(2, bound.labels[3]));
}

TEST_CASE("the machine of a log accepts what its replay accepts") {
  compare_on_random_operations("log", pick_log, 6000);
  compare_on_random_operations("log", pick_holes, 4000);
}

TEST_CASE("a log says what is wrong with its operations") {
  const std::string offset = "an offset, a non-negative integer, not ";
  CHECK(complaint("log", {{"append", "\"a\"", "-1"}}) == "test.jsonl:1: append returns " + offset + "-1 (integer)");
  CHECK(complaint("log", {{"append", "\"a\"", "\"5\""}}) ==
        "test.jsonl:1: append returns " + offset + "\"5\" (string)");
  CHECK(complaint("log", {{"append", "\"a\"", "1.5"}}) == "test.jsonl:1: append returns " + offset + "1.5 (number)");
  CHECK(complaint("log", {{"append", "null", "0"}}) ==
        "test.jsonl:1: append takes a value other than null, but its input is missing or null");
  CHECK(complaint("log", {{"append-batch", "\"a\"", "0"}}) ==
        "test.jsonl:1: append-batch takes [value, ...] without null, not \"a\" (string)");
  CHECK(complaint("log", {{"read", "null", "\"a\""}}) ==
        "test.jsonl:1: read takes an offset, a non-negative integer, but its input is missing or null");
  CHECK(complaint("log", {{"read", "-1"}}) == "test.jsonl:1: read takes " + offset + "-1 (integer)");
  CHECK(complaint("log", {{"tail"}}) ==
        "test.jsonl:1: tail returns a length, a non-negative integer, but its output is missing or null");
  CHECK(complaint("log", {lost({"tail"})}) == "");
  CHECK(complaint("log", {{"scan", "0", "[5]"}}) ==
        "test.jsonl:1: scan returns [[offset, value], ...] without null, not [5] (array)");
  CHECK(complaint("log", {{"scan", "0"}}) != "");
}

TEST_CASE("the state of a log is its end") {
  CHECK(state_after("log", {{"append", "1", "0"}, {"append", "2", "1"}}) == "[1, 2]");
  CHECK(state_after("log", {{"append-batch", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "0"}}) ==
        "[..., 2, 3, 4, 5, 6, 7, 8, 9] (9 records)");
}
