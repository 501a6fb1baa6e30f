// The search: a history in memory to its verdict. Where a monitor applies it is left aside.
#include <benchmark/benchmark.h>
#include <porpentine/checker/check.h>
#include <porpentine/simulate/workload.h>

#include <cstdint>
#include <vector>

#include "prepared_history.h"
#include "timed_check.h"

namespace porpentine::bench {
namespace {

const CheckOptions kSearch = {.engine = Engine::search};

void by_clients(benchmark::State& state, WorkloadOptions options) {
  options.clients = static_cast<std::uint32_t>(state.range(0));
  time_check(state, options, kSearch);
}

void by_length(benchmark::State& state, WorkloadOptions options) {
  options.operations = static_cast<std::uint64_t>(state.range(0));
  time_check(state, options, kSearch);
}

/// In thousandths of the writes.
void by_indeterminate(benchmark::State& state, WorkloadOptions options) {
  options.indeterminate = static_cast<double>(state.range(0)) / 1000;
  time_check(state, options, kSearch);
}

void unsplit_kv(benchmark::State& state, const WorkloadOptions& options) {
  time_check(state, options, "kv:split=false", kSearch);
}

// Like the logs that Jepsen's early test of etcd left: five clients, few values, many cas, some writes unknown.
void many_small(benchmark::State& state) {
  constexpr std::uint64_t kHistories = 100;
  std::vector<PreparedHistory> histories;
  std::int64_t operations = 0;
  for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
    histories.push_back(prepare({.operations = 85,
                                 .clients = 5,
                                 .read_share = 0.3,
                                 .cas_share = 0.6,
                                 .indeterminate = 0.25,
                                 .values = 5,
                                 .seed = seed}));
    operations += static_cast<std::int64_t>(histories.back().history.size());
  }
  const CheckOptions how = {.jobs = 1, .engine = Engine::search};
  for (auto _ : state) {
    for (const PreparedHistory& prepared : histories) {
      if (!check(*prepared.model, prepared.history, how).valid()) state.SkipWithError("wrong verdict");
    }
  }
  state.SetItemsProcessed(state.iterations() * operations);
}

constexpr std::uint64_t kOperations = 20'000;
constexpr WorkloadOptions kRegister = {.object = Object::reg, .operations = kOperations};
constexpr WorkloadOptions kRepeating = {.object = Object::reg, .operations = kOperations, .values = 5};
constexpr WorkloadOptions kStale = {.object = Object::reg, .operations = kOperations, .fault = Fault::stale_read};
constexpr WorkloadOptions kLog = {.object = Object::log, .operations = kOperations};
constexpr WorkloadOptions kWrongRecord = {
    .object = Object::log, .operations = kOperations, .fault = Fault::wrong_record};
constexpr WorkloadOptions kKeys = {.object = Object::kv, .operations = kOperations, .keys = 100};
constexpr WorkloadOptions kFewKeys = {.object = Object::kv, .operations = 400, .clients = 10, .keys = 10};
constexpr WorkloadOptions kDoubtful = {.object = Object::reg, .operations = 2'000};
constexpr WorkloadOptions kDoubtfulLog = {.object = Object::log, .operations = 2'000};

BENCHMARK_CAPTURE(by_clients, register, kRegister)->RangeMultiplier(2)->Range(2, 32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_clients, register_5_values, kRepeating)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_clients, register_stale_read, kStale)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_clients, log, kLog)->RangeMultiplier(2)->Range(2, 32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_clients, log_wrong_record, kWrongRecord)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_clients, kv_100_keys, kKeys)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(by_length, register, kRegister)
    ->RangeMultiplier(10)
    ->Range(1000, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_length, log, kLog)->RangeMultiplier(10)->Range(1000, 1'000'000)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(by_indeterminate, register, kDoubtful)->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_indeterminate, log, kDoubtfulLog)->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(unsplit_kv, kv_10_keys, kFewKeys)->Unit(benchmark::kMillisecond);
BENCHMARK(many_small)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace porpentine::bench
