// Histories of a few operations, written short, and what a model makes of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <porpentine/history/history.h>
#include <porpentine/models/specification.h>

namespace porpentine::testing {

/// An operation. Its input, output, key and process are JSON.
struct Op {
  std::string f;
  std::string input = "null";
  std::string output = "null";
  std::string key = "null";
  std::string process = "0";
  std::string type = "ok";
};

/// The same operation with an unknown outcome, or known to have failed.
Op lost(Op op);
Op failed(Op op);
/// The same operation by another process.
Op by(int process, Op op);

/// A model with the history that it was made for.
struct Case {
  History history;
  std::unique_ptr<Specification> model;
  [[nodiscard]] std::vector<BoundOperation> operations() const;
};
Case make_case(const std::string& model, const std::vector<Op>& ops);

/// What validate says, as text; empty where nothing is wrong.
std::string complaint(const std::string& model, const std::vector<Op>& ops);

/// Executes the operations in this order, those that are lost too. Why one is refused, "" where none is.
/// Machine and replay must agree.
std::string run(const std::string& model, const std::vector<Op>& ops);
/// The state after them, as the replay tells it.
std::string state_after(const std::string& model, const std::vector<Op>& ops);

/// All orders of the ok operations that are accepted, with any of the lost ones anywhere between them.
using Orders = std::set<std::vector<std::uint32_t>>;
Orders orders_by_replay(const Case& tested);
/// On the way, every promise that the machine makes is tested.
Orders orders_by_machine(const Case& tested);

/// A small random number generator: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state_ >> 33) % bound);
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  /// One of them.
  template <typename T>
  T of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(static_cast<std::uint32_t>(choices.size())));
  }

 private:
  std::uint64_t state_;
};

/// CHECKs that machine and replay accept the same orders of random operations that `pick` makes.
void compare_on_random_operations(const std::string& model, Op (*pick)(Random&), unsigned cases);

}  // namespace porpentine::testing
