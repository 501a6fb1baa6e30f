#include "container_machine.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "dense_ids.h"
#include "number.h"

namespace porpentine::detail {

namespace {

using Act = ContainerBinding::Act;

class ContainerBinder {
 public:
  ContainerBinder(Discipline discipline, const ValueTable& values, std::span<const ContainerOperation> operations)
      : discipline_(discipline), values_(values), operations_(operations) {}

  ContainerBinding bind() {
    count_uses();
    if (discipline_ == Discipline::least) {
      classify_by_number();
    } else {
      classify();
    }
    binding_.labels.reserve(operations_.size());
    for (const ContainerOperation& operation : operations_) binding_.labels.push_back(label(operation));
    return std::move(binding_);
  }

 private:
  struct Use {
    std::uint32_t puts = 0;
    std::uint32_t known_puts = 0;
    std::uint32_t takes = 0;
    std::uint32_t value_class = 0;
    std::int64_t first_put_call = ContainerBinding::kLatest;
    std::int64_t last_put_return = ContainerBinding::kEarliest;  // kLatest where an outcome is unknown
    std::int64_t first_call = ContainerBinding::kLatest;         // of its takes
    std::int64_t last_return = ContainerBinding::kEarliest;      // of its takes

    [[nodiscard]] bool loose() const { return takes == 0; }
    [[nodiscard]] bool spare() const { return loose() || puts > takes; }
    [[nodiscard]] bool overdrawn() const { return takes > puts; }
    [[nodiscard]] bool can_be_lost() const { return loose() ? known_puts > 0 : spare(); }
  };

  void count_uses() {
    for (const ContainerOperation& operation : operations_) {
      if (operation.puts) {
        Use& use = use_of(operation.value);
        ++use.puts;
        if (!operation.indeterminate) ++use.known_puts;
        use.first_put_call = std::min(use.first_put_call, operation.call);
        use.last_put_return =
            std::max(use.last_put_return, operation.indeterminate ? ContainerBinding::kLatest : operation.ret);
      } else if (operation.indeterminate) {
        ++lost_takes_;
      } else if (operation.value == kNull) {
        found_empty_ = true;
      } else {
        Use& use = use_of(operation.value);
        ++use.takes;
        use.first_call = std::min(use.first_call, operation.call);
        use.last_return = std::max(use.last_return, operation.ret);
      }
    }
    anything_can_be_lost_ = std::any_of(uses_.begin(), uses_.end(), [](const Use& use) { return use.can_be_lost(); });
  }

  Use& use_of(ValueId value) {
    const IdTable::Found found = ids_.find_or_add(value);
    if (found.added) uses_.emplace_back();
    return uses_[found.id];
  }

  /// All loose values are one class.
  void classify() {
    add_class({});
    for (const bool spare : {true, false}) {
      for (Use& use : uses_) {
        if (!use.loose() && use.spare() == spare) use.value_class = add_class(use);
      }
      if (spare) binding_.spare_classes = static_cast<std::uint32_t>(binding_.classes.size());
    }
  }

  /// Loose values are one class where no other lies between.
  void classify_by_number() {
    std::vector<std::pair<Number, std::uint32_t>> rising;
    rising.reserve(uses_.size());
    for (std::uint32_t id = 0; id < uses_.size(); ++id) rising.emplace_back(*as_number(values_, ids_[id]), id);
    std::sort(rising.begin(), rising.end());
    for (const auto& [number, id] : rising) {
      Use& use = uses_[id];
      const bool like_last = use.loose() && !binding_.classes.empty() && binding_.classes.back().loose;
      use.value_class = like_last ? last_class() : add_class(use);
    }
  }

  std::uint32_t add_class(const Use& use) {
    ContainerBinding::Class added{use.loose(), use.spare()};
    if (!use.spare()) added.taken_by = use.last_return;
    added.taken_from = taken_from(use);
    binding_.classes.push_back(added);
    return last_class();
  }
  /// A loose value is never taken, nor is a spare one taken at other times, but by operations with an unknown outcome.
  [[nodiscard]] std::int64_t taken_from(const Use& use) const {
    return use.spare() && lost_takes_ > 0 ? ContainerBinding::kEarliest : use.first_call;
  }
  [[nodiscard]] std::uint32_t last_class() const { return static_cast<std::uint32_t>(binding_.classes.size() - 1); }

  Label label(const ContainerOperation& operation) {
    if (operation.puts) return put(operation);
    if (operation.indeterminate) return lose();
    if (operation.value == kNull) {
      if (anything_from(operation.call) > operation.ret) return never();
      return one(find_empty_, {Act::find_empty});
    }
    const Use& use = use_of(operation.value);
    if (use.overdrawn() || overtakes(use)) return never();
    return one(take_label(use.value_class), {Act::take, use.value_class});
  }

  Label never() {
    binding_.impossible = true;
    return one(never_, {Act::never});
  }

