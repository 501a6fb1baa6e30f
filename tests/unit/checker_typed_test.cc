#include <map>
#include <set>

#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;

namespace {

struct Register {
  using State = int;
  struct Input {
    bool is_write;
    int value;
    auto operator<=>(const Input&) const = default;
  };
  using Output = int;
  [[nodiscard]] State initial() const { return 0; }
  [[nodiscard]] Step<State> step(const State& state, const Input& input, const std::optional<int>& output) const {
    if (input.is_write) return input.value;
    if (output && *output != state) return refuse("it holds " + std::to_string(state));
    return state;
  }
};

Operation<Register> write(int process, int value, std::int64_t call, std::int64_t ret) {
  return {process, {true, value}, 0, call, ret};
}
Operation<Register> read(int process, int value, std::int64_t call, std::int64_t ret) {
  return {process, {false, 0}, value, call, ret};
}

// A coin that a flip may leave on either side: one step, several next states.
struct Coin {
  using State = int;
  using Input = bool;  // true: flip
  using Output = int;
  [[nodiscard]] State initial() const { return 0; }
  [[nodiscard]] Step<State> step(const State& state, const Input& flip, const std::optional<int>& output) const {
    if (flip) return std::vector<int>{0, 1};
    if (output && *output != state) return refuse("the other side is up");
    return state;
  }
};

// A set whose states can only be compared for equality.
struct Opaque {
  struct State {
    std::set<int> items;
    bool operator==(const State&) const = default;
  };
  using Input = int;
  using Output = bool;  // whether it was new
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] Step<State> step(const State& state, const Input& input, const std::optional<bool>& output) const {
    State next = state;
    const bool is_new = next.items.insert(input).second;
    if (output && *output != is_new) return refuse();
    return next;
  }
};

struct Liar : Register {  // says that writes only read
  [[nodiscard]] bool read_only(const Input&) const { return true; }
};
struct Bungler : Register {  // equal states with different hashes
  mutable std::size_t calls = 0;
  [[nodiscard]] std::size_t hash(const State&) const { return ++calls; }
};

CheckOptions testing_promises() {
  CheckOptions options;
  options.test_promises = true;
  options.jobs = 1;
  return options;
}

}  // namespace

TEST_CASE("a model of one's own is checked, and its refusal is told") {
  CHECK(check(Register{}, std::vector{write(0, 1, 0, 10), read(1, 0, 5, 6), read(1, 1, 11, 12)}).valid());
  const CheckResult result = check(Register{}, std::vector{write(0, 1, 0, 10), read(1, 0, 11, 12)});
  CHECK(result.verdict == Verdict::invalid);
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures[0].operation == 1);
  CHECK(
      result.failures[0].message ==
      "operation 1 by process 1 can't be placed where it holds 1: operation 0 by process 0 had returned before it was "
      "called");
}

TEST_CASE("an operation without output is indeterminate") {
  const Operation<Register> lost{0, {true, 1}, std::nullopt, 0, 0};
  CHECK(check(Register{}, std::vector{lost, read(1, 0, 5, 6), read(1, 1, 7, 8)}).valid());
  CHECK_FALSE(check(Register{}, std::vector{lost, read(1, 1, 5, 6), read(1, 0, 7, 8)}).valid());
}

TEST_CASE("a model may answer with several next states") {
  const std::vector<Operation<Coin>> either = {
      {0, true, 0, 0, 1}, {0, false, 1, 2, 3}, {0, true, 0, 4, 5}, {0, false, 0, 6, 7}};
  const std::vector<Operation<Coin>> neither = {{0, true, 0, 0, 1}, {0, false, 1, 2, 3}, {0, false, 0, 4, 5}};
  for (const SearchOrder order : {SearchOrder::portfolio, SearchOrder::breadth_first, SearchOrder::depth_first}) {
    CheckOptions options;
    options.order = order;
    options.verify = true;
    CHECK(check(Coin{}, either, options).valid());
    CHECK_FALSE(check(Coin{}, neither, options).valid());
  }
}

TEST_CASE("states need nothing but equality") {
  std::vector<Operation<Opaque>> history;
  for (int i = 0; i < 6; ++i) history.push_back({i, i % 3, i < 3, i, 100 + i});
  CHECK(check(Opaque{}, history).valid());
  history[5].output = true;
  CHECK_FALSE(check(Opaque{}, history).valid());
}

TEST_CASE("a model with endlessly many states is walked, not enumerated") {
  struct Sum {
    using State = std::int64_t;
    using Input = int;
    using Output = std::int64_t;
    [[nodiscard]] State initial() const { return 0; }
    [[nodiscard]] Step<State> step(const State& state, const Input& input, const std::optional<Output>& output) const {
      if (input != 0) return state + input;
      if (output && *output != state) return refuse();
      return state;
    }
  };
  std::vector<Operation<Sum>> history;
  for (int i = 0; i < 10'000; ++i) history.push_back({i % 4, 1, 0, i * 10, i * 10 + 35});
  history.push_back({4, 0, 10'000, 200'000, 200'001});
  CHECK(check(Sum{}, history).valid());
}

TEST_CASE("the order that was found can be had, and it respects time") {
  CheckOptions options;
  options.linearization = true;
  for (const SearchOrder order : {SearchOrder::portfolio, SearchOrder::breadth_first, SearchOrder::depth_first}) {
    options.order = order;
    const CheckResult result =
        check(Register{}, std::vector{write(0, 1, 0, 10), read(1, 0, 5, 6), read(1, 1, 11, 12)}, options);
    REQUIRE(result.partitions.size() == 1);
    CHECK(result.partitions[0].linearization == std::vector<std::uint32_t>{1, 0, 2});
  }
}

TEST_CASE("what is no history is an input error, and names the operation") {
  CHECK_THROWS_AS(check(Register{}, std::vector{write(0, 1, 10, 9)}), InputError);
  CHECK_THROWS_WITH(check(Register{}, std::vector{write(0, 1, 10, 9)}), "operation 0 returns before its call");
  CHECK_THROWS_WITH(check(Register{}, std::vector{write(0, 1, 0, 10), write(0, 2, 5, 20)}),
                    "operation 1 is called by its process while operation 0 is running");
  const Operation<Register> lost{0, {true, 1}, std::nullopt, 0, 0};
  CHECK(check(Register{}, std::vector{lost, write(0, 2, 5, 20)}).valid());
}

TEST_CASE("a broken promise is named where promises are tested") {
  const std::vector<Operation<Liar>> history = {{0, {true, 1}, 0, 0, 1}};
  CHECK_THROWS_WITH(check(Liar{}, history, testing_promises()),
                    "the model breaks its promise of read_only: the operation changed the state");
  const std::vector<Operation<Bungler>> same = {{0, {true, 0}, 0, 0, 1}, {0, {true, 0}, 1, 2, 3}};
  CHECK_THROWS_WITH(check(Bungler{}, same, testing_promises()),
                    "the model breaks its promise of hash: equal states have different hashes");
}

TEST_CASE("promises that are kept pass their tests") {
  CHECK(check(Register{}, std::vector{write(0, 1, 0, 10), read(1, 0, 5, 6), read(1, 1, 11, 12)}, testing_promises())
            .valid());
}
