#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

struct Slow {  // a register whose steps wait until they are told that it is enough
  using State = int;
  using Input = int;
  using Output = int;
  std::atomic<int>* steps;
  std::atomic<bool>* cancel;
  [[nodiscard]] State initial() const { return 0; }
  [[nodiscard]] Step<State> step(const State& state, const Input& input, const std::optional<int>&) const {
    if (++*steps == 3) *cancel = true;
    return state + input;
  }
};

}  // namespace

TEST_CASE("a limit ends a check in unknown, with its name") {
  CheckOptions options;
  options.step_limit = 10'000;
  const CheckResult result = judge("kv", hard_history(40), options);
  CHECK(result.verdict == Verdict::unknown);
  CHECK(result.limit == Limit::steps);
  CHECK(std::string(to_string(result.limit)) == "step-limit");
  CHECK(result.failures.empty());
  REQUIRE(result.partitions.size() == 1);
  CHECK(result.partitions[0].limit == Limit::steps);
  CHECK(result.statistics.steps >= 10'000);
  CHECK(result.statistics.steps <= 10'000 + 2 * 1024);  // each of the two orders reports after 1,024 steps at most
}

TEST_CASE("a time limit that is over before the check begins leaves everything unknown") {
  for (const std::int64_t nanoseconds : {std::int64_t{0}, std::int64_t{-5}}) {
    CheckOptions options;
    options.time_limit = std::chrono::nanoseconds(nanoseconds);
    const CheckResult result = judge("kv", hard_history(40), options);
    CHECK(result.verdict == Verdict::unknown);
    CHECK(result.limit == Limit::time);
  }
}

TEST_CASE("a time limit without end is no limit") {
  CheckOptions options;
  options.time_limit = std::chrono::nanoseconds::max();
  CHECK(judge("register", line(0, "write", "1", "null", 0, 1), options).verdict == Verdict::valid);
}

TEST_CASE("memory stays below its limit") {
  for (const SearchOrder order : {SearchOrder::portfolio, SearchOrder::breadth_first, SearchOrder::depth_first}) {
    CheckOptions options;
    options.memory_limit = 2_MiB;
    options.order = order;
    const CheckResult result = judge("kv", hard_history(40), options);
    CHECK(result.verdict == Verdict::unknown);
    CHECK(result.limit == Limit::memory);
    CHECK(result.statistics.peak_memory <= 2 * 2_MiB);  // counted between polls, so a little more can show
  }
}

TEST_CASE("a check can be cancelled from within a step") {
  std::atomic<int> steps = 0;
  std::atomic<bool> cancel = false;
  std::vector<Operation<Slow>> history;
  for (int i = 0; i < 60; ++i) history.push_back({i, 1 << (i % 20), 0, i, 1000 + i});
  CheckOptions options;
  options.cancel = &cancel;
  options.jobs = 1;
  const CheckResult result = check(Slow{&steps, &cancel}, history, options);
  CHECK(result.verdict == Verdict::unknown);
  CHECK(result.limit == Limit::cancelled);
}

TEST_CASE("a violation that was found before a limit is kept") {
  CheckOptions options;
  options.step_limit = 200'000;
  options.jobs = 1;
  const CheckResult result =
      judge("kv", keyed("hard", hard_history(40)) + keyed("easy", line(90, "get", "null", "1", 0, 1)), options);
  CHECK(result.verdict == Verdict::invalid);
  REQUIRE(result.partitions.size() == 2);
  CHECK(result.partitions[0].verdict == Verdict::unknown);
  CHECK(result.partitions[1].verdict == Verdict::invalid);
  CHECK(result.failures.size() == 1);
}

TEST_CASE("an unknown says how far it came") {
  CheckOptions options;
  options.step_limit = 100'000;
  options.order = SearchOrder::depth_first;
  const CheckResult result = judge("kv", hard_history(40), options);
  REQUIRE(result.partitions.size() == 1);
  CHECK(result.partitions[0].reached == 40);
}
