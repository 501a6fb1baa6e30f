#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

// Hashes of the records foo, bar and baz, and of a stream after each of them, as the format's own tests have them.
const std::string kFoo = "\"12352915711150947722\"";
const std::string kAfterFoo = "\"5560538435033744293\"";
const std::string kAfterBar = "\"1382144793279426269\"";
const std::string kAfterBaz = "\"8299828014083998463\"";

Op append(const std::string& hashes, const std::string& tail, const std::string& guards = "") {
  return {"append", R"({"record_hashes": [)" + hashes + "]" + guards + "}", tail};
}
Op read(const std::string& tail, const std::string& hash) {
  return {"read", "null", R"({"tail": )" + tail + R"(, "stream_hash": )" + hash + "}"};
}
Op check_tail(const std::string& tail) { return {"check-tail", "null", tail}; }

const std::string kSetsA = R"(, "set_fencing_token": "a")";
const std::string kSetsB = R"(, "set_fencing_token": "b")";
const std::string kDemandsA = R"(, "fencing_token": "a")";
const std::string kDemandsB = R"(, "fencing_token": "b")";

std::string at(int tail) { return R"(, "match_seq_num": )" + std::to_string(tail); }

/// The hash of a stream that holds records with these hashes.
std::string stream_hash(const std::vector<std::string>& records) {
  std::vector<Op> ops;
  for (const std::string& record : records) ops.push_back(append(record, std::to_string(ops.size() + 1)));
  const std::string state = state_after("s2", ops);
  const std::size_t begin = state.find("hash ") + 5;
  return "\"" + state.substr(begin, state.find(',', begin) - begin) + "\"";
}

Op pick(Random& random) {
  static const std::string kHash[] = {"\"0\"",
                                      stream_hash({"1"}),
                                      stream_hash({"2"}),
                                      stream_hash({"1", "2"}),
                                      stream_hash({"1", "1"}),
                                      stream_hash({"1", "2", "1"})};
  static const std::string kTail[] = {"0", "1", "1", "2", "2", "3"};
  if (random.chance(25)) {
    const std::size_t i = random.below(6);
    return read(kTail[i], kHash[i]);
  }
  if (random.chance(15)) return check_tail(random.of({"0", "1", "2", "3"}));
  const std::string guards = random.of<std::string>(
      {"", "", "", kSetsA, kSetsB, kDemandsA, kDemandsB, kDemandsA + kSetsB, at(0), at(1), at(2) + kDemandsA});
  return append(random.of({"1", "1", "2", "1, 2", ""}), random.of({"0", "1", "1", "2", "2", "3"}), guards);
}

Bound bound(const Case& tested) { return tested.model->bind(tested.history, tested.operations()); }

bool is_irrelevant(const std::vector<Op>& ops, std::size_t which = 0) {
  const Case tested = make_case("s2", ops);
  CHECK(orders_by_machine(tested) == orders_by_replay(tested));
  return bound(tested).labels[which] == kIrrelevant;
}

}  // namespace

TEST_CASE("the hash of a stream is chained from the hashes of its records") {
  CHECK(stream_hash({kFoo}) == kAfterFoo);
  CHECK(run("s2", {append(kFoo, "1"), read("1", kAfterFoo)}) == "");
  // xxh3("bar") and xxh3("baz")
  const std::string bar = "\"15304296276065178466\"";
  const std::string baz = "\"3034989647889402149\"";
  CHECK(run("s2", {append(kFoo + ", " + bar, "2"), read("2", kAfterBar), append(baz, "3"), read("3", kAfterBaz)}) ==
        "");
  CHECK(run("s2", {append(kFoo, "1"), read("1", kAfterBar)}) ==
        "the hash of the stream's 1 records is 5560538435033744293");
}

TEST_CASE("an append succeeds at the tail, and answers with the one after its records") {
  CHECK(run("s2", {append("1, 2", "2"), append("3", "3"), append("", "3"), check_tail("3")}) == "");
  CHECK(run("s2", {append("1, 2", "1")}) == "the stream's tail is 0");
  CHECK(run("s2", {append("1", "1"), append("1", "1")}) == "the stream's tail is 1");
  CHECK(run("s2", {append("1", "1"), check_tail("0")}) == "the stream's tail is 1");
}

