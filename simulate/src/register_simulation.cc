// Registers, keys that hold one value each, and registers under transactions.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "overwritten.h"
#include "simulation.h"

namespace porpentine::simulate {
namespace {

class Registers : public Simulation {
 public:
  Registers(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), held_(options.keys, kNothing), past_(options.keys) {}

  void call(Running& running) override {
    draw_key(running);
    const bool kv = options_.object == Object::kv;
    if (running.reads) {
      running.operation.f = kv ? "get" : "read";
      return;
    }
    running.value = next_value();
    past(running).call(running.value, running.operation.indeterminate);
    if (!random_.chance(options_.cas_share)) {
      running.operation.f = kv ? "put" : "write";
      running.operation.input = json(running.value);
      return;
    }
    running.operation.f = "cas";
    running.expected = options_.values == 0 ? held(running) : next_value();
    running.operation.input = "[" + json(running.expected) + "," + json(running.value) + "]";
  }

  void apply(Running& running) override {
    if (running.reads) {
      running.operation.output = json(held(running));
    } else if (running.operation.f == std::string_view("cas")) {
      const bool matches = held(running) == running.expected;
      running.operation.output = matches ? "true" : "false";
      if (matches) held(running) = running.value;
    } else {
      held(running) = running.value;
    }
  }

  void finish(const Running& running) override {
    if (!running.reads) past(running).finish(running.value, running.operation, running.operation.output != "false");
  }

  bool corrupt(Running& running) override {
    const std::optional<std::int64_t> gone = past(running).find(running.operation.call);
    if (gone) running.operation.output = json(*gone);
    return gone.has_value();
  }

 private:
  std::int64_t& held(const Running& running) { return held_[static_cast<std::size_t>(running.key)]; }
  Overwritten& past(const Running& running) { return past_[static_cast<std::size_t>(running.key)]; }

  std::vector<std::int64_t> held_;
  std::vector<Overwritten> past_;
};

// Transactions of two registers: both are read, or both are written.
class MultiRegister : public Simulation {
 public:
  MultiRegister(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), held_(options.keys, kNothing), past_(options.keys) {}

  void call(Running& running) override {
    const std::int64_t first = random_.below(options_.keys);
    const std::int64_t second = (first + 1 + random_.below(options_.keys - 1)) % options_.keys;
    running.accesses = {{first, kNothing}, {second, kNothing}};
    running.operation.f = "txn";
    if (!running.reads) {
      for (Access& access : running.accesses) {
        access.value = next_value();
        past(access).call(access.value, running.operation.indeterminate);
      }
    }
    running.operation.input = text(running);
  }

  void apply(Running& running) override {
    for (Access& access : running.accesses) {
      std::int64_t& held = held_[static_cast<std::size_t>(access.key)];
      if (running.reads) {
        access.value = held;
      } else {
        held = access.value;
      }
    }
    running.operation.output = text(running);
  }

  void finish(const Running& running) override {
    if (running.reads) return;
    for (const Access& access : running.accesses) past(access).finish(access.value, running.operation, true);
  }

  bool corrupt(Running& running) override {
    const std::optional<std::int64_t> gone = past(running.accesses.front()).find(running.operation.call);
    if (!gone) return false;
    running.accesses.front().value = *gone;
    running.operation.output = text(running);
    return true;
  }

 private:
  Overwritten& past(const Access& access) { return past_[static_cast<std::size_t>(access.key)]; }

  static std::string text(const Running& running) {
    std::string out;
    for (const Access& access : running.accesses) {
      out += out.empty() ? "[" : ",";
      out += running.reads ? "[\"r\",\"k" : "[\"w\",\"k";
      out += std::to_string(access.key) + "\"," + json(access.value) + "]";
    }
    return out + "]";
  }

  std::vector<std::int64_t> held_;
  std::vector<Overwritten> past_;
};

}  // namespace

std::unique_ptr<Simulation> simulate_registers(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Registers>(options, random);
}
std::unique_ptr<Simulation> simulate_multi_register(const WorkloadOptions& options, Random& random) {
  return std::make_unique<MultiRegister>(options, random);
}

}  // namespace porpentine::simulate
