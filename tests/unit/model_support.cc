#include "model_support.h"

#include <algorithm>
#include <utility>

#include <porpentine/history/reader.h>

#include "support/catch.h"

namespace porpentine::testing {

namespace {

std::string json_line(const Op& op, std::size_t index) {
  const std::size_t call = index * 10;
  return R"({"process": )" + op.process + R"(, "f": ")" + op.f + R"(", "key": )" + op.key + R"(, "input": )" +
         op.input + R"(, "output": )" + op.output + R"(, "type": ")" + op.type + R"(", "call": )" +
         std::to_string(call) + R"(, "return": )" + std::to_string(call + 5) + "}\n";
}

/// Calls `visit` with every sequence of operations that is accepted: all ok ones, and any lost ones.
template <typename Walker>
class Walk {
 public:
  Walk(std::vector<BoundOperation> operations, Walker walker)
      : operations_(std::move(operations)), used_(operations_.size(), false), walker_(std::move(walker)) {}

  Orders orders() {
    visit();
    return std::move(orders_);
  }

 private:
  void visit() {
    bool complete = true;
    for (std::size_t i = 0; i < operations_.size(); ++i)
      complete = complete && (used_[i] || operations_[i].indeterminate);
    if (complete) orders_.insert(order_);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (used_[i] || !walker_.enter(i)) continue;
      used_[i] = true;
      if (!operations_[i].indeterminate) order_.push_back(operations_[i].operation);
      visit();
      if (!operations_[i].indeterminate) order_.pop_back();
      used_[i] = false;
      walker_.leave();
    }
  }

  std::vector<BoundOperation> operations_;
  std::vector<bool> used_;
  Walker walker_;
  std::vector<std::uint32_t> order_;
  Orders orders_;
};

/// Begins anew at every step, which needs no copies of a replay.
class ReplayWalker {
 public:
  explicit ReplayWalker(const Case& tested) : tested_(&tested), operations_(tested.operations()) {}

  bool enter(std::size_t i) {
    path_.push_back(i);
    const auto replay = tested_->model->replay(tested_->history);
    std::optional<std::string> reason;
    for (const std::size_t step : path_) reason = replay->apply(operations_[step]);
    if (!reason) return true;
    path_.pop_back();
    return false;
  }
  void leave() { path_.pop_back(); }

 private:
  const Case* tested_;
  std::vector<BoundOperation> operations_;
  std::vector<std::size_t> path_;
};

/// All states that the machine may be in after each step.
class MachineWalker {
 public:
  explicit MachineWalker(const Case& tested) : operations_(tested.operations()) {
    bound_ = tested.model->bind(tested.history, operations_);
    path_.push_back({bound_.machine->initial()});
    dead_.emplace_back();
    note_dead();
  }

  bool enter(std::size_t i) {
    const Label label = bound_.labels[i];
    if (label == kIrrelevant) {
      if (operations_[i].indeterminate) return false;
      path_.push_back(path_.back());
      dead_.push_back(dead_.back());
      return true;
    }
    std::set<StateId> after;
    for (const StateId before : path_.back()) {
      for (const StateId next : after_step(before, label)) {
        test_promises(before, label, next);
        if (next != kRefused) after.insert(next);
      }
    }
    if (after.empty()) return false;
    path_.push_back(std::move(after));
    dead_.push_back(dead_.back());
    note_dead();
    return true;
  }
  void leave() {
    path_.pop_back();
    dead_.pop_back();
  }

 private:
  std::vector<StateId> after_step(StateId before, Label label) {
    const StateId after = bound_.machine->step(before, label);
    if (after != kSeveral) return {after};
    const auto several = bound_.machine->successors(before, label);
    return {several.begin(), several.end()};
  }

  void note_dead() {
    const auto traits = bound_.machine->labels();
    for (Label label = 0; label < traits.size(); ++label) {
      if (!traits[label].bounded) continue;
      const auto viable = [&](StateId state) { return bound_.machine->viable(state, label); };
      if (std::none_of(path_.back().begin(), path_.back().end(), viable)) dead_.back().insert(label);
    }
  }

  /// Catch's own assertions cost too much for each step of each walk.
  static void expect(bool kept, const char* promise) {
    if (!kept) FAIL_CHECK("the machine broke its promise of " << promise);
  }