TEST_CASE("an append succeeds only where its demands are met") {
  CHECK(run("s2", {append("1", "1", at(0)), append("1", "2", at(1))}) == "");
  CHECK(run("s2", {append("1", "1", at(1))}) == "the stream's tail is 0");
  CHECK(run("s2", {append("1", "1", kSetsA), append("1", "2", kDemandsA), append("1", "3")}) == "");
  CHECK(run("s2", {append("1", "1", kDemandsA)}) == "there is no fencing token");
  CHECK(run("s2", {append("1", "1", kSetsB), append("1", "2", kDemandsA)}) == "the fencing token is \"b\"");
  CHECK(run("s2", {append("1", "1", kSetsA), append("1", "2", kDemandsA + kSetsB), append("1", "3", kDemandsA)}) ==
        "the fencing token is \"b\"");
  CHECK(run("s2", {append("1", "1", R"(, "fencing_token": null, "match_seq_num": null)")}) == "");
}

TEST_CASE("a lost append took effect where its demands are met, or it did not") {
  const Case tested = make_case("s2", {lost(append("1", "")), check_tail("0"), check_tail("1")});
  CHECK(orders_by_machine(tested) == Orders{{1, 2}});
  const Case fenced = make_case("s2", {append("1", "1", kSetsA), lost(append("1", "", kDemandsB)), check_tail("1")});
  CHECK(orders_by_machine(fenced) == Orders{{0, 2}});
}

TEST_CASE("lost appends that nobody can notice are left out") {
  const Op lost_one = lost(append("1", ""));
  CHECK(is_irrelevant({lost_one}));
  CHECK(is_irrelevant({lost_one, append("2", "1"), check_tail("1")}));
  CHECK(is_irrelevant({lost(append("1, 2", "")), append("2", "2")}));
  CHECK(is_irrelevant({lost(append("1", "", at(1))), append("2", "1"), append("2", "2"), append("2", "4")}));
  CHECK(is_irrelevant({lost(append("1", "", kDemandsA)), append("2", "2", kSetsB)}));
  CHECK(is_irrelevant({lost(append("", "", kSetsA)), append("2", "2"), lost_one}));
  CHECK(is_irrelevant({lost(append("1", "", at(0))), read("1", stream_hash({"2"}))}));
  CHECK(is_irrelevant({lost(check_tail("0")), lost(read("0", "1")), check_tail("1")}));
  CHECK_FALSE(is_irrelevant({lost_one, append("2", "2")}));
  CHECK_FALSE(is_irrelevant({lost(append("1", "", at(0))), read("1", stream_hash({"1"}))}));
  CHECK_FALSE(is_irrelevant({lost(append("", "", kSetsA)), append("2", "1", kDemandsA)}));
  CHECK_FALSE(is_irrelevant({lost(append("1", "", kDemandsA)), append("2", "2"), append("3", "3", kSetsA)}));
}

TEST_CASE("what contradicts another observation can never be accepted") {
  const std::vector<std::vector<Op>> cases = {
      {read("1", "5"), read("1", "6"), append("1", "1")},
      {append("1, 2", "2"), check_tail("1")},
      {append("1", "1"), append("2", "1")},
      {append("1", "1"), check_tail("2")},
      {append("1", "0")},
      {append("1", "1", at(1)), append("2", "2")},
      {append("1", "1", kDemandsA)},
  };
  for (const std::vector<Op>& ops : cases) {
    const Case tested = make_case("s2", ops);
    Bound of = bound(tested);
    bool any = false;
    for (const Label label : of.labels) any = any || !of.machine->viable(of.machine->initial(), label);
    INFO(ops.front().input << ops.front().output);
    CHECK(any);
    CHECK(orders_by_machine(tested).empty());
    CHECK(orders_by_replay(tested).empty());
  }
}

