#include <porpentine/history/reader.h>

#include "model_support.h"
#include "support/catch.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

std::string error_of(const std::string& name) {
  ValueTable values;
  const auto made = make_specification(name, values);
  if (made) return "";
  CHECK(made.error().code == ErrorCode::usage);
  return made.error().message;
}

std::string initial_of(const std::string& name) { return state_after(name, {}); }

}  // namespace

TEST_CASE("every model that is listed can be made, and accepts its own example") {
  for (const ModelInfo& info : models()) {
    INFO(info.name);
    CHECK_FALSE(info.summary.empty());
    CHECK_FALSE(info.vocabulary.empty());
    ValueTable values;
    const std::string name = info.name + info.required_options;
    const auto made = make_specification(name, values);
    REQUIRE(made);
    CHECK((*made)->name() == name);
    History example = read_history_text(info.example).value();
    CHECK(example.size() == 1);
    CHECK_FALSE(make_specification(name, example.values).value()->validate(example));
    if (!info.required_options.empty()) continue;
    for (const ModelOption& option : info.options) {
      const std::string value = option.value.empty() ? "" : option.value == "VALUE" ? "=1" : "=" + option.value;
      CHECK(error_of(info.name + ":" + option.name + value) == "");
    }
  }
}

TEST_CASE("a specification is named as it was asked for") {
  ValueTable values;
  CHECK(make_specification("register:initial=0:nil-read=any", values).value()->name() ==
        "register:initial=0:nil-read=any");
}

TEST_CASE("an option's value is JSON, or else text") {
  CHECK(initial_of("register:initial=0") == "0");
  CHECK(initial_of("register:initial=1.0") == "1");
  CHECK(initial_of("register:initial=\"0\"") == "\"0\"");
  CHECK(initial_of("register:initial=abc") == "\"abc\"");
  CHECK(initial_of("register:initial=") == "\"\"");
  CHECK(initial_of("register:initial=null") == "null");
  CHECK(initial_of("register:initial=18446744073709551615") == "18446744073709551615");
  CHECK(initial_of("register:initial=[1, true]:nil-read=any") == "[1,true]");
  CHECK(initial_of(R"(register:initial={"a": ":]\""}:nil-read=any)") == R"({"a":":]\""})");
}

TEST_CASE("a value that begins like JSON and is none is an error") {
  CHECK(error_of("register:initial=[a:nil-read=any") ==
        "the option initial of the model register is no JSON: [a:nil-read=any (as text, write it in quotes)");
  CHECK(error_of(R"(bank:accounts={"a":1)") ==
        R"(the option accounts of the model bank is no JSON: {"a":1 (as text, write it in quotes))");
}

TEST_CASE("an unknown model or option is an error that lists what there is") {
  CHECK(error_of("registr") ==
        "there is no model \"registr\"; did you mean \"register\"? (there are register, cas-register, kv, "
        "multi-register, log, queue, bag, stack, priority-queue, mutex, set, counter, semaphore, bank, "
        "causal-delivery, s2)");
  CHECK(error_of("") != "");
  CHECK(error_of("register:initail=0") ==
        "the model register has no option \"initail\"; did you mean \"initial\"? (it has initial=VALUE, nil-read=any)");
  CHECK(error_of("log:x") == "the model log has no option \"x\" (it has none)");
}

TEST_CASE("an option without its value, with a wrong one, or twice is an error") {
  CHECK(error_of("register:initial") == "the option initial of the model register needs a value: initial=VALUE");
  CHECK(error_of("register:nil-read=null") ==
        "the option nil-read of the model register can only be nil-read=any, not \"null\"");
  CHECK(error_of("kv:split=maybe") == "the option split of the model kv is true or false, not \"maybe\"");
  CHECK(error_of("mutex:owned:owned") == "the option owned is given twice");
  CHECK(error_of("register:") != "");
}

TEST_CASE("a name that is not UTF-8 is an error") { CHECK(error_of("register:initial=\xff") != ""); }

TEST_CASE("a prefix of a history is bound with what is known of it") {
  const Case tested = make_case("log", {{"append", "\"a\"", "0"}, {"append", "\"b\"", "0"}});
  const std::vector<BoundOperation> weakened{{0, true}, {1, false}};
  const Bound bound = tested.model->bind(tested.history, weakened);
  CHECK(bound.machine->step(0, bound.labels[1]) == 1);
}
