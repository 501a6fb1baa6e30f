// The monitors, on one thread: a history in memory to its verdict. The search on the same histories stands beside them
// where it ends soon enough.
#include <benchmark/benchmark.h>
#include <porpentine/checker/check.h>
#include <porpentine/simulate/workload.h>

#include <cstdint>

#include "timed_check.h"

namespace porpentine::bench {
namespace {

void by_length(benchmark::State& state, WorkloadOptions options, Engine engine) {
  options.operations = static_cast<std::uint64_t>(state.range(0));
  time_check(state, options, {.jobs = 1, .engine = engine});
}

void by_clients(benchmark::State& state, WorkloadOptions options, Engine engine) {
  options.clients = static_cast<std::uint32_t>(state.range(0));
  time_check(state, options, {.jobs = 1, .engine = engine});
}

/// The verdict alone. To tell where a history fails may take a search, which the limit ends; a monitor takes no steps.
void fault_by_clients(benchmark::State& state, WorkloadOptions options) {
  options.clients = static_cast<std::uint32_t>(state.range(0));
  time_check(state, options, {.step_limit = 1, .jobs = 1, .engine = Engine::monitor});
}

/// In thousandths of the writes, and of a queue's takes.
void by_doubt(benchmark::State& state, WorkloadOptions options, Engine engine) {
  options.indeterminate = static_cast<double>(state.range(0)) / 1000;
  time_check(state, options, {.jobs = 1, .engine = engine});
}

constexpr std::uint64_t kOperations = 100'000;
constexpr std::uint64_t kSearched = 2'000;

constexpr WorkloadOptions of(Object object, std::uint64_t operations, Fault fault = Fault::none) {
  WorkloadOptions options;
  options.object = object;
  options.operations = operations;
  options.fault = fault;
  options.fault_at = 0.9;
  return options;
}

constexpr WorkloadOptions doubtful(Object object, std::uint64_t operations, std::uint32_t clients = 16) {
  WorkloadOptions options = of(object, operations);
  options.clients = clients;
  return options;
}

void lengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->RangeMultiplier(10)->Range(10'000, 10'000'000)->Iterations(3)->Unit(benchmark::kMillisecond);
}
void searched_lengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->RangeMultiplier(10)->Range(10'000, 100'000)->Iterations(3)->Unit(benchmark::kMillisecond);
}
void clients(benchmark::internal::Benchmark* benchmark) {
  benchmark->RangeMultiplier(4)->Range(4, 1024)->Unit(benchmark::kMillisecond);
}
void few_clients(benchmark::internal::Benchmark* benchmark) {
  benchmark->RangeMultiplier(2)->Range(2, 8)->Unit(benchmark::kMillisecond);
}
void doubts(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);
}
/// With many unknown pops the ones that were called first need not be those that took what is missing.
void few_doubts(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(by_length, monitor_log, of(Object::log, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_register, of(Object::reg, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_queue, of(Object::queue, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_bag, of(Object::bag, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_stack, of(Object::stack, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_priority_queue, of(Object::priority_queue, 0), Engine::monitor)->Apply(lengths);
BENCHMARK_CAPTURE(by_length, monitor_set, of(Object::set, 0), Engine::monitor)->Apply(lengths);

BENCHMARK_CAPTURE(by_length, search_log, of(Object::log, 0), Engine::search)->Apply(searched_lengths);
BENCHMARK_CAPTURE(by_length, search_register, of(Object::reg, 0), Engine::search)->Apply(searched_lengths);
BENCHMARK_CAPTURE(by_length, search_set, of(Object::set, 0), Engine::search)->Apply(searched_lengths);

BENCHMARK_CAPTURE(by_clients, monitor_log, of(Object::log, kOperations), Engine::monitor)->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_register, of(Object::reg, kOperations), Engine::monitor)->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_queue, of(Object::queue, kOperations), Engine::monitor)->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_bag, of(Object::bag, kOperations), Engine::monitor)->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_stack, of(Object::stack, kOperations), Engine::monitor)->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_priority_queue, of(Object::priority_queue, kOperations), Engine::monitor)
    ->Apply(clients);
BENCHMARK_CAPTURE(by_clients, monitor_set, of(Object::set, kOperations), Engine::monitor)->Apply(clients);

BENCHMARK_CAPTURE(by_clients, search_queue, of(Object::queue, kSearched), Engine::search)->Apply(few_clients);
BENCHMARK_CAPTURE(by_clients, search_bag, of(Object::bag, kSearched), Engine::search)->Apply(few_clients);
BENCHMARK_CAPTURE(by_clients, search_stack, of(Object::stack, kSearched), Engine::search)->Apply(few_clients);
BENCHMARK_CAPTURE(by_clients, search_priority_queue, of(Object::priority_queue, kSearched), Engine::search)
    ->Apply(few_clients);

BENCHMARK_CAPTURE(fault_by_clients, log_wrong_record, of(Object::log, kOperations, Fault::wrong_record))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, log_lost, of(Object::log, kOperations, Fault::lost))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, register_stale_read, of(Object::reg, kOperations, Fault::stale_read))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, queue_reordered, of(Object::queue, kOperations, Fault::reordered))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, bag_duplicate, of(Object::bag, kOperations, Fault::duplicate))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, stack_reordered, of(Object::stack, kOperations, Fault::reordered))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, priority_queue_reordered, of(Object::priority_queue, kOperations, Fault::reordered))
    ->Apply(clients)
    ->UseManualTime();
BENCHMARK_CAPTURE(fault_by_clients, set_stale_read, of(Object::set, kOperations, Fault::stale_read))
    ->Apply(clients)
    ->UseManualTime();

BENCHMARK_CAPTURE(by_doubt, monitor_log, doubtful(Object::log, kOperations), Engine::monitor)->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_register, doubtful(Object::reg, kOperations), Engine::monitor)->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_queue, doubtful(Object::queue, kOperations), Engine::monitor)->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_bag, doubtful(Object::bag, kOperations), Engine::monitor)->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_stack, doubtful(Object::stack, kOperations), Engine::monitor)->Apply(few_doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_priority_queue, doubtful(Object::priority_queue, kOperations), Engine::monitor)
    ->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, monitor_set, doubtful(Object::set, kOperations), Engine::monitor)->Apply(doubts);

BENCHMARK_CAPTURE(by_doubt, search_log, doubtful(Object::log, kSearched, 4), Engine::search)->Apply(doubts);
BENCHMARK_CAPTURE(by_doubt, search_register, doubtful(Object::reg, kSearched, 4), Engine::search)->Apply(doubts);

}  // namespace
}  // namespace porpentine::bench
