#include "log_machine.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "dense_ids.h"

namespace porpentine::detail {

StateId LogMachine::step(StateId length, Label label) {
  const What& what = labels_[label];
  switch (what.kind) {
    case Kind::never:
      return kRefused;
    case Kind::at_least:
      return length >= what.bound ? length : kRefused;
    case Kind::at_most:
      return length <= what.bound ? length : kRefused;
    case Kind::exactly:
      return length == what.bound ? length : kRefused;
    case Kind::append_at:
      return length == what.bound ? length + what.count : kRefused;
    case Kind::append:
      break;
  }
  return fits(length, what) ? length + what.count : kRefused;
}

bool LogMachine::fits(StateId length, const What& what) const {
  if (what.indeterminate && length >= horizon_) return false;
  for (std::size_t i = 0; i < what.count && length + i < evidence_.size(); ++i) {
    const ValueId expected = evidence_[length + i];
    if (expected != kUnknown && expected != values_[what.values + i]) return false;
  }
  return true;
}

bool LogMachine::viable(StateId length, Label label) {
  const What& what = labels_[label];
  return what.at_a_bound() && length <= what.bound;
}

std::size_t LogMachine::memory() const {
  return labels_.capacity() * sizeof(What) + traits_.capacity() * sizeof(LabelTraits) +
         (values_.capacity() + evidence_.capacity()) * sizeof(ValueId);
}

class LogBinder {
 public:
  explicit LogBinder(std::span<const LogOperation> operations) : operations_(operations) {}

  Bound bind() {
    gather_evidence();
    close_evidence();
    Bound bound;
    bound.labels.reserve(operations_.size());
    for (std::size_t i = 0; i < operations_.size(); ++i) bound.labels.push_back(label(i));
    add_traits();
    bound.machine = std::move(machine_);
    return bound;
  }

 private:
  using Kind = LogMachine::Kind;
  using What = LogMachine::What;

  static constexpr ValueId kUnknown = LogMachine::kUnknown;
  static constexpr ValueId kTaken = LogMachine::kTaken;

  void gather_evidence() {
    std::uint64_t records = 0;
    for (const LogOperation& operation : operations_) {
      if (operation.kind == LogKind::append) records += operation.values.size();
    }
    length_limit_ = static_cast<std::uint32_t>(records);
    evidence().assign(length_limit_, kUnknown);
    taken_.assign(length_limit_, false);
    contradicts_.reserve(operations_.size());
    for (const LogOperation& operation : operations_) contradicts_.push_back(!take(operation));
  }

  /// Takes what the operation observed for evidence, unless it contradicts what is there already.
  bool take(const LogOperation& operation) {
    switch (operation.kind) {
      case LogKind::append:
        return !operation.offset_known || take_append(operation);
      case LogKind::found:
        return take_values(operation);
      case LogKind::tail:
        if (operation.offset > length_limit_) return false;
        extend_horizon(static_cast<std::uint32_t>(operation.offset));
        return true;
      case LogKind::broken:
        return false;
      default:
        return true;
    }
  }

  bool take_append(const LogOperation& operation) {
    if (!reachable(operation)) return false;
    const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(operation.offset);
    const auto end = begin + static_cast<std::ptrdiff_t>(operation.values.size());
    if (std::find(begin, end, true) != end || !take_values(operation)) return false;
    std::fill(begin, end, true);
    return true;
  }

  bool take_values(const LogOperation& operation) {
    if (!reachable(operation)) return false;
    const auto known = evidence().begin() + static_cast<std::ptrdiff_t>(operation.offset);
    const bool agrees = std::equal(operation.values.begin(), operation.values.end(), known,
                                   [](ValueId seen, ValueId there) { return there == kUnknown || there == seen; });
    if (!agrees) return false;
    std::copy(operation.values.begin(), operation.values.end(), known);
    extend_horizon(static_cast<std::uint32_t>(operation.offset + operation.values.size()));
    return true;
  }

  [[nodiscard]] bool reachable(const LogOperation& operation) const {
    return operation.offset <= length_limit_ && operation.values.size() <= length_limit_ - operation.offset;
  }

  void extend_horizon(std::uint32_t length) { machine_->horizon_ = std::max(machine_->horizon_, length); }

  /// From here on only appends with an unknown offset look at the evidence.
  void close_evidence() {
    for (std::uint32_t offset = 0; offset < length_limit_; ++offset) {
      if (taken_[offset]) {
        evidence()[offset] = kTaken;
      } else if (evidence()[offset] != kUnknown) {
        awaited_.add(evidence()[offset]);
      } else if (offset < machine_->horizon_) {
        has_gap_ = true;
      }
    }
  }

