// Queues, stacks, bags and priority queues: what is put in is taken out, each in its own order.
#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "simulation.h"

namespace porpentine::simulate {
namespace {

// That each value is put in once makes faults certain, whatever else happened:
//
// - duplicate: the second of two takes of one value;
// - stale_read: a take that found nothing, though a value was put in by a put that had returned before the take was
//   called, and taken out by one that was called after it had returned;
// - reordered: two takes, one wholly before the other, are told each other's value where that is the wrong way round.
//   So it is in a queue if the first value was put in wholly before the second; in a stack if the second was put in
//   wholly before the first, and that wholly before the first take; in a priority queue if the first value is the
//   lesser and was put in wholly before the first take.
class Containers : public Simulation {
 public:
  Containers(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), held_(options.keys), last_taken_(options.keys, kNothing) {}

  bool draw_reads() override {
    const bool takes = Simulation::draw_reads();
    if (count_ < options_.min_held) return false;
    return takes || count_ >= options_.max_held;
  }
  [[nodiscard]] bool reads_change() const override { return true; }

  void call(Running& running) override {
    draw_key(running);
    running.operation.f = running.reads ? take_word() : put_word();
    if (running.reads) return;
    running.value = is(Object::priority_queue) ? next_priority() : next_value();
    running.operation.input = json(running.value);
  }

  void apply(Running& running) override {
    std::deque<Put>& held = held_[static_cast<std::size_t>(running.key)];
    const WorkloadOperation& operation = running.operation;
    if (!running.reads) {
      put(held, {running.value, operation.call, operation.indeterminate ? kNever : operation.ret});
    } else if (!held.empty()) {
      running.taken = take(held);
      running.operation.output = json(running.taken.value);
    }
  }

  void finish(const Running& running) override {
    if (running.taken.value != kNothing) last_taken(running) = running.taken.value;
  }

  [[nodiscard]] bool has_paired_fault() const override {
    return options_.fault == Fault::stale_read || options_.fault == Fault::reordered;
  }

  bool corrupt(Running& take) override {
    if (last_taken(take) == kNothing) return false;
    take.operation.output = json(last_taken(take));
    return true;
  }

  bool corrupt_pair(Running& first, Running& second) override {
    if (first.key != second.key || first.operation.ret >= second.operation.call) return false;
    if (options_.fault == Fault::stale_read) {
      if (second.taken.ret >= first.operation.call) return false;
      first.operation.output = "null";
      return true;
    }
    if (!is_order_certain(first, second)) return false;
    std::swap(first.operation.output, second.operation.output);
    return true;
  }

 private:
  [[nodiscard]] bool is_order_certain(const Running& first, const Running& second) const {
    const Put& earlier = first.taken;
    const Put& later = second.taken;
    const bool was_in = earlier.ret < first.operation.call;
    switch (options_.object) {
      case Object::queue:
        return earlier.ret < later.call;
      case Object::stack:
        return was_in && later.ret < earlier.call;
      case Object::priority_queue:
        return was_in && earlier.value < later.value;
      default:
        return false;
    }
  }
  [[nodiscard]] bool is(Object object) const { return options_.object == object; }

  [[nodiscard]] const char* put_word() const {
    if (is(Object::stack)) return "push";
    return is(Object::priority_queue) ? "insert" : "enqueue";
  }
  [[nodiscard]] const char* take_word() const {
    if (is(Object::stack)) return "pop";
    return is(Object::priority_queue) ? "pop-min" : "dequeue";
  }

  // In no order, but different values stay different: an odd factor has an inverse modulo a power of 2.
  std::int64_t next_priority() {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f;
    constexpr std::uint64_t kBelow = std::uint64_t{1} << 40;
    const std::int64_t value = next_value();
    return options_.values == 0 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * kGoldenRatio % kBelow)
                                : value;
  }

  static bool is_greater(const Put& a, const Put& b) { return a.value > b.value; }

  void put(std::deque<Put>& held, Put put) {
    ++count_;
    held.push_back(put);
    if (is(Object::priority_queue)) std::push_heap(held.begin(), held.end(), is_greater);
  }

  Put take(std::deque<Put>& held) {
    --count_;
    if (is(Object::queue)) {
      const Put head = held.front();
      held.pop_front();
      return head;
    }
    if (is(Object::priority_queue)) std::pop_heap(held.begin(), held.end(), is_greater);
    if (is(Object::bag)) std::swap(held.back(), held[random_index(held)]);
    const Put taken = held.back();
    held.pop_back();
    return taken;
  }

  std::size_t random_index(const std::deque<Put>& held) {
    return static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(held.size())));
  }

  std::int64_t& last_taken(const Running& running) { return last_taken_[static_cast<std::size_t>(running.key)]; }

  std::vector<std::deque<Put>> held_;     // by key
  std::vector<std::int64_t> last_taken_;  // by a take that returned
  std::uint64_t count_ = 0;               // of what all keys hold
};

}  // namespace

std::unique_ptr<Simulation> simulate_containers(const WorkloadOptions& options, Random& random) {
  return std::make_unique<Containers>(options, random);
}

}  // namespace porpentine::simulate
