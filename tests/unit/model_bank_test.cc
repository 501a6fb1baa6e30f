#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

const std::string kBank = R"(bank:accounts={"a":3,"b":0,"7":2})";

Op transfer(const std::string& from, const std::string& to, const std::string& amount,
            const std::string& output = "null") {
  return {"transfer", R"({"from": )" + from + R"(, "to": )" + to + R"(, "amount": )" + amount + "}", output};
}
Op read(const std::string& a, const std::string& b, const std::string& seven) {
  return {"read", "null", R"({"a": )" + a + R"(, "b": )" + b + R"(, "7": )" + seven + "}"};
}

Op pick(Random& random) {
  if (random.chance(25)) {
    return random.of({read("3", "0", "2"), read("1", "2", "2"), read("2", "1", "2"), read("3", "1", "1"),
                      read("-1", "4", "2"), read("9", "0", "2")});
  }
  return transfer(random.of({"\"a\"", "\"b\"", "7"}), random.of({"\"a\"", "\"b\"", "\"7\""}),
                  random.of({"0", "1", "2", "4", "9"}), random.of({"true", "true", "false", "null"}));
}

std::string error_of(const std::string& name) {
  ValueTable values;
  const auto made = make_specification(name, values);
  return made ? "" : made.error().message;
}

}  // namespace

TEST_CASE("a transfer is done where the source holds enough") {
  CHECK(run(kBank, {transfer("\"a\"", "\"b\"", "2", "true"), read("1", "2", "2"), transfer("\"b\"", "7", "2"),
                    read("1", "0", "4")}) == "");
  CHECK(run(kBank, {transfer("\"b\"", "\"a\"", "1", "true")}) == "account \"b\" holds 0");
  CHECK(run(kBank, {transfer("\"b\"", "\"a\"", "1")}) == "account \"b\" holds 0");
}

TEST_CASE("a transfer that is refused saw too small a balance, and changes nothing") {
  CHECK(run(kBank, {transfer("\"a\"", "\"b\"", "4", "false"), read("3", "0", "2")}) == "");
  CHECK(run(kBank, {transfer("\"a\"", "\"b\"", "3", "false")}) == "account \"a\" holds 3");
  CHECK(run(kBank, {transfer("\"a\"", "\"b\"", "0", "false")}) == "account \"a\" holds 3");
}

TEST_CASE("a read shows the balances of all accounts") {
  CHECK(run(kBank, {read("3", "0", "2")}) == "");
  CHECK(run(kBank, {read("3", "0", "1")}) == "account \"7\" holds 2");
  CHECK(run(kBank, {read("-1", "4", "2")}) == "account \"a\" holds 3");
  CHECK(run(kBank, {read("18446744073709551615", "0", "2")}) == "account \"a\" holds 3");
}

TEST_CASE("a lost transfer was done, or refused, or never happened") {
  const Case tested =
      make_case(kBank, {lost(transfer("\"a\"", "\"b\"", "2")), read("3", "0", "2"), read("1", "2", "2")});
  CHECK(orders_by_machine(tested) == Orders{{1, 2}});
  const Case refused = make_case(kBank, {lost(transfer("\"b\"", "\"a\"", "2")), read("3", "0", "2")});
  CHECK(orders_by_machine(refused) == Orders{{1}});
}

TEST_CASE("a transfer to the account itself needs its amount and changes nothing") {
  CHECK(run(kBank, {transfer("\"a\"", "\"a\"", "3", "true"), read("3", "0", "2")}) == "");
  CHECK(run(kBank, {transfer("\"a\"", "\"a\"", "4", "true")}) == "account \"a\" holds 3");
}

TEST_CASE("transfers that change nothing are left out") {
  const Case tested = make_case(kBank, {transfer("\"a\"", "\"b\"", "0"), lost(transfer("\"a\"", "\"a\"", "2")),
                                        lost(transfer("\"a\"", "\"b\"", "6")), transfer("\"a\"", "\"b\"", "6", "false"),
                                        lost(read("3", "0", "2")), transfer("\"a\"", "\"b\"", "5")});
  const std::vector<Label> labels = tested.model->bind(tested.history, tested.operations()).labels;
  CHECK(std::vector<Label>(labels.begin(), labels.end() - 1) == std::vector<Label>(5, kIrrelevant));
  CHECK(labels.back() != kIrrelevant);
}

