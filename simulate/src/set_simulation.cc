// Sets of few elements: add, remove, contains.
#include <optional>
#include <vector>

#include "overwritten.h"
#include "simulation.h"

namespace porpentine::simulate {
namespace {

// An element is a register that an add sets to 1 and a remove to 0, whatever they answer.
class Sets : public Simulation {
 public:
  Sets(const WorkloadOptions& options, Random& random)
      : Simulation(options, random),
        elements_(options.values == 0 ? kElements : static_cast<std::int64_t>(options.values)),
        held_(static_cast<std::size_t>(elements_) * options.keys, 0),
        past_(held_.size()) {}

  void call(Running& running) override {
    draw_key(running);
    running.position = running.key * elements_ + random_.below(elements_);
    running.operation.input = json(1 + running.position % elements_);
    if (running.reads) {
      running.operation.f = "contains";
      return;
    }
    running.value = random_.below(2);
    running.operation.f = running.value == 1 ? "add" : "remove";
    past(running).call(running.value, running.operation.indeterminate);
  }

  void apply(Running& running) override {
    std::int64_t& held = held_[static_cast<std::size_t>(running.position)];
    if (running.reads) {
      running.operation.output = truth(held == 1);
    } else {
      running.operation.output = truth(held != running.value);
      held = running.value;
    }
  }

  void finish(const Running& running) override {
    if (!running.reads) past(running).finish(running.value, running.operation, true);
  }

  bool corrupt(Running& running) override {
    const std::optional<std::int64_t> gone = past(running).find(running.operation.call);
    if (gone) running.operation.output = truth(*gone == 1);
    return gone.has_value();
  }

 private:
  static constexpr std::int64_t kElements = 100;

  static const char* truth(bool value) { return value ? "true" : "false"; }
  Overwritten& past(const Running& running) { return past_[static_cast<std::size_t>(running.position)]; }

  const std::int64_t elements_;
  std::vector<std::int64_t> held_;  // by key and element
  std::vector<Overwritten> past_;
};

}  // namespace

std::unique_ptr<Simulation> simulate_sets(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Sets>(options, random);
}

}  // namespace porpentine::simulate
