#include <atomic>
#include <stdexcept>

#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

struct Counter {  // adds and reads, one counter a key
  using State = int;
  struct Input {
    int key;
    int add;
  };
  using Output = int;
  [[nodiscard]] State initial() const { return 0; }
  [[nodiscard]] Step<State> step(const State& state, const Input& input, const std::optional<int>& output) const {
    if (input.add == 13) throw std::runtime_error("thirteen");
    if (input.add != 0) return state + input.add;
    if (output && *output != state) return refuse("it stands at " + std::to_string(state));
    return state;
  }
  [[nodiscard]] int partition_key(const Input& input) const { return input.key; }
};

// `keys` counters with `rounds` adds each and a read at the end, which is wrong for the keys that `wrong` names.
template <typename Wrong>
std::vector<Operation<Counter>> counters(int keys, int rounds, const Wrong& wrong) {
  std::vector<Operation<Counter>> history;
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int key = 0; key < keys; ++key) history.push_back({key, {key, 1}, 0, round * 10, round * 10 + 9});
  }
  const std::int64_t end = std::int64_t{rounds} * 10;
  for (int key = 0; key < keys; ++key) {
    history.push_back({key, {key, 0}, rounds + (wrong(key) ? 1 : 0), end, end + 9});
  }
  return history;
}

}  // namespace

TEST_CASE("partitions that run side by side give what they give one after the other") {
  const auto history = counters(64, 50, [](int key) { return key % 7 == 3; });
  for (const unsigned jobs : {1U, 2U, 8U}) {
    CheckOptions options;
    options.jobs = jobs;
    options.verify = true;
    const CheckResult result = check(Counter{}, history, options);
    CHECK(result.verdict == Verdict::invalid);
    REQUIRE(result.partitions.size() == 64);
    REQUIRE(result.failures.size() == 9);
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      CHECK(result.failures[i].operation == 64 * 50 + 3 + 7 * i);
      CHECK(result.failures[i].longest_prefix == 50);
    }
  }
}

TEST_CASE("both orders of one hard partition run side by side, and the first to decide ends the other") {
  // Four hundred thousand steps are more than one turn of either order.
  for (const unsigned jobs : {1U, 2U, 4U}) {
    CheckOptions options;
    options.jobs = jobs;
    options.step_limit = 400'000;
    CHECK(judge("kv", hard_history(40), options).verdict == Verdict::unknown);
  }
  for (const unsigned jobs : {1U, 2U}) {
    CheckOptions options;
    options.jobs = jobs;
    CHECK(judge("kv", hard_history(13), options).verdict == Verdict::invalid);
  }
}

TEST_CASE("an exception of the model arrives at the caller, from whatever thread") {
  auto history = counters(64, 50, [](int) { return false; });
  history[1000].input.add = 13;
  for (const unsigned jobs : {1U, 4U}) {
    CheckOptions options;
    options.jobs = jobs;
    CHECK_THROWS_WITH(check(Counter{}, history, options), "thirteen");
  }
}

TEST_CASE("progress is told from the start to the end, and the last word is that all is done") {
  const auto history = counters(64, 50, [](int) { return false; });
  for (const unsigned jobs : {1U, 3U}) {
    Progress last;
    CheckOptions options;
    options.jobs = jobs;
    options.progress = [&](const Progress& progress) { last = progress; };
    CHECK(check(Counter{}, history, options).valid());
    CHECK(last.partitions_done == 64);
    CHECK(last.partitions == 64);
    CHECK(last.operations_done == history.size());
    CHECK(last.operations == history.size());
  }
}

TEST_CASE("a check that another thread cancels ends in unknown") {
  std::atomic<bool> cancel = true;
  CheckOptions options;
  options.cancel = &cancel;
  options.jobs = 4;
  const CheckResult result = check(Counter{}, counters(64, 50, [](int) { return false; }), options);
  CHECK(result.verdict == Verdict::unknown);
  CHECK(result.limit == Limit::cancelled);
}