  Label label(std::size_t i) {
    const LogOperation& operation = operations_[i];
    if (contradicts_[i]) return never();
    switch (operation.kind) {
      case LogKind::append:
        return operation.offset_known ? append_at(operation) : append(operation);
      case LogKind::found:
        return bounded(Kind::at_least, operation.offset + operation.values.size());
      case LogKind::missing:
        return bounded(Kind::at_most, operation.offset);
      case LogKind::tail:
        return bounded(Kind::exactly, operation.offset);
      default:
        return kIrrelevant;
    }
  }

  Label add(const What& what) {
    machine_->labels_.push_back(what);
    return static_cast<Label>(machine_->labels_.size() - 1);
  }

  Label never() {
    if (never_ == kIrrelevant) never_ = add({});
    return never_;
  }

  /// The label of a read, one for each kind and bound.
  Label bounded(Kind kind, std::uint64_t bound) {
    if (kind == Kind::at_most && bound >= length_limit_) return kIrrelevant;
    std::vector<Label>& by_bound = by_bound_[static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::at_least)];
    if (by_bound.empty()) by_bound.assign(std::size_t{length_limit_} + 1, kIrrelevant);
    Label& label = by_bound[bound];
    if (label == kIrrelevant) label = add({kind, false, static_cast<std::uint32_t>(bound), 0, 0});
    return label;
  }

  /// No two have one label: the offset is taken by one of them.
  Label append_at(const LogOperation& operation) {
    if (operation.values.empty()) return bounded(Kind::exactly, operation.offset);
    return add({Kind::append_at, false, static_cast<std::uint32_t>(operation.offset),
                static_cast<std::uint32_t>(operation.values.size()), 0});
  }

  Label append(const LogOperation& operation) {
    if (operation.values.empty()) return kIrrelevant;
    if (operation.indeterminate && !has_gap_ && !is_awaited(operation.values.front())) return kIrrelevant;
    LogMachine& machine = *machine_;
    const std::size_t begin = machine.values_.size();
    const auto count = static_cast<std::uint32_t>(operation.values.size());
    std::uint64_t hash = operation.indeterminate ? 1 : 2;
    for (const ValueId value : operation.values) {
      machine.values_.push_back(is_awaited(value) ? value : kUnknown);
      hash = mix(hash, machine.values_.back());
    }
    const IdTable::Found found = appends_.find_or_add(hash, [&](std::uint32_t id) {
      const What& other = machine.labels_[append_labels_[id]];
      const auto values = machine.values_.begin();
      return other.indeterminate == operation.indeterminate && other.count == count &&
             std::equal(values + static_cast<std::ptrdiff_t>(begin), machine.values_.end(),
                        values + static_cast<std::ptrdiff_t>(other.values));
    });
    if (found.added) {
      append_labels_.push_back(add({Kind::append, operation.indeterminate, 0, count, begin}));
    } else {
      machine.values_.resize(begin);
    }
    return append_labels_[found.id];
  }

  /// Whether the value was seen at an offset that no ok append returned.
  [[nodiscard]] bool is_awaited(ValueId value) const { return awaited_.find(value) != kAbsent; }

  void add_traits() {
    machine_->traits_.reserve(machine_->labels_.size());
    for (const What& what : machine_->labels_) {
      LabelTraits traits;
      traits.read_only = what.kind != Kind::append_at && what.kind != Kind::append;
      traits.bounded = what.at_a_bound() || what.kind == Kind::never;
      machine_->traits_.push_back(traits);
    }
  }

  std::vector<ValueId>& evidence() { return machine_->evidence_; }

  std::span<const LogOperation> operations_;
  std::unique_ptr<LogMachine> machine_ = std::make_unique<LogMachine>();
  std::uint32_t length_limit_ = 0;  // no longer can the log become
  std::vector<bool> taken_;         // by offset
  std::vector<bool> contradicts_;   // by operation
  DenseIds<ValueId> awaited_;
  bool has_gap_ = false;  // whether an offset below the horizon has no evidence
  Label never_ = kIrrelevant;
  std::array<std::vector<Label>, 3> by_bound_;
  IdTable appends_;
  std::vector<Label> append_labels_;  // by id in appends_
};

Bound bind_log(std::span<const LogOperation> operations) { return LogBinder(operations).bind(); }

}  // namespace porpentine::detail
