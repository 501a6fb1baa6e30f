#include "set_machine.h"

#include <memory>
#include <utility>

#include "dense_ids.h"

namespace porpentine::detail {

namespace {

constexpr std::uint32_t kWordBits = 32;

std::uint32_t bit(std::uint32_t element) { return std::uint32_t{1} << (element % kWordBits); }

bool needs_presence(SetKind kind) { return kind == SetKind::has || kind == SetKind::take; }
bool needs_absence(SetKind kind) { return kind == SetKind::lacks || kind == SetKind::insert; }
bool leaves_present(SetKind kind) { return kind == SetKind::insert || kind == SetKind::put; }
bool leaves_absent(SetKind kind) { return kind == SetKind::take || kind == SetKind::drop; }

/// Arrays one after the other, each made of the last one: reads that follow one another show nearly the same.
class Roots {
 public:
  Roots(PersistentArray& array, std::size_t words) : array_(array), words_(words, 0) {}

  PersistentArray::Root of(const std::vector<std::uint32_t>& words) {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if (words[i] == words_[i]) continue;
      root_ = array_.set(root_, i, words[i]);
      words_[i] = words[i];
    }
    return root_;
  }

 private:
  PersistentArray& array_;
  std::vector<std::uint32_t> words_;
  PersistentArray::Root root_ = PersistentArray::kZeros;
};

}  // namespace

bool SetMachine::contains(StateId state, std::uint32_t element) const {
  return (states_.get(state, element / kWordBits) & bit(element)) != 0;
}

StateId SetMachine::step(StateId state, Label label) {
  const What& what = labels_[label];
  if (what.kind == SetKind::read) return what.possible && state == what.elements ? state : kRefused;
  const bool present = contains(state, what.element);
  if (present ? needs_absence(what.kind) : needs_presence(what.kind)) return kRefused;
  const bool toggles = present ? leaves_absent(what.kind) : leaves_present(what.kind);
  if (!toggles) return state;
  const std::uint32_t word = what.element / kWordBits;
  return states_.set(state, word, states_.get(state, word) ^ bit(what.element));
}

bool SetMachine::viable(StateId state, Label label) {
  const What& what = labels_[label];
  if (what.kind == SetKind::read) return what.possible && states_.subset(state, what.removable);
  return contains(state, what.element) ? what.reversible : what.possible;
}

std::size_t SetMachine::memory() const {
  return labels_.capacity() * sizeof(What) + traits_.capacity() * sizeof(LabelTraits) + states_.memory();
}

class SetBinder {
 public:
  explicit SetBinder(std::span<const SetOperation> operations) : operations_(operations) {}

  Bound bind() {
    number_elements();
    for (const SetOperation& operation : operations_) gather(operation);
    machine_->has_tokens_ = elements_.size() == 1;
    full_ = machine_->has_tokens_ ? machine_->states_.set(PersistentArray::kZeros, 0, 1) : PersistentArray::kZeros;
    Bound bound;
    bound.labels = label_all();
    bound.machine = std::move(machine_);
    return bound;
  }

 private:
  using What = SetMachine::What;

  struct Element {
    bool added = false;
    bool removed = false;
    bool seen_present = false;  // by an operation on it alone
    bool seen_absent = false;
    std::uint32_t reads = 0;  // that show it
  };

  void number_elements() {
    number_of_.reserve(operations_.size());
    for (const SetOperation& operation : operations_) {
      const bool has_one = operation.kind != SetKind::nothing && operation.kind != SetKind::read;
      number_of_.push_back(has_one ? number(operation.element) : kAbsent);
      for (const ValueId element : operation.elements) ++known_[number(element)].reads;
      reads_ += operation.kind == SetKind::read ? 1 : 0;
    }
  }
  std::uint32_t number(ValueId element) {
    const IdTable::Found found = elements_.find_or_add(element);
    if (found.added) known_.emplace_back();
    return found.id;
  }

  void gather(const SetOperation& operation) {
    const std::uint32_t i = number_of_[static_cast<std::size_t>(&operation - operations_.data())];
    if (i == kAbsent) return;
    Element& element = known_[i];
    element.added |= leaves_present(operation.kind);
    element.removed |= leaves_absent(operation.kind);
    element.seen_present |= needs_presence(operation.kind);
    element.seen_absent |= needs_absence(operation.kind);
  }

