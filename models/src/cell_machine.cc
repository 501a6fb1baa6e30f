#include "cell_machine.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace porpentine::detail {

StateId CellMachine::step(StateId state, Label label) {
  const CellLabel& what = labels_[label];
  switch (what.kind) {
    case CellKind::read:
      return state == what.first ? state : kRefused;
    case CellKind::write:
      return what.first;
    case CellKind::cas:
      return state == what.first ? what.second : kRefused;
    case CellKind::mismatch:
      return state == what.first ? kRefused : state;
    case CellKind::cas_unknown:
      return state == what.first ? what.second : state;
    case CellKind::append:
      return texts_->append(state, label, *values_->as_string(what.first));
    case CellKind::nothing:
      break;
  }
  return state;
}

bool CellMachine::viable(StateId state, Label label) { return texts_->leads_to(state, labels_[label].first); }

std::size_t CellMachine::memory() const {
  return labels_.capacity() * sizeof(CellLabel) + traits_.capacity() * sizeof(LabelTraits) +
         (texts_ ? texts_->memory() + sizeof(TextStates) : 0);
}

class CellBinder {
 public:
  CellBinder(const ValueTable& values, std::span<const CellOperation> operations, ValueId initial)
      : values_(values), operations_(operations), dense_values_(operations.size()) {
    facts_.reserve(std::min(operations.size() + 1, kRoomAtFirst));
    labels_.reserve(std::min(operations.size(), kRoomAtFirst));
    dense_values_.add(initial);
    facts_.push_back({.observed = false, .shown = true});
  }

  BoundCell bind() {
    survey();
    number_states();
    BoundCell bound;
    bound.labels.reserve(operations_.size());
    for (std::size_t i = 0; i < operations_.size(); ++i) bound.labels.push_back(label(i));
    bound.machine = std::make_unique<CellMachine>();
    CellMachine& machine = *bound.machine;
    machine.values_ = &values_;
    machine.labels_ = std::move(labels_);
    machine.texts_ = std::move(texts_);
    if (!has_mismatch_) machine.unnoticed_ = other_;
    add_traits(machine);
    return bound;
  }

 private:
  /// What the binding's operations say of a value.
  struct Facts {
    bool observed = false;  ///< read, or compared with
    bool shown = false;     ///< written, or there initially
  };
  struct Arguments {
    std::uint32_t first = 0;  ///< dense numbers of values
    std::uint32_t second = 0;
  };

  void survey() {
    arguments_.reserve(operations_.size());
    for (const CellOperation& operation : operations_) {
      Arguments arguments;
      switch (operation.kind) {
        case CellKind::nothing:
          break;
        case CellKind::read:
          arguments.first = observe(operation.first);
          break;
        case CellKind::write:
          arguments.first = show(operation.first);
          break;
        case CellKind::cas:
        case CellKind::cas_unknown:
          arguments = {observe(operation.first), show(operation.second)};
          break;
        case CellKind::mismatch:
          arguments.first = observe(operation.first);
          has_mismatch_ = true;
          break;
        case CellKind::append:
          has_append_ = true;
          break;
      }
      arguments_.push_back(arguments);
    }
  }

  std::uint32_t dense(ValueId value) {
    const IdTable::Found found = dense_values_.find_or_add(value);
    if (found.added) facts_.push_back({});
    return found.id;
  }
  std::uint32_t observe(ValueId value) {
    const std::uint32_t number = dense(value);
    facts_[number].observed = true;
    return number;
  }
  std::uint32_t show(ValueId value) {
    const std::uint32_t number = dense(value);
    facts_[number].shown = true;
    return number;
  }

  void number_states() {
    if (has_append_) collect_texts();
    states_.reserve(facts_.size());
    for (std::uint32_t number = 0; number < facts_.size(); ++number) states_.push_back(number_state(number));
    one_state_labels_.assign((texts_ ? texts_->size() : next_state_) * kKindsOfOneState, kIrrelevant);
  }

  void collect_texts() {
    std::vector<std::string_view> observed;
    for (std::uint32_t number = 0; number < facts_.size(); ++number) {
      const ValueKind kind = values_.kind(dense_values_[number]);
      if (facts_[number].observed && kind == ValueKind::string) {
        observed.push_back(*values_.as_string(dense_values_[number]));
      }
      if (facts_[number].shown && kind != ValueKind::string && kind != ValueKind::null) all_appendable_ = false;
    }
    texts_ = std::make_unique<TextStates>(std::move(observed));
  }

  StateId number_state(std::uint32_t number) {
    if (texts_) {
      const ValueId value = dense_values_[number];
      if (value == kNull) return texts_->null();
      if (const auto text = values_.as_string(value)) return texts_->of_text(*text);
    }
    if (facts_[number].observed) return new_state();
    if (other_ == kRefused) other_ = new_state();
    return other_;
  }

  StateId new_state() { return texts_ ? texts_->add_value() : next_state_++; }

