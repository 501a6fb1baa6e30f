#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

TEST_CASE("a register shows what was last written, null at first") {
  CHECK(run("register", {{"read"}, {"write", "1"}, {"read", "null", "1"}, {"write", "2"}, {"read", "null", "2"}}) ==
        "");
  CHECK(run("register", {{"write", "3"}, {"read", "null", "5"}}) == "the register holds 3");
  CHECK(run("register", {{"write", "3"}, {"read", "null", "null"}}) == "the register holds 3");
  CHECK(run("register", {{"read", "null", "5"}}) == "the register holds null");
}

TEST_CASE("a register holds its initial value first, also where it is written again") {
  CHECK(run("register:initial=0", {{"read", "null", "0"}}) == "");
  CHECK(run("register:initial=0", {{"read"}}) == "the register holds 0");
  CHECK(run("register:initial=2", {{"write", "3"}, {"write", "2"}, {"read", "null", "2"}}) == "");
}

TEST_CASE("a read that returned null says nothing where nil-read=any, and in a cas-register") {
  for (const char* model : {"register:nil-read=any", "cas-register", "cas-register:initial=0"}) {
    CHECK(run(model, {{"write", "1"}, {"read"}}) == "");
    CHECK(run(model, {{"write", "1"}, {"read", "null", "2"}}) == "the register holds 1");
  }
}

TEST_CASE("what a write returns is ignored") {
  CHECK(run("register", {{"write", "1", "\"done\""}, {"read", "null", "1"}}) == "");
}

TEST_CASE("a cas that returned true or nothing replaced the old value; one that returned false saw another") {
  CHECK(run("register:initial=1", {{"cas", "[1, 2]", "true"}, {"read", "null", "2"}}) == "");
  CHECK(run("register:initial=1", {{"cas", "[1, 2]"}, {"read", "null", "2"}}) == "");
  CHECK(run("register:initial=1", {{"cas", "[3, 2]", "false"}, {"read", "null", "1"}}) == "");
  CHECK(run("register:initial=1", {{"cas", "[3, 2]", "true"}}) == "the register holds 1");
  CHECK(run("register:initial=1", {{"cas", "[1, 2]", "false"}}) ==
        "the register holds 1, so the comparison can't have failed");
}

TEST_CASE("a lost cas takes effect where it matches and does nothing elsewhere") {
  CHECK(run("register:initial=1", {lost({"cas", "[1, 2]"}), {"read", "null", "2"}}) == "");
  CHECK(run("register:initial=1", {lost({"cas", "[3, 2]"}), {"read", "null", "1"}}) == "");
}

TEST_CASE("numbers are equal whatever they look like, but never equal to texts") {
  CHECK(run("register", {{"write", "42"}, {"read", "null", "42.0"}}) == "");
  CHECK(run("register", {{"write", "42"}, {"read", "null", "\"42\""}}) ==
        "the register holds the integer 42, not the string \"42\"");
  CHECK(run("register", {{"write", "\"null\""}, {"read"}}) == "the register holds the string \"null\", not null");
  CHECK(run("register", {{"write", "9007199254740993"}, {"read", "null", "9007199254740992"}}) ==
        "the register holds 9007199254740993");
}

TEST_CASE("long values are shortened in reasons, between characters") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xc3\xa4";
  const std::string reason = run("register", {{"write", "\"" + text + "\""}, {"read"}});
  CHECK(reason.size() < 140);
  CHECK_THAT(reason, Catch::Matchers::ContainsSubstring("..."));
  CHECK_THAT(reason, Catch::Matchers::ContainsSubstring("\xa4...\xc3"));
}

