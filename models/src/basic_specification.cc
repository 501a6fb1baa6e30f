#include "basic_specification.h"

#include <algorithm>

#include "dense_ids.h"
#include "model_options.h"
#include "words.h"

namespace porpentine::detail {

std::uint8_t BasicSpecification::kind(const std::string& function) const {
  const auto place = std::find(functions_.begin(), functions_.end(), function);
  return place == functions_.end() ? kUnknownFunction : static_cast<std::uint8_t>(place - functions_.begin());
}

FunctionKinds BasicSpecification::kinds(const History& history) const {
  FunctionKinds kinds;
  kinds.reserve(history.functions.size());
  for (const std::string& function : history.functions) kinds.push_back(kind(function));
  return kinds;
}

std::string BasicSpecification::unknown_function(const std::string& function) const {
  return "the model " + std::string(ModelOptions::model_name(name_)) + " has no \"" + function + "\"" +
         did_you_mean(function, functions_) + " (it has " + list(functions_) + ")";
}

std::optional<Error> BasicSpecification::validate(const History& history) const {
  const FunctionKinds kind_of = kinds(history);
  for (std::uint32_t operation = 0; operation < history.size(); ++operation) {
    if (auto error = error_in(history, operation, kind_of[history.function[operation]])) return error;
  }
  if (auto message = overall_complaint(history)) {
    return Error{ErrorCode::vocabulary, *std::move(message), history.file, 0};
  }
  return std::nullopt;
}

std::optional<Error> BasicSpecification::validate(const History& history, std::uint32_t operation) const {
  return error_in(history, operation, kind(history.function_name(operation)));
}

std::optional<Error> BasicSpecification::error_in(const History& history, std::uint32_t operation,
                                                  std::uint8_t kind) const {
  const auto error = [&](std::string message, std::uint64_t line) {
    return Error{ErrorCode::vocabulary, std::move(message), history.file, line};
  };
  if (kind == kUnknownFunction) {
    return error(unknown_function(history.function_name(operation)), history.line[operation]);
  }
  if (history.outcome[operation] == Outcome::fail) return std::nullopt;
  if (auto message = complaint(history, operation, kind)) return error(*std::move(message), history.line[operation]);
  if (history.outcome[operation] != Outcome::ok) return std::nullopt;
  if (auto message = output_complaint(history, operation, kind)) {
    return error(*std::move(message), history.line_of_return(operation));
  }
  return std::nullopt;
}

std::vector<Partition> BasicSpecification::partitions(const History& history) const {
  return by_key(history, history.key);
}

std::vector<Partition> by_key(const History& history, std::span<const ValueId> key) {
  if (std::all_of(key.begin(), key.end(), [&](ValueId one) { return one == key.front(); })) {
    std::vector<Partition> partitions = whole(history);
    if (!partitions.empty()) partitions.front().key = key.front();
    return partitions;
  }
  DenseIds<ValueId> keys;
  std::vector<std::uint32_t> part_of(history.size(), kAbsent);
  for (std::size_t operation = 0; operation < history.size(); ++operation) {
    if (history.outcome[operation] != Outcome::fail) part_of[operation] = keys.add(key[operation]);
  }
  std::vector<Partition> partitions = group(history, part_of, keys.size());
  for (std::uint32_t part = 0; part < keys.size(); ++part) partitions[part].key = keys[part];
  return partitions;
}

std::vector<Partition> whole(const History& history) {
  Partition partition;
  partition.operations.reserve(history.size());
  for (std::uint32_t operation = 0; operation < history.size(); ++operation) {
    if (history.outcome[operation] == Outcome::fail) continue;
    if (partition.operations.empty()) partition.key = history.key[operation];
    partition.operations.push_back(operation);
  }
  std::vector<Partition> partitions;  // no initializer list, which would copy it
  if (!partition.operations.empty()) partitions.push_back(std::move(partition));
  return partitions;
}

std::string takes(const char* f, const char* what, const ValueTable& values, ValueId value) {
  const std::string start = std::string(f) + " takes " + what;
  if (value == kNull) return start + ", but its input is missing or null";
  return start + ", not " + shown_with_type(values, value);
}

std::string returns(const char* f, const char* what, const ValueTable& values, ValueId value) {
  const std::string start = std::string(f) + " returns " + what;
  if (value == kNull) return start + ", but its output is missing or null";
  return start + ", not " + shown_with_type(values, value);
}

std::vector<Partition> group(const History& history, const std::vector<std::uint32_t>& part_of, std::size_t parts) {
  std::vector<std::size_t> sizes(parts, 0);
  for (const std::uint32_t part : part_of) {
    if (part != kAbsent) ++sizes[part];
  }
  std::vector<Partition> partitions(parts);
  for (std::size_t part = 0; part < parts; ++part) partitions[part].operations.reserve(sizes[part]);
  for (std::uint32_t operation = 0; operation < history.size(); ++operation) {
    if (part_of[operation] != kAbsent) partitions[part_of[operation]].operations.push_back(operation);
  }
  return partitions;
}

}  // namespace porpentine::detail