  Label put(const ContainerOperation& operation) {
    Use& use = use_of(operation.value);
    if (use.loose() && (operation.indeterminate || is_unnoticed(use.value_class))) return kIrrelevant;
    return one(put_label(use.value_class, operation.indeterminate), {Act::put, use.value_class});
  }

  /// Whether a queue gave the value out although another was put in before it, and is taken after it.
  [[nodiscard]] bool overtakes(const Use& use) {
    return discipline_ == Discipline::first_in && !use.spare() && anything_from(use.first_put_call) > use.last_return;
  }

  /// How long at least something is there of what was put in before `time`.
  [[nodiscard]] std::int64_t anything_from(std::int64_t time) {
    if (!stays_known_) note_stays();
    const auto later = std::lower_bound(stays_.begin(), stays_.end(), time,
                                        [](const Stay& stay, std::int64_t begin) { return stay.begin < begin; });
    return later == stays_.begin() ? ContainerBinding::kEarliest : std::prev(later)->end;
  }

  void note_stays() {
    stays_known_ = true;
    for (const Use& use : uses_) {
      if (use.known_puts == use.puts && !use.overdrawn()) stays_.push_back({use.last_put_return, taken_from(use)});
    }
    std::sort(stays_.begin(), stays_.end(), [](const Stay& a, const Stay& b) { return a.begin < b.begin; });
    std::int64_t end = ContainerBinding::kEarliest;
    for (Stay& stay : stays_) stay.end = end = std::max(end, stay.end);
  }

  /// Whether loose values of the class stand in nobody's way: where order counts for nothing, or they come last, only
  /// an empty result would notice them. An operation that may have taken one may as well not have happened.
  [[nodiscard]] bool is_unnoticed(std::uint32_t value_class) const {
    if (found_empty_) return false;
    return discipline_ == Discipline::any || (discipline_ == Discipline::least && value_class == last_class());
  }

  Label lose() {
    // Nobody takes more out of a bag because there is less in it.
    const bool unnoticed = discipline_ == Discipline::any && !found_empty_;
    if (!anything_can_be_lost_ || unnoticed) return kIrrelevant;
    ++binding_.loses;
    return one(lose_, {Act::lose});
  }

  Label& take_label(std::uint32_t value_class) { return labels_of(value_class)[0]; }
  Label& put_label(std::uint32_t value_class, bool indeterminate) {
    return labels_of(value_class)[indeterminate ? 2 : 1];
  }
  std::array<Label, 3>& labels_of(std::uint32_t value_class) {
    if (labels_.empty()) labels_.assign(binding_.classes.size(), {kIrrelevant, kIrrelevant, kIrrelevant});
    return labels_[value_class];
  }

  Label one(Label& label, const ContainerBinding::What& what) {
    if (label != kIrrelevant) return label;
    label = static_cast<Label>(binding_.what.size());
    binding_.what.push_back(what);
    LabelTraits traits;
    traits.read_only = what.act == Act::find_empty || what.act == Act::never;
    traits.bounded = what.act == Act::never;
    const bool of_one_value = what.act == Act::put || what.act == Act::take;
    if (of_one_value && discipline_ == Discipline::any) traits.touches = std::uint64_t{1} << (mix(what.value) % 64);
    binding_.traits.push_back(traits);
    return label;
  }

  Discipline discipline_;
  const ValueTable& values_;
  std::span<const ContainerOperation> operations_;
  ContainerBinding binding_;
  DenseIds<ValueId> ids_;
  std::vector<Use> uses_;  // by id
  std::uint32_t lost_takes_ = 0;
  bool found_empty_ = false;
  bool anything_can_be_lost_ = false;
  struct Stay {
    std::int64_t begin;
    std::int64_t end;  // of it, and of those that began before
  };
  std::vector<Stay> stays_;  // by rising begin
  bool stays_known_ = false;
  std::vector<std::array<Label, 3>> labels_;  // by class: of takes, of puts, of puts with an unknown outcome
  Label find_empty_ = kIrrelevant;
  Label lose_ = kIrrelevant;
  Label never_ = kIrrelevant;
};

}  // namespace

ContainerBinding bind_container(Discipline discipline, const ValueTable& values,
                                std::span<const ContainerOperation> operations) {
  return ContainerBinder(discipline, values, operations).bind();
}

StateId ContainerMachine::step(StateId state, Label label) {
  if (binding_.impossible) return kRefused;
  const ContainerBinding::What& what = binding_.what[label];
  switch (what.act) {
    case Act::put:
      return put(state, what.value);
    case Act::take:
      return take(state, what.value);
    case Act::find_empty:
      return is_empty(state) ? state : kRefused;
    case Act::lose:
      return is_empty(state) ? state : lose(state);
    case Act::never:
      break;
  }
  return kRefused;
}

std::size_t ContainerMachine::memory() const {
  return binding_.what.capacity() * sizeof(ContainerBinding::What) + binding_.traits.capacity() * sizeof(LabelTraits) +
         binding_.classes.capacity() * sizeof(ContainerBinding::Class);
}

}  // namespace porpentine::detail