  void test_promises(StateId before, Label label, StateId after) {
    Machine& machine = *bound_.machine;
    const LabelTraits& traits = machine.labels()[label];
    if (traits.overwrites) expect(after == machine.step(machine.initial(), label), "overwrites");
    if (machine.has_tokens() && traits.needs != kNoToken && machine.token(before) != traits.needs) {
      expect(after == kRefused, "needs");
    }
    if (after == kRefused) return;
    if (traits.read_only) expect(after == before, "read_only");
    if (machine.has_tokens() && after != before) expect(machine.token(after) == traits.makes, "makes");
    expect(dead_.back().count(label) == 0, "viable");
    for (Label other = 0; other < machine.labels().size(); ++other) {
      if ((machine.labels()[other].touches & traits.touches) != 0) continue;
      const StateId other_first = machine.step(before, other);
      const StateId other_second = machine.step(after, other);
      expect((other_first == kRefused) == (other_second == kRefused), "touches");
      if (other_first != kRefused) expect(machine.step(other_first, label) == other_second, "touches");
    }
  }

  std::vector<BoundOperation> operations_;
  Bound bound_;
  std::vector<std::set<StateId>> path_;
  std::vector<std::set<Label>> dead_;  // by step of the path: what was said never to be accepted again
};

}  // namespace

Op lost(Op op) {
  op.type = "info";
  op.output = "null";
  return op;
}

Op failed(Op op) {
  op.type = "fail";
  return op;
}

Op by(int process, Op op) {
  op.process = std::to_string(process);
  return op;
}

std::vector<BoundOperation> Case::operations() const {
  std::vector<BoundOperation> operations;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.outcome[i] != Outcome::fail) operations.push_back({i, is_indeterminate(history.outcome[i])});
  }
  return operations;
}

Case make_case(const std::string& model, const std::vector<Op>& ops) {
  std::string text;
  for (std::size_t i = 0; i < ops.size(); ++i) text += json_line(ops[i], i);
  Case made;
  made.history = read_history_text(text, {}, "test.jsonl").value();
  // Whatever order the operations are tried in, times say nothing against it.
  std::fill(made.history.call.begin(), made.history.call.end(), 0);
  std::fill(made.history.ret.begin(), made.history.ret.end(), 0);
  made.model = make_specification(model, made.history.values).value();
  return made;
}

std::string complaint(const std::string& model, const std::vector<Op>& ops) {
  const Case tested = make_case(model, ops);
  const auto error = tested.model->validate(tested.history);
  return error ? error->to_string() : "";
}

std::string run(const std::string& model, const std::vector<Op>& ops) {
  const Case tested = make_case(model, ops);
  REQUIRE_FALSE(tested.model->validate(tested.history));
  const auto operations = tested.operations();
  const auto replay = tested.model->replay(tested.history);
  std::string reason;
  for (std::size_t i = 0; i < operations.size() && reason.empty(); ++i) {
    reason = replay->apply(operations[i]).value_or("");
  }
  CHECK(orders_by_machine(tested) == orders_by_replay(tested));
  return reason;
}

std::string state_after(const std::string& model, const std::vector<Op>& ops) {
  const Case tested = make_case(model, ops);
  const auto replay = tested.model->replay(tested.history);
  for (const BoundOperation& operation : tested.operations()) CHECK_FALSE(replay->apply(operation));
  return replay->state();
}

Orders orders_by_replay(const Case& tested) { return Walk(tested.operations(), ReplayWalker(tested)).orders(); }

Orders orders_by_machine(const Case& tested) { return Walk(tested.operations(), MachineWalker(tested)).orders(); }

void compare_on_random_operations(const std::string& model, Op (*pick)(Random&), unsigned cases) {
  unsigned with_orders = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    Random random(seed);
    std::vector<Op> ops;
    for (std::uint32_t count = 1 + random.below(5); count > 0; --count) {
      const Op op = pick(random);
      ops.push_back(random.chance(35) ? lost(op) : op);
    }
    const Case tested = make_case(model, ops);
    REQUIRE_FALSE(tested.model->validate(tested.history));
    const Orders expected = orders_by_replay(tested);
    INFO(model << ", seed " << seed);
    CHECK((orders_by_machine(tested) == expected));
    if (!expected.empty()) ++with_orders;
  }
  CHECK(with_orders > cases / 10);
}

}  // namespace porpentine::testing
