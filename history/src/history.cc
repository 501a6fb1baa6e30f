#include <porpentine/history/history.h>

#include <string_view>

#include <porpentine/history/message_text.h>

#include "columns.h"
#include "echoes.h"
#include "failure.h"

namespace porpentine {
namespace {

/// A value as it stands in a message: compact JSON, cut where it is long.
std::string shown(const ValueTable& values, ValueId value) { return harmless(shortened(values.to_json(value))); }

/// A key or process as it stands in a message: text without quotes.
std::string shown_name(const ValueTable& values, ValueId name) {
  const auto text = values.as_string(name);
  return text ? harmless(shortened(*text)) : shown(values, name);
}

std::string shown_result(const History& history, std::size_t operation) {
  switch (history.outcome[operation]) {
    case Outcome::ok: {
      const ValueId output = history.output[operation];
      const bool says_nothing = output == kNull && history.is_silent(history.function[operation]);
      return says_nothing ? "" : " -> " + shown(history.values, output);
    }
    case Outcome::fail:
      return " -> failed";
    case Outcome::info:
    case Outcome::open:
      return " -> ?";
  }
  return "";
}

template <typename Column>
std::size_t heap_bytes(const Column& column) {
  return column.capacity() * sizeof(typename Column::value_type);
}

}  // namespace

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::fail:
      return "fail";
    case Outcome::info:
      return "info";
    case Outcome::open:
      return "open";
  }
  return "unknown";
}

std::size_t History::memory() const {
  std::size_t bytes = values.memory() + heap_bytes(processes) + heap_bytes(functions) + heap_bytes(annotations) +
                      heap_bytes(metadata) + heap_bytes(return_line);
  for_each_column(*this, [&](const auto& column) { bytes += heap_bytes(column); });
  return bytes;
}

std::string History::describe(std::size_t operation, bool answered) const {
  std::string text = key[operation] == kNull ? "" : describe_name(key[operation]) + ": ";
  text += describe_call(operation, answered) + " by process " + describe_name(processes[process[operation]]);
  if (line[operation] != 0) text += " (line " + std::to_string(line[operation]) + ")";
  return text;
}

std::string History::describe_call(std::size_t operation, bool answered) const {
  const std::string asked = input[operation] == kNull ? "" : shown(values, input[operation]);
  return excerpt(function_name(operation)) + "(" + asked + ")" + (answered ? shown_result(*this, operation) : " -> ?");
}

bool History::is_silent(std::size_t index) const { return repeats_input_in_jepsen(functions[index]); }

std::string History::describe_name(ValueId name) const { return shown_name(values, name); }

}  // namespace porpentine