TEST_CASE("equal balances are one state, however they came about") {
  const Case tested =
      make_case(kBank, {transfer("\"a\"", "\"b\"", "1"), transfer("7", "\"b\"", "1"), read("2", "2", "1")});
  Bound bound = tested.model->bind(tested.history, tested.operations());
  Machine& machine = *bound.machine;
  const StateId one = machine.step(machine.step(machine.initial(), bound.labels[0]), bound.labels[1]);
  const StateId other = machine.step(machine.step(machine.initial(), bound.labels[1]), bound.labels[0]);
  CHECK(one == other);
  CHECK(machine.step(one, bound.labels[2]) == one);
}

TEST_CASE("the machine of a bank accepts what its replay accepts") { compare_on_random_operations(kBank, pick, 3000); }

TEST_CASE("a bank says what is wrong with its operations") {
  CHECK(complaint(kBank, {{"deposit"}}) == "test.jsonl:1: the model bank has no \"deposit\" (it has transfer, read)");
  const std::string shape =
      "test.jsonl:1: transfer takes {\"from\": account, \"to\": account, \"amount\": a non-negative integer}";
  CHECK(complaint(kBank, {{"transfer"}}) == shape + ", but its input is missing or null");
  CHECK(complaint(kBank, {{"transfer", "5"}}) == shape + ", not 5 (integer)");
  CHECK(complaint(kBank, {{"transfer", R"({"from": "a", "amount": 1})"}}) ==
        shape + R"(, not {"amount":1,"from":"a"} (object))");
  CHECK(complaint(kBank, {lost(transfer("\"a\"", "\"b\"", "-1"))}) ==
        shape + R"(, not {"amount":-1,"from":"a","to":"b"} (object))");
  CHECK(complaint(kBank, {transfer("\"a\"", "\"c\"", "1")}) ==
        R"(test.jsonl:1: there is no account "c" (there are "7", "a", "b"))");
  CHECK(complaint(kBank, {transfer("8", "\"b\"", "1")}) ==
        R"(test.jsonl:1: there is no account 8 (there are "7", "a", "b"))");
  CHECK(complaint(kBank, {transfer("\"a\"", "\"b\"", "1", "1")}) ==
        "test.jsonl:1: transfer returns true or false, not 1 (integer)");
  CHECK(complaint(kBank, {{"read"}}) ==
        "test.jsonl:1: read returns {account: balance, an integer}, but its output is missing or null");
  CHECK(complaint(kBank, {{"read", "null", R"({"a": 3, "b": 0})"}}) ==
        R"(test.jsonl:1: read returns the balances of all accounts, and account "7" is missing)");
  CHECK(complaint(kBank, {{"read", "null", R"({"a": 3, "b": 0, "c": 2})"}}) ==
        R"(test.jsonl:1: there is no account "c" (there are "7", "a", "b"))");
  CHECK(complaint(kBank, {read("3", "0.5", "2")}) ==
        R"(test.jsonl:1: read returns {account: balance, an integer}, not {"7":2,"a":3,"b":0.5} (object))");
  CHECK(complaint(kBank, {failed(transfer("1", "2", "null")), lost(read("null", "null", "null"))}) == "");
}

TEST_CASE("a bank says what is wrong with its accounts") {
  const std::string example = R"(, as in bank:accounts={"a":100,"b":0})";
  CHECK(error_of("bank") == "the model bank needs its accounts and what they hold at first" + example);
  CHECK(error_of("bank:accounts=5") ==
        "the option accounts of the model bank is an object of balances, not 5" + example);
  CHECK(error_of("bank:accounts={}") ==
        "the option accounts of the model bank is an object of balances, not {}" + example);
  CHECK(error_of(R"(bank:accounts={"a":-1})") ==
        R"(account "a" of the model bank holds a non-negative integer, not -1)" + example);
  CHECK(error_of(R"(bank:accounts={"a":18446744073709551615,"b":1})") ==
        "the accounts of the model bank hold 2^64 or more together" + example);
  CHECK(error_of(R"(bank:accounts={"a":18446744073709551615,"b":0})") == "");
}

TEST_CASE("the state of a bank is its balances") {
  CHECK(state_after(kBank, {}) == R"({"7": 2, "a": 3, "b": 0})");
  CHECK(state_after(kBank, {transfer("\"a\"", "\"b\"", "1")}) == R"({"7": 2, "a": 2, "b": 1})");
}