TEST_CASE("lost operations of a register that nobody can notice are left out, and the others share labels") {
  const auto labels = [](const std::vector<Op>& ops) {
    const Case tested = make_case("register", ops);
    return tested.model->bind(tested.history, tested.operations()).labels;
  };
  CHECK(labels({lost({"read"}), lost({"write", "7"}), {"read"}})[0] == kIrrelevant);
  CHECK(labels({lost({"read"}), lost({"write", "7"}), {"read"}})[1] == kIrrelevant);
  CHECK(labels({lost({"cas", "[7, 8]"}), {"read", "null", "8"}})[0] == kIrrelevant);
  CHECK(labels({lost({"cas", "[null, 8]"}), {"read", "null", "8"}})[0] != kIrrelevant);
  // A value that nobody observes still makes a comparison fail.
  const auto unseen = labels({lost({"write", "7"}), lost({"write", "8"}), {"write", "1"}, {"cas", "[1, 2]", "false"}});
  CHECK(unseen[0] != kIrrelevant);
  CHECK(unseen[0] == unseen[1]);
  const auto seen = labels({lost({"write", "7"}), lost({"write", "7"}), {"write", "7"}, {"read", "null", "7"}});
  CHECK(seen[0] == seen[1]);
  CHECK(seen[0] != seen[2]);
}

TEST_CASE("the machine of a register accepts what its replay accepts") {
  const auto pick = [](Random& random) -> Op {
    const auto value = [&] { return random.of({"null", "0", "1", "2", "\"1\"", "7"}); };
    const std::string pair = std::string("[") + value() + ", " + value() + "]";
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2:
        return {"read", "null", value()};
      case 3:
      case 4:
      case 5:
        return {"write", value()};
      default:
        return {"cas", pair, random.of({"true", "null", "false", "false"})};
    }
  };
  compare_on_random_operations("register", pick, 1500);
  compare_on_random_operations("register:initial=1", pick, 1500);
  compare_on_random_operations("cas-register:initial=0", pick, 1500);
}

TEST_CASE("a register says what is wrong with its operations, and in which line") {
  CHECK(complaint("register", {{"read"}, {"increment", "1"}}) ==
        "test.jsonl:2: the model register has no \"increment\" (it has read, write, cas)");
  CHECK(complaint("register:initial=0", {{"raed"}}) ==
        "test.jsonl:1: the model register has no \"raed\"; did you mean \"read\"? (it has read, write, cas)");
  CHECK(complaint("register", {{"cas", "5"}}) == "test.jsonl:1: cas takes [old, new], not 5 (integer)");
  CHECK(complaint("register", {{"cas", "[1]"}}) == "test.jsonl:1: cas takes [old, new], not [1] (array)");
  CHECK(complaint("register", {{"cas", "[1, 2]", "2"}}) ==
        "test.jsonl:1: cas returns true, false or null, not 2 (integer)");
  CHECK(complaint("register", {lost({"cas", "[1, 2, 3]"})}) != "");
}

TEST_CASE("of a failed operation only the word must be known") {
  CHECK(complaint("register", {failed({"cas", "5"})}) == "");
  CHECK(complaint("register", {failed({"increment"})}) != "");
}

TEST_CASE("a register is split by key, without failed operations") {
  const Case tested = make_case("register", {{"read", "null", "null", "\"b\""},
                                             failed({"write", "1", "null", "\"c\""}),
                                             {"write", "1", "null", "\"a\""},
                                             lost({"write", "2", "null", "\"b\""})});
  const auto partitions = tested.model->partitions(tested.history);
  REQUIRE(partitions.size() == 2);
  CHECK(tested.history.values.to_json(partitions[0].key) == "\"b\"");
  CHECK(partitions[0].operations == LargeVector<std::uint32_t>{0, 3});
  CHECK(partitions[1].operations == LargeVector<std::uint32_t>{2});
}

TEST_CASE("a history without operations that count has no partitions") {
  for (const ModelInfo& info : models()) {
    const Case tested = make_case(info.name + info.required_options, {});
    CHECK_FALSE(tested.model->validate(tested.history));
    CHECK(tested.model->partitions(tested.history).empty());
  }
}
