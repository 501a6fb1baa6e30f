// Streams of s2: append, read, check-tail.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "simulation.h"

namespace porpentine::simulate {
namespace {

// Reads show the hash of all records. Appends add one to three, and demand the tail that they were called at where
// their outcome is unknown, every other time.
class Streams : public Simulation {
 public:
  Streams(const WorkloadOptions& options, Random& random) : Simulation(options, random), streams_(options.keys) {}

  void call(Running& running) override {
    draw_key(running);
    if (running.reads) {
      running.operation.f = random_.chance(kTailShare) ? "check-tail" : "read";
      return;
    }
    running.operation.f = "append";
    std::string hashes;
    for (std::int64_t count = 1 + random_.below(kMostRecords); count > 0; --count) {
      const std::uint64_t hash = hash_of(static_cast<std::uint64_t>(next_value()), 0);
      running.records.push_back(hash);
      hashes += (hashes.empty() ? "" : ",") + decimal(hash);
    }
    running.operation.input = R"({"record_hashes":[)" + hashes + "]";
    if (running.operation.indeterminate && random_.chance(0.5)) {
      running.expected = stream(running).tail;
      running.operation.input += R"(,"match_seq_num":)" + json(running.expected);
    }
    running.operation.input += "}";
  }

  void apply(Running& running) override {
    Stream& stream = this->stream(running);
    if (running.reads) {
      running.operation.output = shown(running, stream);
      return;
    }
    if (running.expected != kNothing && running.expected != stream.tail) return;
    for (const std::uint64_t record : running.records) stream.hash = hash_of(record, stream.hash);
    stream.tail += static_cast<std::int64_t>(running.records.size());
    running.operation.output = json(stream.tail);
  }

  void finish(const Running& running) override {
    Stream& stream = this->stream(running);
    if (!running.reads) stream.first_returned = std::min(stream.first_returned, running.operation.ret);
  }

  // A stream that an append to it has returned from isn't empty; and that two streams have one hash nobody will see.
  bool corrupt(Running& running) override {
    const bool is_read = running.operation.f == std::string_view("read");
    Stream& stream = this->stream(running);
    if (options_.fault == Fault::stale_read) {
      if (stream.first_returned >= running.operation.call) return false;
      running.operation.output = shown(running, Stream{});
      return true;
    }
    if (!is_read) return false;
    running.operation.output = shown(running, Stream{stream.tail, ~stream.hash});
    return true;
  }

 private:
  static constexpr std::int64_t kMostRecords = 3;
  static constexpr double kTailShare = 0.25;

  struct Stream {
    std::int64_t tail = 0;
    std::uint64_t hash = 0;
    std::int64_t first_returned = kNever;  // of its appends
  };

  /// XXH3 of the eight bytes of `number`, the lowest first.
  static std::uint64_t hash_of(std::uint64_t number, std::uint64_t seed) {
    std::array<unsigned char, sizeof number> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(number >> (8 * i));
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
  }
  static std::string decimal(std::uint64_t hash) { return '"' + std::to_string(hash) + '"'; }
  static std::string shown(const Running& running, const Stream& stream) {
    if (running.operation.f == std::string_view("check-tail")) return json(stream.tail);
    return R"({"tail":)" + json(stream.tail) + R"(,"stream_hash":)" + decimal(stream.hash) + "}";
  }
  Stream& stream(const Running& running) { return streams_[static_cast<std::size_t>(running.key)]; }

  std::vector<Stream> streams_;
};

}  // namespace

std::unique_ptr<Simulation> simulate_streams(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Streams>(options, random);
}

}  // namespace porpentine::simulate
