#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

Op pick_on_one_key(Random& random) {
  const auto text = [&] { return random.of({"\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"aab\"", "\"c\""}); };
  const auto value = [&] { return random.chance(20) ? random.of({"null", "1"}) : text(); };
  const std::string pair = std::string("[") + value() + ", " + value() + "]";
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {"get", "null", value()};
    case 4:
    case 5:
    case 6:
    case 7:
      return {"append", text()};
    case 8:
      return {"put", value()};
    case 9:
      return {"put", "1"};
    case 10:
      return {"delete"};
    default:
      return {"cas", pair, random.of({"true", "false"})};
  }
}

Op pick_appends_and_gets(Random& random) {
  if (random.chance(50)) return {"get", "null", random.of({"null", "\"a\"", "\"ab\"", "\"aba\"", "\"b\"", "\"ba\""})};
  return {"append", random.of({"\"a\"", "\"b\"", "\"ab\"", "\"c\""})};
}

Op pick_on_three_keys(Random& random) {
  Op op = random.chance(50) ? pick_on_one_key(random) : pick_appends_and_gets(random);
  op.key = random.of({"1", "2", "\"x\""});
  return op;
}

}  // namespace

TEST_CASE("a key is absent until something is put, and after it is deleted") {
  CHECK(run("kv", {{"get"}, {"put", "5"}, {"get", "null", "5"}, {"delete"}, {"get"}}) == "");
  CHECK(run("kv", {{"get", "null", "5", "\"x\""}}) == "key \"x\" is absent");
  CHECK(run("kv", {{"put", "5"}, {"get"}}) == "the key holds 5");
  CHECK(run("kv", {{"put", "5"}, {"put", "null"}, {"get"}}) == "");
}

TEST_CASE("an append to an absent key gives its text, and to a text both") {
  CHECK(run("kv", {{"append", "\"a\""}, {"append", "\"b\""}, {"get", "null", "\"ab\""}}) == "");
  CHECK(run("kv", {{"append", "\"a\""}, {"append", "\"b\""}, {"get", "null", "\"ba\""}}) == "the key holds \"ab\"");
  CHECK(run("kv", {{"append", "\"\""}, {"get", "null", "\"\""}}) == "");
  CHECK(run("kv", {{"append", "\"a\"", "\"a\""}, {"get", "null", "\"a\""}}) == "");
}

TEST_CASE("an append to what is no text is refused") {
  CHECK(run("kv", {{"put", "5"}, {"append", "\"a\""}}) == "the key holds 5, which is no text");
  CHECK(run("kv", {{"put", "5"}, {"delete"}, {"append", "\"a\""}, {"get", "null", "\"a\""}}) == "");
}

TEST_CASE("a compare-and-set of a key compares with null where it is absent") {
  CHECK(run("kv",
            {{"cas", "[null, \"a\"]", "true"}, {"append", "\"b\""}, {"cas", "[\"ab\", 1]"}, {"get", "null", "1"}}) ==
        "");
  CHECK(run("kv", {{"cas", "[1, 2]", "false"}, {"put", "1"}, {"cas", "[1, 2]", "false"}}) ==
        "the key holds 1, so the comparison can't have failed");
}

TEST_CASE("a text that looks like a number is no number, also where it was appended") {
  CHECK(run("kv", {{"append", "\"4\""}, {"append", "\"2\""}, {"get", "null", "42"}}) ==
        "the key holds the string \"42\", not the integer 42");
  CHECK(run("kv", {{"put", "42"}, {"get", "null", "\"42\""}}) == "the key holds the integer 42, not the string \"42\"");
}

TEST_CASE("the machine of a key accepts what its replay accepts") {
  compare_on_random_operations("kv", pick_on_one_key, 3000);
  compare_on_random_operations("kv", pick_appends_and_gets, 2000);
}

TEST_CASE("the machine of an unsplit store accepts what its replay accepts") {
  compare_on_random_operations("kv:split=false", pick_on_three_keys, 3000);
}

