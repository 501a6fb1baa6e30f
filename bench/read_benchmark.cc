// Reading: JSON Lines in memory to a History.
#include <benchmark/benchmark.h>
#include <porpentine/history/reader.h>
#include <porpentine/simulate/workload.h>

#include <cstdint>
#include <string>

namespace porpentine::bench {

using namespace simulate;  // NOLINT: what benchmarks measure
namespace {

void read_jsonl(benchmark::State& state, const WorkloadOptions& options) {
  const std::string text = generate_text(options);
  for (auto _ : state) {
    const Result<History> history = read_history_text(text, {.format = Format::jsonl});
    if (!history) state.SkipWithError(history.error().message.c_str());
    benchmark::DoNotOptimize(history);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(options.operations));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

constexpr std::uint64_t kOperations = 100'000;

BENCHMARK_CAPTURE(read_jsonl, register, {.object = Object::reg, .operations = kOperations})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jsonl, register_5_values, {.object = Object::reg, .operations = kOperations, .values = 5})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jsonl, kv_100_keys, {.object = Object::kv, .operations = kOperations, .keys = 100})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jsonl, log, {.object = Object::log, .operations = kOperations})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jsonl, transactions, {.object = Object::multi_register, .operations = kOperations, .keys = 10})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace porpentine::bench