TEST_CASE("a state that leads to no observed hash is left at once") {
  const Case tested = make_case("s2", {lost(append("1", "")), lost(append("2", "")), read("1", stream_hash({"2"}))});
  Bound of = bound(tested);
  CHECK(of.machine->step(of.machine->initial(), of.labels[0]) == kRefused);
  CHECK(of.machine->step(of.machine->initial(), of.labels[1]) != kRefused);
}

TEST_CASE("an append is refused where the ok appends behind it would lead to another hash than was read") {
  const Case tested = make_case("s2", {lost(append("1", "")), lost(append("2", "")), append("3", "2"), append("4", "3"),
                                       read("3", stream_hash({"2", "3", "4"}))});
  Bound of = bound(tested);
  CHECK(of.machine->step(of.machine->initial(), of.labels[0]) == kRefused);
  CHECK(of.machine->step(of.machine->initial(), of.labels[1]) != kRefused);
  const Case fenced = make_case("s2", {lost(append("1", "")), append("3", "2", kDemandsA), read("2", "5")});
  CHECK(orders_by_machine(fenced).empty());
}

TEST_CASE("equal streams are one state, and tokens that nothing demands are one") {
  const Case tested = make_case("s2", {lost(append("1", "", kSetsA)), lost(append("1", "", kSetsB)), check_tail("1")});
  Bound of = bound(tested);
  CHECK(of.labels[0] == of.labels[1]);
  const Case demanding =
      make_case("s2", {lost(append("1", "", kSetsA)), lost(append("1", "", kSetsB)), append("2", "2", kDemandsA)});
  CHECK(bound(demanding).labels[0] != bound(demanding).labels[1]);
}

TEST_CASE("the machine of a stream accepts what its replay accepts") { compare_on_random_operations("s2", pick, 6000); }

TEST_CASE("a stream says what is wrong with its operations") {
  CHECK(complaint("s2", {{"tail"}}) == "test.jsonl:1: the model s2 has no \"tail\" (it has append, read, check-tail)");
  CHECK(complaint("s2", {{"append", "5", "1"}}) ==
        R"(test.jsonl:1: append takes {"record_hashes": [hash, ...], ...}, not 5 (integer))");
  CHECK(complaint("s2", {append("\"x\"", "1")}) ==
        "test.jsonl:1: a record's hash is a number of 64 bits, as text in decimal, not \"x\" (string)");
  CHECK(complaint("s2", {append("\"18446744073709551616\"", "1")}) ==
        "test.jsonl:1: a record's hash is a number of 64 bits, as text in decimal, not \"18446744073709551616\" "
        "(string)");
  CHECK(complaint("s2", {lost(append("1", "", R"(, "fencing_token": 5)"))}) ==
        "test.jsonl:1: fencing_token is text or null, not 5 (integer)");
  CHECK(complaint("s2", {append("1", "1", R"(, "match_seq_num": -1)")}) ==
        "test.jsonl:1: match_seq_num is a non-negative integer or null, not -1 (integer)");
  CHECK(complaint("s2", {append("1", "null")}) ==
        "test.jsonl:1: append returns the tail, a non-negative integer, but its output is missing or null");
  CHECK(complaint("s2", {check_tail("\"1\"")}) ==
        "test.jsonl:1: check-tail returns the tail, a non-negative integer, not \"1\" (string)");
  CHECK(complaint("s2", {{"read", "null", R"({"tail": 1})"}}) ==
        R"(test.jsonl:1: read returns {"tail": n, "stream_hash": hash}, not {"tail":1} (object))");
  CHECK(complaint("s2", {lost(check_tail("null")), failed({"append"})}) == "");
}

TEST_CASE("the state of a stream is its tail, its hash and its token") {
  CHECK(state_after("s2", {}) == "tail 0, hash 0, there is no fencing token");
  CHECK(state_after("s2", {append(kFoo, "1", kSetsA)}) ==
        "tail 1, hash 5560538435033744293, the fencing token is \"a\"");
}
