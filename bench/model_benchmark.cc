// The models alone: binding a partition's operations to a machine, and stepping it.
#include <benchmark/benchmark.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/specification.h>
#include <porpentine/simulate/workload.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "prepared_history.h"

namespace porpentine::bench {
namespace {

// All operations in order of their returns, which is close to an order that the model accepts.
std::vector<BoundOperation> operations_of(const History& history) {
  std::vector<std::uint32_t> order(history.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return history.ret[a] < history.ret[b]; });
  std::vector<BoundOperation> operations;
  operations.reserve(order.size());
  for (const std::uint32_t operation : order) {
    operations.push_back({operation, is_indeterminate(history.outcome[operation])});
  }
  return operations;
}

void bind(benchmark::State& state, const WorkloadOptions& options) {
  const PreparedHistory prepared = prepare(options);
  const std::vector<BoundOperation> operations = operations_of(prepared.history);
  for (auto _ : state) {
    Bound bound = prepared.model->bind(prepared.history, operations);
    benchmark::DoNotOptimize(bound);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations.size()));
}

// Refused operations are passed over, so the walk meets refusals, new states and known ones.
void step(benchmark::State& state, const WorkloadOptions& options) {
  const PreparedHistory prepared = prepare(options);
  const std::vector<BoundOperation> operations = operations_of(prepared.history);
  Bound bound = prepared.model->bind(prepared.history, operations);
  for (auto _ : state) {
    StateId current = bound.machine->initial();
    for (const Label label : bound.labels) {
      if (label == kIrrelevant) continue;
      const StateId next = bound.machine->step(current, label);
      if (next < kSeveral) current = next;
    }
    benchmark::DoNotOptimize(current);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations.size()));
}

constexpr std::uint64_t kOperations = 20'000;
constexpr WorkloadOptions kRegister = {.object = Object::reg, .operations = kOperations, .cas_share = 0.3};
constexpr WorkloadOptions kKv = {.object = Object::kv, .operations = kOperations, .cas_share = 0.3};
constexpr WorkloadOptions kLog = {.object = Object::log, .operations = kOperations};
constexpr WorkloadOptions kTransactions = {.object = Object::multi_register, .operations = kOperations, .keys = 10};

BENCHMARK_CAPTURE(bind, register, kRegister)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(bind, kv, kKv)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(bind, log, kLog)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(bind, transactions, kTransactions)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, register, kRegister)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, kv, kKv)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, log, kLog)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, transactions, kTransactions)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace porpentine::bench
