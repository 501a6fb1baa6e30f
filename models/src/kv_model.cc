// kv: a store of keys, each with a value that is read, written, appended to, deleted, and compared and set.

#include <map>
#include <string_view>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "cas.h"
#include "cell_machine.h"
#include "product_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kGet, kPut, kAppend, kDelete, kCas };

class KvReplay final : public ResumableReplay {
 public:
  explicit KvReplay(const History& history) : history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    const std::string& f = history_.function_name(i);
    const ValueId key = history_.key[i];
    const ValueId input = history_.input[i];
    const ValueId output = history_.output[i];
    if (f == "put") return put(key, input);
    if (f == "delete") return put(key, kNull);
    if (f == "append") return append(key, *history_.values.as_string(input));
    if (f == "cas") {
      const auto pair = history_.values.elements(input);
      return cas(key, pair[0], pair[1], operation.indeterminate ? std::nullopt : std::optional(output != kFalse));
    }
    if (operation.indeterminate || equals(key, output)) return std::nullopt;
    return described(key, output);
  }

  [[nodiscard]] std::string state() const override {
    std::string text;
    for (const auto& [key, content] : contents_) {
      text += (text.empty() ? "" : ", ") + (key == kNull ? "" : shown(history_.values, key) + ": ") +
              (content.is_text ? shown_text(content.text) : shown(history_.values, content.value));
    }
    return "{" + text + "}";
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        contents_, [](const Content&) { return false; },
        [&](Content& content) {
          std::uint64_t is_text = content.is_text ? 1 : 0;
          archive.number(is_text);
          content.is_text = is_text != 0;
          content.is_text ? archive.text(content.text) : archive.value(content.value);
        });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const std::string& f = history_.function_name(operation.operation);
    return f == "get" || (f == "cas" && !operation.indeterminate && history_.output[operation.operation] == kFalse);
  }

 private:
  /// What a key holds: a text in full, or any other value. Keys that are absent are not in the map.
  struct Content {
    bool is_text = false;
    std::string text = {};
    ValueId value = kNull;
  };

  std::optional<std::string> put(ValueId key, ValueId value) {
    contents_.erase(key);
    if (value == kNull) return std::nullopt;
    if (const auto text = history_.values.as_string(value)) {
      contents_[key] = {true, std::string(*text)};
    } else {
      contents_[key] = {false, {}, value};
    }
    return std::nullopt;
  }

  std::optional<std::string> append(ValueId key, std::string_view text) {
    const auto place = contents_.find(key);
    if (place != contents_.end() && !place->second.is_text) return described(key, kNull) + ", which is no text";
    Content& content = place != contents_.end() ? place->second : contents_[key];
    content.is_text = true;
    content.text += text;
    return std::nullopt;
  }

  std::optional<std::string> cas(ValueId key, ValueId from, ValueId to, std::optional<bool> succeeded) {
    const bool matches = equals(key, from);
    if (succeeded && *succeeded != matches) {
      return described(key, from) + (matches ? ", so the comparison can't have failed" : "");
    }
    return matches ? put(key, to) : std::nullopt;
  }

  [[nodiscard]] bool equals(ValueId key, ValueId value) const {
    const auto place = contents_.find(key);
    if (place == contents_.end()) return value == kNull;
    if (place->second.is_text)
      return history_.values.as_string(value) == std::optional<std::string_view>(place->second.text);
    return place->second.value == value;
  }

  /// What the key holds, where `expected` was observed.
  [[nodiscard]] std::string described(ValueId key, ValueId expected) const {
    const ValueTable& values = history_.values;
    const std::string subject = key == kNull ? "the key" : "key " + shown(values, key);
    const auto place = contents_.find(key);
    if (place == contents_.end()) return subject + " is absent";
    if (place->second.is_text) return holds_text(subject, values, place->second.text, expected);
    return holds(subject, values, place->second.value, expected);
  }

  const History& history_;
  std::map<ValueId, Content> contents_;
};

class KvSpecification final : public BasicSpecification {
 public:
  KvSpecification(const std::string& name, bool split)
      : BasicSpecification(name, {"get", "put", "append", "delete", "cas"}), split_(split) {}

  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override {
    if (split_) return BasicSpecification::partitions(history);
    std::vector<Partition> partitions = whole(history);
    for (Partition& partition : partitions) partition.key = kNull;
    return partitions;
  }

  [[nodiscard]] bool splits_keys() const override { return split_; }

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    return split_ ? bind_key(history, operations, kind_of) : bind_store(history, operations, kind_of);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<KvReplay>(history);
  }

  /// A key that is neither appended to nor deleted is a register.
  [[nodiscard]] Vocabulary vocabulary(const History& history) const override {
    if (!split_) return {};
    return {ObjectKind::reg, words<RegisterWord>(history, {RegisterWord::read, RegisterWord::write, std::nullopt,
                                                           std::nullopt, RegisterWord::cas})};
  }

 private:
  static Bound bind_key(const History& history, std::span<const BoundOperation> operations,
                        const FunctionKinds& kind_of) {
    std::vector<CellOperation> cells;
    cells.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      cells.push_back(decoded(history, operation, kind_of[history.function[operation.operation]]));
    }
    BoundCell bound = bind_cell(history.values, cells, kNull);
    return {std::move(bound.machine), std::move(bound.labels)};
  }

  static Bound bind_store(const History& history, std::span<const BoundOperation> operations,
                          const FunctionKinds& kind_of) {
    ProductBinder binder(history.values, kNull);
    for (const BoundOperation& operation : operations) {
      binder.begin_operation(operation.indeterminate);
      binder.add(history.key[operation.operation],
                 decoded(history, operation, kind_of[history.function[operation.operation]]));
    }
    return std::move(binder).bind();
  }

  static CellOperation decoded(const History& history, const BoundOperation& operation, std::uint8_t kind) {
    const std::uint32_t i = operation.operation;
    switch (kind) {
      case kPut:
        return {CellKind::write, operation.indeterminate, history.input[i]};
      case kDelete:
        return {CellKind::write, operation.indeterminate, kNull};
      case kAppend:
        return {CellKind::append, operation.indeterminate, history.input[i]};
      case kCas:
        return decoded_cas(history, operation);
      default:
        return operation.indeterminate ? CellOperation{} : CellOperation{CellKind::read, false, history.output[i]};
    }
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    if (kind == kCas) return cas_complaint(history, operation);
    const ValueId input = history.input[operation];
    if (kind == kAppend && history.values.kind(input) != ValueKind::string) {
      return takes("append", "a text", history.values, input);
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    return kind == kCas ? cas_output_complaint(history, operation) : std::nullopt;
  }

  bool split_;
};

}  // namespace

ModelInfo kv_info() {
  return {"kv",
          "A key-value store, judged key by key.",
          "get -> v or null; put (v); append (text); delete; cas ([old, new]) -> true, false, or null = true",
          {{"split", "false", "Judge all keys together: slower, with the same verdict."}},
          R"({"process": 0, "f": "append", "key": "x", "input": "a", "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_kv(const ModelOptions& options, ValueTable&) {
  return std::make_unique<KvSpecification>(options.text(), options.is_on("split", true));
}

}  // namespace porpentine::detail
