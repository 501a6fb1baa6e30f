// Histories that are judged while they happen.
#include <porpentine/checker/stream.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/catch.h"

namespace porpentine {
namespace {

Stream open(const char* model, const StreamOptions& options = {}) { return Stream::open(model, options).value(); }

/// Tells one operation that runs alone; time goes on by 2.
class Client {
 public:
  explicit Client(Stream& stream) : stream_(stream) {}

  void does(const std::string& f, const std::string& input, const std::string& output,
            const std::string& key = "null") {
    REQUIRE_FALSE(stream_.call("9", f, key, input, time_));
    REQUIRE_FALSE(stream_.ok("9", output, time_ + 1));
    time_ += 2;
  }
  [[nodiscard]] std::int64_t time() const { return time_; }

 private:
  Stream& stream_;
  std::int64_t time_ = 0;
};

std::string message(const std::optional<Error>& error) { return error ? error->message : ""; }

std::string quoted(std::uint64_t number) { return "\"v" + std::to_string(number) + "\""; }

}  // namespace

TEST_CASE("a violation is told when a later time is, and stays", "[stream]") {
  Stream stream = open("register");
  Client client(stream);
  client.does("write", "1", "null");
  client.does("read", "null", "7");
  CHECK(stream.verdict() == Verdict::valid);
  CHECK_FALSE(stream.advance(client.time()));
  CHECK(stream.verdict() == Verdict::invalid);
  REQUIRE(stream.failure());
  CHECK(stream.failure()->operation == 1);
  CHECK(stream.failure()->longest_prefix == 1);
  CHECK(stream.failure()->message == "read() -> 7 by process 9 can't be placed where the register holds 1");
  client.does("read", "null", "1");
  CHECK(stream.finish() == Verdict::invalid);
}

TEST_CASE("an operation that is called at the time of a return overlaps it", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "read", "null", "null", 1));
  CHECK_FALSE(stream.ok("0", "5", 2));
  CHECK_FALSE(stream.call("1", "write", "null", "5", 2));
  CHECK_FALSE(stream.ok("1", "null", 9));
  CHECK(stream.finish() == Verdict::valid);
}

TEST_CASE("a process orders its own operations where their times tie", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "write", "null", "2", 1));
  CHECK_FALSE(stream.ok("0", "null", 2));
  CHECK_FALSE(stream.call("0", "read", "null", "null", 2));
  CHECK_FALSE(stream.ok("0", "null", 3));
  CHECK(stream.finish() == Verdict::invalid);
}

TEST_CASE("an indeterminate operation may take effect at any time later", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "write", "null", "5", 0));
  CHECK_FALSE(stream.info("0"));
  Client client(stream);
  for (int i = 0; i < 100; ++i) client.does("read", "null", "null");
  client.does("read", "null", "5");
  client.does("read", "null", "null");
  CHECK(stream.finish() == Verdict::invalid);
  CHECK(stream.failure()->operation == 102);
}

TEST_CASE("a failed operation is forgotten", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "write", "null", "5", 0));
  CHECK_FALSE(stream.fail("0"));
  Client client(stream);
  client.does("read", "null", "5");
  CHECK(stream.finish() == Verdict::invalid);
}

TEST_CASE("what can't be is an error, and changes nothing", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "write", "null", "1", 5));
  CHECK(message(stream.call("0", "read", "null", "null", 6)) ==
        "second call of process 0 while write(1) -> ? by process 0 is still running");
  CHECK(message(stream.ok("1", "null", 6)) == "return without a call by process 1");
  CHECK(message(stream.info("1")) == "return without a call by process 1");
  CHECK(message(stream.call("1", "read", "null", "null", 3)).find("the time 3 is before 6") == 0);
  CHECK(message(stream.call("1", "raed", "null", "null", 7)) ==
        R"(the model register has no "raed"; did you mean "read"? (it has read, write, cas))");
  CHECK(message(stream.call("1", "cas", "null", "5", 7)).find("cas takes [old, new]") == 0);
  CHECK(stream.call("1", "write", "null", R"({"a": 1, "a": 2})", 7));
  CHECK(stream.call("1", "write", "null", R"(1], "key": [2)", 7));
  CHECK(stream.call("1", "write", "null", "", 7));
  CHECK_FALSE(stream.ok("0", "null", 8));
  CHECK(message(stream.ok("0", "null", 9)) == "return without a call by process 0");
  CHECK(stream.finish() == Verdict::valid);
  CHECK(stream.counts().operations == 1);
  CHECK_FALSE(Stream::open("regster"));
}

