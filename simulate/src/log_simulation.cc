// Logs: append, read by offset, tail.
#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "simulation.h"

namespace porpentine::simulate {
namespace {

// Reads ask for one of the last records, or for one of the two positions after them.
class Logs : public Simulation {
 public:
  Logs(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), logs_(options.keys, Log(kRememberedPerClient * options.clients)) {}

  void call(Running& running) override {
    draw_key(running);
    if (!running.reads) {
      running.operation.f = "append";
      running.value = next_value();
      running.operation.input = json(running.value);
    } else if (random_.chance(kTailShare)) {
      running.operation.f = "tail";
    } else {
      running.operation.f = "read";
      running.position = std::max<std::int64_t>(0, log(running).length + 1 - random_.below(kReadable));
      running.operation.input = json(running.position);
    }
  }

  void apply(Running& running) override {
    Log& log = this->log(running);
    if (!running.reads) {
      running.position = log.length++;
      log.record(running.position) = {running.value, kNever};
      running.operation.output = json(running.position);
    } else if (is_tail(running)) {
      running.operation.output = json(log.length);
    } else if (running.position < log.length) {
      if (!log.holds(running.position)) throw std::length_error("the log ran away from one of its reads");
      running.operation.output = json(log.record(running.position).value);
    }
  }

  void finish(const Running& running) override {
    Log& log = this->log(running);
    if (!running.reads && log.holds(running.position)) log.record(running.position).returned = running.operation.ret;
  }

  // An append that returned its offset says for certain what is there from its return on, and that no other append is.
  bool corrupt(Running& running) override {
    Log& log = this->log(running);
    if (options_.fault == Fault::lost) return overwrite_predecessor(log, running);
    if (is_tail(running) || !log.holds(running.position)) return false;
    const Record& record = log.record(running.position);
    if (record.returned >= running.operation.call) return false;
    if (options_.fault == Fault::stale_read) {
      running.operation.output = "null";
      return true;
    }
    const std::int64_t other = log.record(std::max<std::int64_t>(0, running.position - 1)).value;
    running.operation.output = json(other);
    return other != record.value;
  }

 private:
  static constexpr std::int64_t kReadable = 32;
  // No operation lasts longer than 45 of average length, so no read meets more appends than this by far.
  static constexpr std::size_t kRememberedPerClient = 256;
  static constexpr double kTailShare = 0.25;

  struct Record {
    std::int64_t value = kNothing;
    std::int64_t returned = kNever;  // when its append did
  };
  class Log {
   public:
    explicit Log(std::size_t remembered) : recent_(remembered) {}

    std::int64_t length = 0;

    Record& record(std::int64_t position) { return recent_[static_cast<std::size_t>(position) % recent_.size()]; }
    [[nodiscard]] bool holds(std::int64_t position) const {
      return position < length && position >= length - static_cast<std::int64_t>(recent_.size());
    }

   private:
    std::vector<Record> recent_;  // the last ones, around a ring
  };

  static bool overwrite_predecessor(Log& log, Running& append) {
    const std::int64_t before = append.position - 1;
    if (before < 0 || !log.holds(before) || log.record(before).returned == kNever) return false;
    append.operation.output = json(before);
    return true;
  }

  static bool is_tail(const Running& running) { return running.operation.f == std::string_view("tail"); }
  Log& log(const Running& running) { return logs_[static_cast<std::size_t>(running.key)]; }

  std::vector<Log> logs_;
};

}  // namespace

std::unique_ptr<Simulation> simulate_logs(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Logs>(options, random);
}

}  // namespace porpentine::simulate
