// Banks of eight accounts: transfers between two, reads of all balances.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "simulation.h"

namespace porpentine::simulate {
namespace {

// Transfers leave the sum of all balances as it is, so a read that shows another is certainly wrong.
class Banks : public Simulation {
 public:
  Banks(const WorkloadOptions& options, Random& random) : Simulation(options, random), banks_(options.keys) {
    for (Balances& balances : banks_) balances.fill(kBankBalance);
  }

  void call(Running& running) override {
    draw_key(running);
    running.operation.f = running.reads ? "read" : "transfer";
    if (running.reads) return;
    const std::int64_t from = random_.below(kBankAccounts);
    const std::int64_t to = (from + 1 + random_.below(kBankAccounts - 1)) % kBankAccounts;
    running.value = options_.values == 0 ? 1 + random_.below(kLargest) : next_value();
    running.accesses = {{from, -running.value}, {to, running.value}};
    running.operation.input =
        "{\"from\":" + json(from) + ",\"to\":" + json(to) + ",\"amount\":" + json(running.value) + "}";
  }

  void apply(Running& running) override {
    Balances& balances = banks_[static_cast<std::size_t>(running.key)];
    if (running.reads) {
      running.operation.output = text(balances);
      return;
    }
    const bool enough = balances[static_cast<std::size_t>(running.accesses.front().key)] >= running.value;
    running.operation.output = enough ? "true" : "false";
    if (!enough) return;
    for (const Access& access : running.accesses) balances[static_cast<std::size_t>(access.key)] += access.value;
  }

  void finish(const Running&) override {}

  bool corrupt(Running& read) override {
    Balances balances = banks_[static_cast<std::size_t>(read.key)];
    ++balances[static_cast<std::size_t>(random_.below(kBankAccounts))];
    read.operation.output = text(balances);
    return true;
  }

 private:
  static constexpr std::int64_t kLargest = 10;

  using Balances = std::array<std::int64_t, kBankAccounts>;

  static std::string text(const Balances& balances) {
    std::string out;
    for (std::size_t account = 0; account < balances.size(); ++account) {
      out += (out.empty() ? "{\"" : ",\"") + std::to_string(account) + "\":" + std::to_string(balances[account]);
    }
    return out + "}";
  }

  std::vector<Balances> banks_;  // by key
};

}  // namespace

std::unique_ptr<Simulation> simulate_banks(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Banks>(options, random);
}

}  // namespace porpentine::simulate
