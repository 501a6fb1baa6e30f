// multi-register: registers that transactions read and write, several at once.

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "product_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

struct Settings {
  ValueId initial = kNull;
  bool nil_read_any = false;
};

bool is_read(std::string_view word) { return word == "r" || word == "read"; }
bool is_write(std::string_view word) { return word == "w" || word == "write"; }

/// One ["r", key, value] or ["w", key, value].
struct Access {
  bool writes;
  ValueId key;
  ValueId value;
};

/// Nothing where the value is no such thing.
std::optional<Access> parse_access(const ValueTable& values, ValueId value) {
  const auto elements = values.elements(value);
  if (!values.is_array(value) || elements.size() < 2 || elements.size() > 3) return std::nullopt;
  const auto word = values.as_string(elements[0]);
  if (!word || !(is_read(*word) || is_write(*word))) return std::nullopt;
  if (is_write(*word) && elements.size() != 3) return std::nullopt;
  return Access{is_write(*word), elements[1], elements.size() == 3 ? elements[2] : kNull};
}

class MultiRegisterReplay final : public ResumableReplay {
 public:
  MultiRegisterReplay(const History& history, const Settings& settings) : history_(history), settings_(settings) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const ValueTable& values = history_.values;
    const std::uint32_t i = operation.operation;
    const auto input = values.elements(history_.input[i]);
    const auto output = values.elements(history_.output[i]);
    std::map<ValueId, ValueId> written;
    for (std::size_t k = 0; k < input.size(); ++k) {
      const auto access = values.elements(input[k]);
      const ValueId key = access[1];
      if (is_write(*values.as_string(access[0]))) {
        written[key] = access[2];
      } else if (!operation.indeterminate) {
        const auto read = values.elements(output[k]);
        const ValueId seen = read.size() > 2 ? read[2] : kNull;
        const auto own = written.find(key);
        const ValueId held = own != written.end() ? own->second : held_by(key);
        if (seen == kNull && settings_.nil_read_any) continue;
        if (seen != held) return holds("register " + shown(values, key), values, held, seen);
      }
    }
    for (const auto& [key, value] : written) registers_[key] = value;
    return std::nullopt;
  }

  [[nodiscard]] std::string state() const override {
    std::string text;
    for (const auto& [key, value] : registers_) {
      text += (text.empty() ? "" : ", ") + shown(history_.values, key) + ": " + shown(history_.values, value);
    }
    return "{" + text + "}";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        registers_, [&](ValueId held) { return held == settings_.initial; },
        [&](ValueId& held) { archive.value(held); });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const ValueTable& values = history_.values;
    const auto accesses = values.elements(history_.input[operation.operation]);
    return std::all_of(accesses.begin(), accesses.end(),
                       [&](ValueId access) { return is_read(*values.as_string(values.elements(access)[0])); });
  }

 private:
  [[nodiscard]] ValueId held_by(ValueId key) const {
    const auto place = registers_.find(key);
    return place == registers_.end() ? settings_.initial : place->second;
  }

  const History& history_;
  Settings settings_;
  std::map<ValueId, ValueId> registers_;  // those that were written
};

/// Sets that are joined (Tarjan, "Efficiency of a good but not linear set union algorithm", 1975).
class UnionFind {
 public:
  std::uint32_t add() {
    parents_.push_back(static_cast<std::uint32_t>(parents_.size()));
    return parents_.back();
  }
  std::uint32_t find(std::uint32_t element) {
    while (parents_[element] != element) element = parents_[element] = parents_[parents_[element]];
    return element;
  }
  /// The lesser root wins, so that the first element stands for its set.
  void join(std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax({find(a), find(b)});
    parents_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parents_;
};

class MultiRegisterSpecification final : public BasicSpecification {
 public:
  MultiRegisterSpecification(const std::string& name, const Settings& settings)
      : BasicSpecification(name, {"txn"}), settings_(settings) {}

