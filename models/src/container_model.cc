#include "container_model.h"

#include <algorithm>

#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kPut, kTake };

bool is_number(const ValueTable& values, ValueId value) {
  const ValueKind kind = values.kind(value);
  return kind == ValueKind::integer || kind == ValueKind::unsigned_integer || kind == ValueKind::real;
}

}  // namespace

Bound ContainerSpecification::bind(const History& history, std::span<const BoundOperation> operations) const {
  const FunctionKinds kind_of = kinds(history);
  std::vector<ContainerOperation> decoded;
  decoded.reserve(operations.size());
  for (const BoundOperation& operation : operations) {
    const std::uint32_t i = operation.operation;
    const bool puts = kind_of[history.function[i]] == kPut;
    decoded.push_back(
        {puts, operation.indeterminate, puts ? history.input[i] : history.output[i], history.call[i], history.ret[i]});
  }
  ContainerBinding binding = bind_container(kind_.discipline, history.values, decoded);
  Bound bound;
  bound.labels = std::move(binding.labels);
  bound.machine = kind_.make_machine(std::move(binding));
  return bound;
}

Vocabulary ContainerSpecification::vocabulary(const History& history) const {
  Vocabulary vocabulary;
  vocabulary.object = kind_.object;
  for (const std::uint8_t kind : kinds(history)) {
    const ContainerWord word = kind == kPut ? ContainerWord::put : ContainerWord::take;
    vocabulary.words.push_back(kind == kUnknownFunction ? kOtherWord : static_cast<std::uint8_t>(word));
  }
  return vocabulary;
}

std::optional<std::string> ContainerSpecification::complaint(const History& history, std::uint32_t operation,
                                                             std::uint8_t kind) const {
  if (kind != kPut) return std::nullopt;
  const ValueId input = history.input[operation];
  if (kind_.discipline == Discipline::least) {
    if (is_number(history.values, input)) return std::nullopt;
    return takes(kind_.put, "a number", history.values, input);
  }
  if (input != kNull) return std::nullopt;
  return takes(kind_.put, "a value other than null", history.values, input);
}

std::optional<std::string> ContainerSpecification::output_complaint(const History& history, std::uint32_t operation,
                                                                    std::uint8_t kind) const {
  const ValueId output = history.output[operation];
  const bool any_value = kind == kPut || kind_.discipline != Discipline::least;
  if (any_value || output == kNull || is_number(history.values, output)) return std::nullopt;
  return returns(kind_.take, "a number or null", history.values, output);
}

std::string holds_count(const char* subject, std::size_t count) {
  return std::string(subject) + " holds " + std::to_string(count) + (count == 1 ? " value" : " values");
}

std::string shown_contents(const ValueTable& values, std::span<const ValueId> contents) {
  constexpr std::size_t kMostShown = 8;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(contents.size(), kMostShown); ++i) {
    text += (i == 0 ? "" : ", ") + shown(values, contents[i]);
  }
  if (contents.size() <= kMostShown) return text + "]";
  return text + ", ...] (" + std::to_string(contents.size()) + " values)";
}

}  // namespace porpentine::detail
