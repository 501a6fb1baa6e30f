// Counters that only rise: add, read.
#include <vector>

#include "simulation.h"

namespace porpentine::simulate {
namespace {

// An add that returned before a read was called is in what the read sees, and all are positive. So an answer below the
// sum of those is certainly wrong.
class Counters : public Simulation {
 public:
  Counters(const WorkloadOptions& options, Random& random) : Simulation(options, random), counters_(options.keys) {}

  void call(Running& running) override {
    draw_key(running);
    if (running.reads) {
      running.operation.f = "read";
      running.position = counter(running).before_last;
    } else {
      running.operation.f = "add";
      running.value = options_.values == 0 ? 1 + random_.below(kLargest) : next_value();
      running.operation.input = json(running.value);
    }
  }

  void apply(Running& running) override {
    if (running.reads) {
      running.operation.output = json(counter(running).sum);
    } else {
      counter(running).sum += running.value;
    }
  }

  void finish(const Running& running) override {
    if (running.reads) return;
    Counter& counter = this->counter(running);
    counter.before_last = counter.returned;
    counter.returned += running.value;
  }

  bool corrupt(Running& read) override {
    if (read.position == kNothing) return false;
    read.operation.output = json(read.position);
    return true;
  }

 private:
  static constexpr std::int64_t kLargest = 10;

  struct Counter {
    std::int64_t sum = 0;
    std::int64_t returned = 0;            // the sum of the adds that did
    std::int64_t before_last = kNothing;  // that sum, without the last of them
  };

  Counter& counter(const Running& running) { return counters_[static_cast<std::size_t>(running.key)]; }

  std::vector<Counter> counters_;
};

}  // namespace

std::unique_ptr<Simulation> simulate_counters(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Counters>(options, random);
}

}  // namespace porpentine::simulate