  /// Whether an operation that makes the state `state` can be left out of every order, because what comes next and
  /// notices the state overwrites it. OTHER values are accepted by nothing but a mismatch, and by an append
  /// where they are texts; that append is accepted without the operation too, where all states are texts or null.
  [[nodiscard]] bool lands_unnoticed(StateId state) const {
    if (has_mismatch_) return false;
    if (state == other_) return true;
    return texts_ && texts_->is_other_text(state) && all_appendable_;
  }

  /// Whether every order of the operations with this one in it is one without it.
  [[nodiscard]] bool useless(const CellOperation& operation, StateId first, StateId second, std::size_t i) const {
    switch (operation.kind) {
      case CellKind::nothing:
        return true;
      case CellKind::write:
        return operation.indeterminate && lands_unnoticed(first);
      case CellKind::cas_unknown:
        return first == second || lands_unnoticed(second) || never_shown(i);
      // It leads to some other text, from a state that is a text or null. What follows until that is overwritten
      // is appends, and they are accepted without it.
      case CellKind::append:
        return operation.indeterminate && !has_mismatch_ && !texts_->may_occur(*values_.as_string(operation.first));
      default:
        return false;
    }
  }

  /// Whether nothing ever makes the value that the cas compares with.
  [[nodiscard]] bool never_shown(std::size_t i) const {
    const bool can_be_appended = texts_ && values_.kind(operations_[i].first) == ValueKind::string;
    return !facts_[arguments_[i].first].shown && !can_be_appended;
  }

  Label label(std::size_t i) {
    const CellOperation& operation = operations_[i];
    const StateId first = states_[arguments_[i].first];
    const StateId second = states_[arguments_[i].second];
    if (useless(operation, first, second, i)) return kIrrelevant;
    CellLabel what{0, 0, operation.kind, operation.indeterminate};
    switch (operation.kind) {
      case CellKind::append:
        what.first = operation.first;
        break;
      case CellKind::cas:
        if (first == second) what.kind = CellKind::read;
        [[fallthrough]];
      case CellKind::cas_unknown:
        what.second = what.kind == CellKind::read ? 0 : second;
        [[fallthrough]];
      default:
        what.first = first;
    }
    return intern(what);
  }

  Label intern(const CellLabel& what) {
    Label& label = place(what);
    if (label == kIrrelevant) {
      label = static_cast<Label>(labels_.size());
      labels_.push_back(what);
    }
    return label;
  }

  /// Where the label is kept: in an array by state, if its state and kind say all.
  Label& place(const CellLabel& what) {
    const std::size_t by_state = std::size_t{what.first} * kKindsOfOneState;
    switch (what.kind) {
      case CellKind::read:
        return one_state_labels_[by_state];
      case CellKind::mismatch:
        return one_state_labels_[by_state + 1];
      case CellKind::write:
        return one_state_labels_[by_state + (what.indeterminate ? 2 : 3)];
      default:
        break;
    }
    const IdTable::Found found = other_labels_.find_or_add(what);
    if (found.added) places_.push_back(kIrrelevant);
    return places_[found.id];
  }

  static LabelTraits traits(const CellLabel& what, bool tokens) {
    LabelTraits traits;
    traits.read_only = what.kind == CellKind::read || what.kind == CellKind::mismatch;
    traits.overwrites = what.kind == CellKind::write;
    if (!tokens) return traits;
    if (what.kind == CellKind::read || what.kind == CellKind::cas) traits.needs = what.first;
    if (what.kind == CellKind::write) traits.makes = what.first;
    if (what.kind == CellKind::cas || what.kind == CellKind::cas_unknown) traits.makes = what.second;
    return traits;
  }

  void add_traits(CellMachine& machine) const {
    bool appends_only = machine.texts_ != nullptr;
    machine.traits_.reserve(machine.labels_.size());
    for (const CellLabel& what : machine.labels_) {
      machine.traits_.push_back(traits(what, machine.has_tokens()));
      appends_only = appends_only && (what.kind == CellKind::read || what.kind == CellKind::append);
    }
    if (!appends_only) return;
    for (std::size_t i = 0; i < machine.labels_.size(); ++i) {
      machine.traits_[i].bounded = machine.labels_[i].kind == CellKind::read;
    }
  }

  const ValueTable& values_;
  std::span<const CellOperation> operations_;
  DenseIds<ValueId> dense_values_;
  std::vector<Facts> facts_;          // by dense value
  std::vector<StateId> states_;       // by dense value
  std::vector<Arguments> arguments_;  // by operation
  static constexpr std::size_t kKindsOfOneState = 4;
  static constexpr std::size_t kRoomAtFirst = 64;  // spares short partitions what growing costs
  std::vector<CellLabel> labels_;
  std::vector<Label> one_state_labels_;
  DenseIds<CellLabel> other_labels_;
  std::vector<Label> places_;  // of other_labels_
  std::unique_ptr<TextStates> texts_;
  StateId other_ = kRefused;
  StateId next_state_ = 0;
  bool has_mismatch_ = false;
  bool has_append_ = false;
  bool all_appendable_ = true;
};

BoundCell bind_cell(const ValueTable& values, std::span<const CellOperation> operations, ValueId initial) {
  return CellBinder(values, operations, initial).bind();
}

}  // namespace porpentine::detail