  /// Transactions that are joined by the registers that they touch, under one key of theirs where they have one.
  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override {
    DenseIds<std::uint64_t> registers;  // (key of the operation, key of the register)
    UnionFind sets;
    std::vector<std::uint32_t> first(history.size(), kAbsent);  // a register that the operation touches
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (history.outcome[i] == Outcome::fail) continue;
      const auto touch = [&](std::uint32_t key) {
        const IdTable::Found found = registers.find_or_add(std::uint64_t{history.key[i]} << 32 | key);
        if (found.added) sets.add();
        if (first[i] == kAbsent) first[i] = found.id;
        sets.join(first[i], found.id);
      };
      for (const ValueId access : history.values.elements(history.input[i])) {
        touch(history.values.elements(access)[1]);
      }
      if (first[i] == kAbsent) touch(kAbsent);
    }
    return partitions_of(history, registers, sets, first);
  }

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const ValueTable& values = history.values;
    ProductBinder binder(values, settings_.initial);
    for (const BoundOperation& operation : operations) {
      binder.begin_operation(operation.indeterminate);
      const auto input = values.elements(history.input[operation.operation]);
      const auto output = values.elements(history.output[operation.operation]);
      for (std::size_t k = 0; k < input.size(); ++k) {
        Access access = *parse_access(values, input[k]);
        if (access.writes) {
          binder.add(access.key, {CellKind::write, false, access.value});
        } else if (!operation.indeterminate) {
          access = *parse_access(values, output[k]);
          const bool says_nothing = access.value == kNull && settings_.nil_read_any;
          if (!says_nothing) binder.add(access.key, {CellKind::read, false, access.value});
        }
      }
    }
    return std::move(binder).bind();
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<MultiRegisterReplay>(history, settings_);
  }

 private:
  static std::vector<Partition> partitions_of(const History& history, const DenseIds<std::uint64_t>& registers,
                                              UnionFind& sets, const std::vector<std::uint32_t>& first) {
    DenseIds<std::uint32_t> roots;
    std::vector<std::uint32_t> part_of(history.size(), kAbsent);
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (first[i] != kAbsent) part_of[i] = roots.add(sets.find(first[i]));
    }
    std::vector<Partition> partitions = group(history, part_of, roots.size());
    for (Partition& partition : partitions) {
      const std::uint32_t operation = partition.operations.front();
      const auto register_key = static_cast<std::uint32_t>(registers[first[operation]]);
      partition.key = history.key[operation];
      if (partition.key == kNull && partitions.size() > 1 && register_key != kAbsent) partition.key = register_key;
    }
    return partitions;
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t) const override {
    constexpr const char* kShape = R"([["r", key, null], ["w", key, value], ...])";
    const ValueTable& values = history.values;
    const ValueId input = history.input[operation];
    if (!values.is_array(input)) return takes("txn", kShape, values, input);
    for (const ValueId element : values.elements(input)) {
      if (parse_access(values, element)) continue;
      return "txn takes " + std::string(kShape) + ", and " + shown(values, element) + " is neither";
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t) const override {
    constexpr const char* kShape = "its input with the reads filled in";
    const ValueTable& values = history.values;
    const ValueId output = history.output[operation];
    const auto asked = values.elements(history.input[operation]);
    const bool only_writes =
        std::all_of(asked.begin(), asked.end(), [&](ValueId access) { return parse_access(values, access)->writes; });
    if (output == kNull && only_writes) return std::nullopt;
    const auto answered = values.elements(output);
    if (!values.is_array(output) || asked.size() != answered.size()) return returns("txn", kShape, values, output);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const auto before = parse_access(values, asked[k]);
      const auto after = parse_access(values, answered[k]);
      const bool alike = after && before->writes == after->writes && before->key == after->key &&
                         (!before->writes || before->value == after->value);
      if (!alike) {
        return "txn returns " + std::string(kShape) + ", and " + shown(values, answered[k]) + " doesn't answer " +
               shown(values, asked[k]);
      }
    }
    return std::nullopt;
  }

  Settings settings_;
};

}  // namespace

ModelInfo multi_register_info() {
  return {"multi-register",
          "Registers that transactions read and write, all at once.",
          R"(txn ([["r", k, null], ["w", k, v], ...]) -> the same with the reads filled in)",
          {{"initial", "VALUE", "What each register holds at first; null by default."},
           {"nil-read", "any", "A read that returned null says nothing."}},
          R"({"process": 0, "f": "txn", "input": [["r", "x", null], ["w", "y", 2]], )"
          R"("output": [["r", "x", 1], ["w", "y", 2]], "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_multi_register(const ModelOptions& options, ValueTable& values) {
  return std::make_unique<MultiRegisterSpecification>(
      options.text(), Settings{options.json("initial", values), options.is_on("nil-read")});
}

}  // namespace porpentine::detail
