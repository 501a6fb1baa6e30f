// The causal judge: a trace in memory to its verdict, on one thread, and JSON Lines to a trace.
#include <benchmark/benchmark.h>
#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_trace.h>

#include <cstdint>
#include <deque>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace porpentine::bench {
namespace {

struct TraceOptions {
  std::uint64_t events = 1'000'000;
  std::uint32_t actors = 50;
  std::uint32_t channels = 200;
  std::uint32_t subscriptions = 8;  ///< of each actor
};

/// Every actor sends to any channel, a third of the time, and delivers from its own in the order in which it was sent.
CausalTrace make_trace(const TraceOptions& options) {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  CausalTrace trace;
  const auto add = [&](CausalEventType type, std::uint32_t actor, std::uint32_t channel, std::uint64_t offset) {
    trace.events.push_back(
        {.type = type, .actor = actor, .channel = channel, .offset = offset, .line = trace.events.size() + 1});
  };
  std::vector<std::vector<std::uint32_t>> consumers(options.channels);
  for (std::uint32_t k = 0; k < options.channels; ++k) trace.names.channels.push_back("t" + std::to_string(k));
  for (std::uint32_t actor = 0; actor < options.actors; ++actor) {
    trace.names.actors.push_back("n" + std::to_string(actor));
    for (std::uint32_t k = 0; k < options.subscriptions; ++k) {
      const std::uint32_t channel = (actor * options.subscriptions + k * 7) % options.channels;
      consumers[channel].push_back(actor);
      add(CausalEventType::subscribe, actor, channel, 0);
    }
  }
  std::vector<std::deque<std::pair<std::uint32_t, std::uint64_t>>> waiting(options.actors);
  std::vector<std::uint64_t> ends(options.channels, 0);
  while (trace.events.size() < options.events) {
    const std::uint32_t actor = below(options.actors);
    if (waiting[actor].empty() || below(3) == 0) {
      const std::uint32_t channel = below(options.channels);
      for (const std::uint32_t consumer : consumers[channel]) waiting[consumer].emplace_back(channel, ends[channel]);
      add(CausalEventType::send, actor, channel, ends[channel]++);
    } else {
      const auto [channel, offset] = waiting[actor].front();
      waiting[actor].pop_front();
      add(CausalEventType::deliver, actor, channel, offset);
    }
  }
  return trace;
}

void time_judge(benchmark::State& state, const TraceOptions& options) {
  const CausalTrace trace = make_trace(options);
  CausalResult result;
  for (auto _ : state) result = judge_causal_trace(trace);
  if (result.verdict != Verdict::valid) state.SkipWithError("the verdict is not valid");
  state.SetItemsProcessed(static_cast<std::int64_t>(options.events) * state.iterations());
  state.counters["bytes_an_event"] =
      static_cast<double>(result.statistics.peak_memory) / static_cast<double>(options.events);
}

void by_events(benchmark::State& state) {
  TraceOptions options;
  options.events = static_cast<std::uint64_t>(state.range(0));
  time_judge(state, options);
}

void by_actors(benchmark::State& state) {
  TraceOptions options;
  options.actors = static_cast<std::uint32_t>(state.range(0));
  time_judge(state, options);
}

void read_trace(benchmark::State& state) {
  std::ostringstream out;
  write_causal_trace(make_trace({}), out);
  const std::string text = out.str();
  for (auto _ : state) benchmark::DoNotOptimize(read_causal_trace_text(text).value());
  state.SetItemsProcessed(static_cast<std::int64_t>(TraceOptions{}.events) * state.iterations());
}

BENCHMARK(by_events)->RangeMultiplier(10)->Range(10'000, 10'000'000)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(by_actors)->RangeMultiplier(4)->Range(4, 1024)->Unit(benchmark::kMillisecond);
BENCHMARK(read_trace)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace porpentine::bench