TEST_CASE("keys are judged apart", "[stream]") {
  Stream stream = open("kv");
  CHECK_FALSE(stream.call("0", "put", R"("a")", "1", 0));  // never returns, and keeps nobody else waiting
  Client client(stream);
  client.does("put", "1", "null", R"("b")");
  client.does("get", "null", "2", R"("b")");
  CHECK_FALSE(stream.advance(client.time()));
  CHECK(stream.verdict() == Verdict::invalid);
  CHECK(stream.failure()->key == R"("b")");
  CHECK(stream.counts().keys == 2);
}

TEST_CASE("equal values are equal however they are written", "[stream]") {
  Stream stream = open("kv");
  Client client(stream);
  client.does("put", R"({"a": 1, "b": [1.0]})", "null", R"("k")");
  client.does("get", "null", R"( {"b":[1],"a":1e0} )", R"("\u006b")");
  CHECK(stream.finish() == Verdict::valid);
}

TEST_CASE("what is asked before the end is what the end would say", "[stream]") {
  Stream stream = open("register");
  CHECK_FALSE(stream.call("0", "write", "null", "1", 0));  // it goes on, so nothing is decided
  CHECK_FALSE(stream.call("1", "read", "null", "null", 1));
  CHECK_FALSE(stream.ok("1", "1", 2));
  CHECK(stream.verdict_if_ended() == Verdict::valid);
  CHECK_FALSE(stream.call("1", "read", "null", "null", 3));
  CHECK_FALSE(stream.ok("1", "null", 4));
  CHECK_FALSE(stream.advance(5));
  CHECK(stream.verdict() == Verdict::valid);
  CHECK(stream.verdict_if_ended() == Verdict::invalid);
  CHECK(stream.verdict() == Verdict::invalid);
}

TEST_CASE("a violation behind an operation that never ends is found all the same", "[stream]") {
  Stream stream = open("register", {.most_waiting = 1000});
  CHECK_FALSE(stream.call("0", "write", "null", "1", 0));
  Client client(stream);
  client.does("read", "null", "7");
  for (int i = 0; i < 2000 && stream.verdict() == Verdict::valid; ++i) client.does("read", "null", "null");
  CHECK(stream.verdict() == Verdict::invalid);
  CHECK(stream.failure()->operation == 1);
}

TEST_CASE("an operation that was given up and returns leaves its key unknown", "[stream]") {
  Stream stream = open("register", {.most_waiting = 100});
  CHECK_FALSE(stream.call("0", "write", "null", "1", 0));
  Client client(stream);
  for (int i = 0; i < 200; ++i) client.does("read", "null", "null");
  CHECK(stream.verdict() == Verdict::valid);
  CHECK_FALSE(stream.is_certain());
  CHECK_FALSE(stream.ok("0", "null", client.time()));
  CHECK(stream.finish() == Verdict::unknown);
  CHECK(stream.reason().find("write(1)") == 0);
}

TEST_CASE("an operation that was given up and never returns leaves nothing unknown", "[stream]") {
  Stream stream = open("register", {.most_waiting = 100});
  CHECK_FALSE(stream.call("0", "write", "null", "1", 0));
  Client client(stream);
  for (int i = 0; i < 200; ++i) client.does("read", "null", "null");
  client.does("read", "null", "1");
  CHECK_FALSE(stream.info("0"));
  client.does("read", "null", "1");
  CHECK(stream.finish() == Verdict::valid);
}

