#include <porpentine/models/foreign_model.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/checker/check.h>
#include <porpentine/history/reader.h>
#include <porpentine/simulate/workload.h>

#include "support/catch.h"

using namespace porpentine;

namespace {

/// A register, or a die that `write` rolls: it may then show its input or any of the two numbers after it.
class Register : public ForeignModel {
 public:
  explicit Register(const History& history, bool rolls = false) : history_(history), rolls_(rolls) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] StateId initial() override { return intern(std::nullopt); }
  [[nodiscard]] Answer step(StateId state, const BoundOperation& operation) override {
    ++calls;
    const auto& held = states_[state];
    const std::uint32_t i = operation.operation;
    if (history_.function_name(i) == "write") {
      const std::int64_t value = *history_.values.as_int64(history_.input[i]);
      if (!rolls_) return {{intern(value)}};
      return {{intern(value + 2), intern(value), intern(value + 1), intern(value)}};
    }
    if (operation.indeterminate || history_.values.as_int64(history_.output[i]) == held) return {{state}};
    return {{}, "the register holds " + describe(state)};
  }
  [[nodiscard]] std::string describe(StateId state) override {
    return states_[state] ? std::to_string(*states_[state]) : "nothing";
  }
  [[nodiscard]] bool read_only(const BoundOperation& operation) override {
    return history_.function_name(operation.operation) == "read";
  }

  int calls = 0;

 private:
  StateId intern(std::optional<std::int64_t> value) {
    const auto [entry, is_new] = ids_.try_emplace(value, static_cast<StateId>(states_.size()));
    if (is_new) states_.push_back(value);
    return entry->second;
  }

  const History& history_;
  bool rolls_;
  std::string name_ = "foreign";
  std::map<std::optional<std::int64_t>, StateId> ids_;
  std::vector<std::optional<std::int64_t>> states_;
};

History generated(const simulate::WorkloadOptions& options) {
  return read_history_text(simulate::generate_text(options)).value();
}

History two_rolls(const std::string& second) {
  return read_history_text(R"({"process":0,"f":"write","input":1,"call":0,"return":1})"
                           "\n"
                           R"({"process":0,"f":"read","output":2,"call":2,"return":3})"
                           "\n"
                           R"({"process":0,"f":"read","output":)" +
                           second + R"(,"call":4,"return":5})")
      .value();
}

}  // namespace

TEST_CASE("a foreign model gives the verdicts of the model that it repeats") {
  for (const simulate::Fault fault : {simulate::Fault::none, simulate::Fault::stale_read}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const History history = generated({.operations = 200,
                                         .clients = 6,
                                         .keys = 2,
                                         .indeterminate = 0.1,
                                         .values = fault == simulate::Fault::none ? 4U : 0U,
                                         .fault = fault,
                                         .fault_at = 0.5,
                                         .seed = seed});
      const auto model = make_foreign_specification(std::make_shared<Register>(history), history);
      const CheckResult result = check(*model, history, {.verify = true, .test_promises = true});
      CHECK(result.valid() == (fault == simulate::Fault::none));
      CHECK(result.partitions.size() == 2);
    }
  }
}

TEST_CASE("a foreign model is asked once about a state and an operation, whatever is checked and explained") {
  const History history = generated({.operations = 2000,
                                     .clients = 8,
                                     .keys = 4,
                                     .values = 3,
                                     .fault = simulate::Fault::stale_read,
                                     .fault_at = 0.5});
  auto foreign = std::make_shared<Register>(history);
  const auto model = make_foreign_specification(foreign, history);
  for (const SearchOrder order : {SearchOrder::portfolio, SearchOrder::breadth_first, SearchOrder::depth_first}) {
    CHECK(check(*model, history, {.jobs = 2, .order = order, .cores = Cores::small}).verdict == Verdict::invalid);
  }
  // By key: four states, and of each value a write and a read, as they were and with their outcome forgotten.
  CHECK(foreign->calls <= 4 * 4 * (2 * 3 + 1) * 2);
}

TEST_CASE("a foreign model may answer with several states") {
  for (const auto& [second, verdict] : {std::pair("2", Verdict::valid), std::pair("3", Verdict::invalid)}) {
    const History history = two_rolls(second);
    const auto model = make_foreign_specification(std::make_shared<Register>(history, true), history);
    const CheckResult result = check(*model, history, {.verify = true});
    CHECK(result.verdict == verdict);
    if (verdict == Verdict::invalid) {
      CHECK(result.failures.front().message.find("the register holds 2") != std::string::npos);
    }
  }
}

TEST_CASE("the replay of a foreign model puts its states away and takes them up") {
  const History history = two_rolls("2");
  const auto model = make_foreign_specification(std::make_shared<Register>(history, true), history);
  const auto replay = model->replay(history);
  CHECK(replay->apply({0, false}) == std::nullopt);
  std::string bytes;
  StateArchive writing(bytes);
  replay->transfer(writing);
  const auto other = model->replay(history);
  StateArchive reading{std::string_view(bytes)};
  other->transfer(reading);
  CHECK(other->state() == replay->state());
  CHECK(other->apply({1, false}) == std::nullopt);
  CHECK(other->state() == "2");
  CHECK(other->reads_only({1, false}));
  CHECK_FALSE(other->reads_only({0, false}));
}

TEST_CASE("partition keys of a foreign model take the place of the history's") {
  const History history = two_rolls("3");
  const auto model = make_foreign_specification(std::make_shared<Register>(history), history, {kNull, kTrue, kNull});
  const std::vector<Partition> partitions = model->partitions(history);
  REQUIRE(partitions.size() == 2);
  CHECK(partitions[0].operations.size() == 2);
  CHECK(partitions[1].key == kTrue);
}