TEST_CASE("a lost append that no observed text contains is left out") {
  const Case tested = make_case(
      "kv", {lost({"append", "\"x\""}), lost({"append", "\"b\""}), {"append", "\"a\""}, {"get", "null", "\"ab\""}});
  const auto labels = tested.model->bind(tested.history, tested.operations()).labels;
  CHECK(labels[0] == kIrrelevant);
  CHECK(labels[1] != kIrrelevant);
}

TEST_CASE("once a key's text is no prefix of what a get returned, it never will be, where it only grows") {
  const auto viable_after_first = [](const std::vector<Op>& ops) {
    const Case tested = make_case("kv", ops);
    const Bound bound = tested.model->bind(tested.history, tested.operations());
    const StateId after = bound.machine->step(bound.machine->initial(), bound.labels.front());
    const Label last = bound.labels.back();
    return !bound.machine->labels()[last].bounded || bound.machine->viable(after, last);
  };
  CHECK(viable_after_first({{"append", "\"a\""}, {"append", "\"b\""}, {"get", "null", "\"ab\""}}));
  CHECK_FALSE(viable_after_first({{"append", "\"b\""}, {"append", "\"a\""}, {"get", "null", "\"ab\""}}));
  CHECK_FALSE(viable_after_first({{"append", "\"b\""}, {"append", "\"a\""}, {"get"}}));
  CHECK(viable_after_first({{"append", "\"b\""}, {"put", "\"a\""}, {"get", "null", "\"ab\""}}));
}

TEST_CASE("a key with ten thousand appends is bound without looking at all its states") {
  std::vector<Op> ops(10000, {"append", "\"abc\""});
  ops.push_back({"get", "null", "\"abcabc\""});
  const Case tested = make_case("kv", ops);
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  CHECK(bound.machine->memory() < 10000);
  StateId state = bound.machine->initial();
  for (int i = 0; i < 4; ++i) state = bound.machine->step(state, bound.labels[0]);
  CHECK(state != kRefused);
  CHECK(bound.machine->step(state, bound.labels[0]) == state);
}

TEST_CASE("kv is split by key unless it is told not to be") {
  const std::vector<Op> ops{
      {"get", "null", "null", "1"}, failed({"get", "null", "null", "3"}), {"get", "null", "null", "2"}};
  for (const char* model : {"kv", "kv:split=true", "kv:split"}) {
    const Case split = make_case(model, ops);
    CHECK(split.model->partitions(split.history).size() == 2);
  }
  const Case whole = make_case("kv:split=false", ops);
  const auto partitions = whole.model->partitions(whole.history);
  REQUIRE(partitions.size() == 1);
  CHECK(partitions[0].key == kNull);
  CHECK(partitions[0].operations == LargeVector<std::uint32_t>{0, 2});
}

TEST_CASE("operations on different keys of an unsplit store touch different parts") {
  const Case tested = make_case("kv:split=false", {{"put", "1", "null", "1"}, {"put", "1", "null", "2"}});
  const Bound bound = tested.model->bind(tested.history, tested.operations());
  const auto traits = bound.machine->labels();
  CHECK((traits[bound.labels[0]].touches & traits[bound.labels[1]].touches) == 0);
}

TEST_CASE("a key-value store says what is wrong with its operations") {
  CHECK(complaint("kv", {{"append", "5"}}) == "test.jsonl:1: append takes a text, not 5 (integer)");
  CHECK(complaint("kv", {{"cas", "\"a\""}}) == "test.jsonl:1: cas takes [old, new], not \"a\" (string)");
  CHECK(complaint("kv", {{"write", "5"}}) ==
        "test.jsonl:1: the model kv has no \"write\" (it has get, put, append, delete, cas)");
}

TEST_CASE("the state of a store is told key by key") {
  CHECK(state_after("kv:split=false", {{"put", "5", "null", "\"x\""}, {"append", "\"a\"", "null", "\"y\""}}) ==
        R"({"x": 5, "y": "a"})");
}