TEST_CASE("a search that grows too much ends in unknown", "[stream]") {
  for (const StreamOptions& options :
       {StreamOptions{.memory_limit = 400'000}, StreamOptions{.steps_an_operation = 0}}) {
    Stream stream = open("queue", options);
    std::int64_t time = 0;
    for (int i = 0; i < 40; ++i) {
      const std::string process = std::to_string(100 + i);
      CHECK_FALSE(stream.call(process, "enqueue", "null", quoted(static_cast<std::uint64_t>(i)), time++));
      CHECK_FALSE(stream.info(process));
    }
    CHECK_FALSE(stream.call("0", "dequeue", "null", "null", time++));
    CHECK_FALSE(stream.ok("0", "\"v40\"", time++));
    CHECK(stream.finish() == Verdict::unknown);
    CHECK(stream.limit() == (options.memory_limit ? Limit::memory : Limit::steps));
    CHECK_FALSE(stream.reason().empty());
  }
}

TEST_CASE("a search that is cancelled ends in unknown", "[stream]") {
  const std::atomic<bool> cancel = true;
  Stream stream = open("register", {.cancel = &cancel});
  Client client(stream);
  client.does("read", "null", "null");
  CHECK(stream.finish() == Verdict::unknown);
  CHECK(stream.limit() == Limit::cancelled);
}

TEST_CASE("memory follows what is held, not what has happened", "[stream]") {
  Stream stream = open("queue");
  Client client(stream);
  std::uint64_t most = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    client.does("enqueue", quoted(i), "null");
    if (i >= 3) client.does("dequeue", "null", quoted(i - 3));
    most = std::max(most, stream.memory());
  }
  CHECK(most < 16'000'000);
  client.does("dequeue", "null", quoted(0));
  CHECK(stream.finish() == Verdict::invalid);
}

TEST_CASE("states survive when most values are forgotten", "[stream]") {
  struct Kept {
    const char* model;
    std::vector<std::vector<const char*>> before;  // f, input, output
    std::vector<const char*> right;
    std::vector<const char*> wrong;
  };
  const std::vector<Kept> all = {
      {"register", {{"write", R"("kept")", "null"}}, {"read", "null", R"("kept")"}, {"read", "null", R"("v1")"}},
      {"kv", {{"append", R"("kept")", "null"}}, {"get", "null", R"("kept")"}, {"get", "null", R"("v1")"}},
      {"multi-register",
       {{"txn", R"([["w", "x", "kept"]])", "null"}},
       {"txn", R"([["r", "x", null]])", R"([["r", "x", "kept"]])"},
       {"txn", R"([["r", "x", null]])", R"([["r", "x", "v1"]])"}},
      {"queue",
       {{"enqueue", R"("a")", "null"}, {"enqueue", R"("b")", "null"}},
       {"dequeue", "null", R"("a")"},
       {"dequeue", "null", R"("b")"}},
      {"stack",
       {{"push", R"("a")", "null"}, {"push", R"("b")", "null"}},
       {"pop", "null", R"("b")"},
       {"pop", "null", R"("a")"}},
      {"bag", {{"enqueue", R"("a")", "null"}}, {"dequeue", "null", R"("a")"}, {"dequeue", "null", R"("b")"}},
      {"priority-queue",
       {{"insert", "7.5", "null"}, {"insert", "3", "null"}},
       {"pop-min", "null", "3"},
       {"pop-min", "null", "7.5"}},
      {"mutex:owned", {{"acquire", "null", "null"}}, {"release", "null", "null"}, {"acquire", "null", "null"}},
      {"mutex:fenced",
       {{"acquire", "null", "70"}, {"release", "null", "null"}},
       {"acquire", "null", "71"},
       {"acquire", "null", "70"}},
      {"set", {{"add", R"("a")", "null"}}, {"read", "null", R"(["a"])"}, {"read", "null", "[]"}},
      {"counter", {{"add", "-5", "null"}}, {"read", "null", "-5"}, {"read", "null", "0"}},
      {"semaphore:permits=2", {{"acquire", "2", "null"}}, {"release", "2", "null"}, {"acquire", "1", "null"}},
      {R"(bank:accounts={"a":5,"b":0})",
       {{"transfer", R"({"from": "a", "to": "b", "amount": 2})", "true"}},
       {"read", "null", R"({"a": 3, "b": 2})"},
       {"read", "null", R"({"a": 5, "b": 0})"}},
      {"s2",
       {{"append", R"({"record_hashes": [], "set_fencing_token": "kept"})", "0"}},
       {"append", R"({"record_hashes": [], "fencing_token": "kept"})", "0"},
       {"append", R"({"record_hashes": [], "fencing_token": "v1"})", "0"}},
  };
  for (const Kept& kept : all) {
    for (const bool is_right : {true, false}) {
      INFO(kept.model << (is_right ? ", right" : ", wrong"));
      Stream stream = open(kept.model);
      Client client(stream);
      for (const auto& operation : kept.before) client.does(operation[0], operation[1], operation[2], R"("here")");
      // Operations that failed, of processes and keys that are never seen again.
      const auto& last = is_right ? kept.right : kept.wrong;
      for (std::uint64_t i = 0; i < 40'000; ++i) {
        const std::string process = std::to_string(1000 + i);
        REQUIRE_FALSE(stream.call(process, last[0], quoted(i % 10), last[1], client.time()));
        REQUIRE_FALSE(stream.fail(process));
      }
      client.does(last[0], last[1], last[2], R"("here")");
      CHECK(stream.finish() == (is_right ? Verdict::valid : Verdict::invalid));
    }
  }
}

TEST_CASE("a log tells violations at the return, and values of any offset", "[stream]") {
  Stream stream = open("log");
  Client client(stream);
  for (std::uint64_t i = 0; i < 3000; ++i) client.does("append", quoted(i), std::to_string(i));
  for (std::uint64_t i = 0; i < 3000; ++i) client.does("read", std::to_string(i), quoted(i));
  CHECK(stream.verdict() == Verdict::valid);
  CHECK(stream.by_monitor());
  client.does("read", "5", quoted(6));
  CHECK(stream.verdict() == Verdict::invalid);
  CHECK(stream.failure()->message == R"(read(5) -> "v6" by process 9 can't be placed: offset 5 holds "v5")");
}

TEST_CASE("a log that shows what nobody can have appended is at fault", "[stream]") {
  for (const char* offset : {"0", "7", "4611686018427387900", "18446744073709551615"}) {
    Stream stream = open("log");
    Client client(stream);
    client.does("read", offset, "1");
    CHECK_FALSE(stream.advance(client.time()));
    CHECK(stream.verdict() == Verdict::invalid);
  }
}

TEST_CASE("an indeterminate append of a log fills one hole", "[stream]") {
  Stream stream = open("log");
  CHECK_FALSE(stream.call("0", "append", "null", R"("x")", 0));
  CHECK_FALSE(stream.info("0"));
  Client client(stream);
  client.does("append", R"("y")", "1");
  client.does("read", "0", R"("x")");
  CHECK_FALSE(stream.advance(client.time()));
  CHECK(stream.verdict() == Verdict::valid);
  client.does("append", R"("y")", "3");
  CHECK_FALSE(stream.advance(client.time()));
  CHECK(stream.verdict() == Verdict::invalid);
}

TEST_CASE("a log that can't be decided is unknown, and says why", "[stream]") {
  Stream stream = open("log");
  Client client(stream);
  client.does("append", "1", "null");
  CHECK_FALSE(stream.is_certain());
  CHECK(stream.finish() == Verdict::unknown);
  CHECK(stream.limit() == Limit::not_applicable);
}

TEST_CASE("a log that takes too much memory ends in unknown", "[stream]") {
  Stream stream = open("log", {.memory_limit = 100'000});
  Client client(stream);
  for (std::uint64_t i = 0; i < 20'000; ++i) client.does("append", quoted(i), std::to_string(i));
  CHECK(stream.finish() == Verdict::unknown);
  CHECK(stream.limit() == Limit::memory);
  CHECK(stream.memory() < 2'000'000);
}

TEST_CASE("what happened is counted, with the pairs that overlap", "[stream]") {
  Stream stream = open("kv");
  CHECK_FALSE(stream.call("0", "put", R"("a")", "1", 1));
  CHECK_FALSE(stream.call("1", "put", R"("b")", "1", 2));
  CHECK_FALSE(stream.ok("0", "null", 3));
  CHECK_FALSE(stream.call("0", "put", R"("a")", "1", 3));  // at the return: one process doesn't overlap itself
  CHECK_FALSE(stream.ok("1", "null", 4));
  CHECK_FALSE(stream.ok("0", "null", 5));
  CHECK_FALSE(stream.call("0", "put", R"("a")", "1", 6));
  CHECK_FALSE(stream.fail("0"));
  CHECK_FALSE(stream.call("0", "put", R"("a")", "1", 6));
  CHECK_FALSE(stream.info("0"));
  CHECK(stream.finish() == Verdict::valid);
  const StreamCounts& counts = stream.counts();
  CHECK(counts.operations == 5);
  CHECK(counts.ok == 3);
  CHECK(counts.fail == 1);
  CHECK(counts.info == 1);
  CHECK(counts.keys == 2);
  CHECK(counts.partitions == 2);
  CHECK(counts.overlapping_pairs == 2);
}

}  // namespace porpentine
