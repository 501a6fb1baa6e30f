// set: values that are added to a set and removed from it.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "dense_ids.h"
#include "set_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAdd, kRemove, kContains, kRead };

class SetReplay final : public ResumableReplay {
 public:
  explicit SetReplay(const History& history) : history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    const std::string& f = history_.function_name(i);
    const ValueId output = operation.indeterminate ? kNull : history_.output[i];
    std::set<ValueId>& set = sets_[history_.key[i]];
    if (f == "read") return operation.indeterminate ? std::nullopt : read(set, output);
    const ValueId value = history_.input[i];
    const bool was_there = set.count(value) != 0;
    const bool expected_there = (f == "add") ? output == kFalse : output == kTrue;
    if (output != kNull && expected_there != was_there) {
      return shown(history_.values, value) + (was_there ? " is in the set" : " is not in the set");
    }
    if (f == "add") set.insert(value);
    if (f == "remove") set.erase(value);
    return std::nullopt;
  }

  [[nodiscard]] std::string state() const override {
    if (sets_.empty()) return "{}";
    constexpr std::size_t kMostShown = 8;
    const std::set<ValueId>& set = sets_.begin()->second;
    std::string text;
    std::size_t count = 0;
    for (const ValueId value : set) {
      if (count++ == kMostShown) return "{" + text + ", ...} (" + std::to_string(set.size()) + " values)";
      text += (text.empty() ? "" : ", ") + shown(history_.values, value);
    }
    return "{" + text + "}";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        sets_, [](const std::set<ValueId>& set) { return set.empty(); },
        [&](std::set<ValueId>& set) { archive.values(set); });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const std::string& f = history_.function_name(operation.operation);
    const bool was_refused = !operation.indeterminate && history_.output[operation.operation] == kFalse;
    return f == "read" || f == "contains" || was_refused;
  }

 private:
  [[nodiscard]] std::optional<std::string> read(const std::set<ValueId>& set, ValueId output) const {
    const auto seen = history_.values.elements(output);
    for (const ValueId value : seen) {
      if (set.count(value) == 0) return shown(history_.values, value) + " is not in the set";
    }
    if (seen.size() == set.size()) return std::nullopt;
    const std::set<ValueId> shown_values(seen.begin(), seen.end());
    const auto unseen =
        std::find_if(set.begin(), set.end(), [&](ValueId value) { return shown_values.count(value) == 0; });
    return shown(history_.values, *unseen) + " is in the set";
  }

  const History& history_;
  std::map<ValueId, std::set<ValueId>> sets_;  // by key: operations of one partition have one
};

class SetSpecification final : public BasicSpecification {
 public:
  explicit SetSpecification(const std::string& name)
      : BasicSpecification(name, {"add", "remove", "contains", "read"}) {}

  /// By key, and where no read shows the whole set of a key by element: each is a set of its own then. Reads of which
  /// nobody knows what they showed are left to themselves.
  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override {
    const FunctionKinds kind_of = kinds(history);
    const auto kind = [&](std::uint32_t i) { return kind_of[history.function[i]]; };
    DenseIds<ValueId> read_keys;
    for (std::uint32_t i = 0; i < history.size(); ++i) {
      if (kind(i) == kRead && history.outcome[i] == Outcome::ok) read_keys.add(history.key[i]);
    }
    DenseIds<std::uint64_t> parts;
    std::vector<std::uint32_t> part_of(history.size(), kAbsent);
    std::vector<ValueId> keys;
    for (std::uint32_t i = 0; i < history.size(); ++i) {
      if (history.outcome[i] == Outcome::fail) continue;
      const ValueId key = history.key[i];
      const bool whole = kind(i) == kRead || read_keys.find(key) != kAbsent;
      const ValueId element = whole ? kNull : history.input[i];
      const IdTable::Found part = parts.find_or_add(std::uint64_t{key} << 32 | element);
      if (part.added) keys.push_back(key != kNull ? key : element);
      part_of[i] = part.id;
    }
    std::vector<Partition> partitions = group(history, part_of, parts.size());
    for (std::size_t part = 0; part < partitions.size(); ++part) partitions[part].key = keys[part];
    return partitions;
  }

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<SetOperation> decoded_operations;
    decoded_operations.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      decoded_operations.push_back(decoded(history, operation, kind_of[history.function[operation.operation]]));
    }
    return bind_set(decoded_operations);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<SetReplay>(history);
  }

  [[nodiscard]] Vocabulary vocabulary(const History& history) const override {
    return {ObjectKind::set,
            words<SetWord>(history, {SetWord::add, SetWord::remove, SetWord::contains, SetWord::read})};
  }

 private:
  static SetOperation decoded(const History& history, const BoundOperation& operation, std::uint8_t kind) {
    const std::uint32_t i = operation.operation;
    const ValueId input = history.input[i];
    const ValueId output = operation.indeterminate ? kNull : history.output[i];
    switch (kind) {
      case kAdd:
        if (output == kNull) return {SetKind::put, operation.indeterminate, input};
        return {output == kTrue ? SetKind::insert : SetKind::has, false, input};
      case kRemove:
        if (output == kNull) return {SetKind::drop, operation.indeterminate, input};
        return {output == kTrue ? SetKind::take : SetKind::lacks, false, input};
      case kContains:
        if (operation.indeterminate) return {};
        return {output == kTrue ? SetKind::has : SetKind::lacks, false, input};
      default:
        break;
    }
    if (operation.indeterminate) return {};
    return {SetKind::read, false, kNull, history.values.elements(output)};
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    const ValueId input = history.input[operation];
    if (kind == kRead || input != kNull) return std::nullopt;
    return takes(history.function_name(operation).c_str(), "a value other than null", history.values, input);
  }

  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueId output = history.output[operation];
    if (kind == kRead) return read_complaint(history.values, output);
    if (output == kTrue || output == kFalse || (output == kNull && kind != kContains)) return std::nullopt;
    return returns(history.function_name(operation).c_str(), "true or false", history.values, output);
  }

  static std::optional<std::string> read_complaint(const ValueTable& values, ValueId output) {
    const auto seen = values.elements(output);
    if (!values.is_array(output) || std::find(seen.begin(), seen.end(), kNull) != seen.end()) {
      return returns("read", "[value, ...] without null", values, output);
    }
    std::vector<ValueId> sorted(seen.begin(), seen.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return std::nullopt;
    return "read returns each value once, and " + shown(values, *twice) + " twice";
  }
};

}  // namespace

ModelInfo set_info() {
  return {"set",
          "A set of values, judged key by key, and value by value where it is never read as a whole.",
          "add (v) -> true = it was new, false = it was there, or null; remove (v) -> true = it was there, false = it "
          "was not, or null; contains (v) -> true or false; read -> [v, ...], the whole set in any order",
          {},
          R"({"process": 0, "f": "add", "input": "a", "output": true, "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_set(const ModelOptions& options, ValueTable&) {
  return std::make_unique<SetSpecification>(options.text());
}

}  // namespace porpentine::detail