  std::vector<Label> label_all() {
    const std::size_t words = (elements_.size() + kWordBits - 1) / kWordBits;
    Roots reads(machine_->states_, words);
    Roots removable(machine_->states_, words);
    std::vector<std::uint32_t> removed(words, 0);
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      if (known_[i].removed) removed[i / kWordBits] |= bit(i);
    }
    std::vector<std::uint32_t> shown(words, 0);
    std::vector<Label> labels;
    labels.reserve(operations_.size());
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      const SetOperation& operation = operations_[k];
      if (operation.kind != SetKind::read) {
        labels.push_back(on_element(operation, number_of_[k]));
        continue;
      }
      What what{SetKind::read};
      shown.assign(words, 0);
      for (const ValueId value : operation.elements) {
        const std::uint32_t element = elements_.find(value);
        shown[element / kWordBits] |= bit(element);
        what.possible = what.possible && known_[element].added;
      }
      what.elements = reads.of(shown);
      for (std::size_t word = 0; word < words; ++word) shown[word] |= removed[word];
      what.removable = removable.of(shown);
      labels.push_back(labelled(what, what.elements, false));
    }
    return labels;
  }

  Label on_element(const SetOperation& operation, std::uint32_t number) {
    if (number == kAbsent || irrelevant(operation, known_[number])) return kIrrelevant;
    What what{operation.kind};
    what.element = number;
    what.possible = !needs_presence(operation.kind) || known_[number].added;
    what.reversible = !needs_absence(operation.kind) || known_[number].removed;
    return labelled(what, number, operation.indeterminate);
  }

  [[nodiscard]] bool irrelevant(const SetOperation& operation, const Element& element) const {
    if (operation.kind != SetKind::put && operation.kind != SetKind::drop) return false;
    const bool seen_present = element.seen_present || element.reads > 0;
    const bool seen_absent = element.seen_absent || element.reads < reads_;
    if (!operation.indeterminate) return !seen_present && !seen_absent;
    return operation.kind == SetKind::put ? !seen_present : !seen_absent;
  }

  /// `subject` is what operations of one kind are about: an element, or the whole set.
  Label labelled(const What& what, std::uint32_t subject, bool indeterminate) {
    const std::uint64_t kind = static_cast<std::uint64_t>(what.kind) * 2 + (indeterminate ? 1 : 0);
    const IdTable::Found found = labels_.find_or_add(kind << 32 | subject);
    if (found.added) {
      machine_->labels_.push_back(what);
      machine_->traits_.push_back(traits(what));
    }
    return found.id;
  }

  [[nodiscard]] LabelTraits traits(const What& what) const {
    LabelTraits traits;
    const bool is_read = what.kind == SetKind::read;
    traits.read_only = is_read || what.kind == SetKind::has || what.kind == SetKind::lacks;
    traits.bounded = is_read || !what.possible || !what.reversible;
    if (!machine_->has_tokens_) {
      if (!is_read) traits.touches = std::uint64_t{1} << (what.element % 64);
      return traits;
    }
    traits.overwrites = what.kind == SetKind::put || what.kind == SetKind::drop;
    if (is_read) traits.needs = what.elements;
    if (needs_presence(what.kind)) traits.needs = full_;
    if (needs_absence(what.kind)) traits.needs = PersistentArray::kZeros;
    if (leaves_present(what.kind)) traits.makes = full_;
    if (leaves_absent(what.kind)) traits.makes = PersistentArray::kZeros;
    return traits;
  }

  std::span<const SetOperation> operations_;
  std::unique_ptr<SetMachine> machine_ = std::make_unique<SetMachine>();
  DenseIds<ValueId> elements_;
  std::vector<std::uint32_t> number_of_;  // by operation
  std::vector<Element> known_;            // by element
  std::uint32_t reads_ = 0;
  DenseIds<std::uint64_t> labels_;
  PersistentArray::Root full_ = PersistentArray::kZeros;  // where there is one element
};

Bound bind_set(std::span<const SetOperation> operations) { return SetBinder(operations).bind(); }

}  // namespace porpentine::detail
