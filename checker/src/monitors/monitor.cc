#include "monitor.h"

#include <utility>

namespace porpentine::detail {

std::string json_with_type(const ValueTable& values, ValueId value) {
  return values.to_json(value) + " (" + std::string(kind_name(values.kind(value))) + ")";
}

namespace {

/// Not for those that look at no values, or tell them by other means.
std::size_t values_to_number(const History& history, ObjectKind object) {
  const bool none = object == ObjectKind::none || object == ObjectKind::log || object == ObjectKind::set;
  return none ? 0 : history.values.size();
}

}  // namespace

Monitor::Monitor(const History& history, Vocabulary vocabulary)
    : history_(history),
      vocabulary_(std::move(vocabulary)),
      tracer_(history),
      numbers_(values_to_number(history, vocabulary_.object)) {}

Ruling Monitor::rule(std::span<const BoundOperation> operations, Limits& limits) {
  constexpr std::uint64_t kBytesAnOperation = 120;  // at most, by any of them
  const std::lock_guard lock(mutex_);
  if (!exists() || operations.empty()) return {};
  const std::uint64_t bytes = kBytesAnOperation * operations.size() + tracer_.memory() + numbers_.memory();
  if (!limits.has_time() || !limits.admits(bytes)) return Ruling::stopped();
  if (!tracer_.prepare(operations)) return {};
  const Trace trace{history_, vocabulary_, tracer_.operations(), tracer_.call(), tracer_.ret()};
  limits.change_memory(static_cast<std::int64_t>(bytes));
  Pulse pulse(limits);
  Ruling ruling = dispatch(trace, pulse);
  limits.change_memory(-static_cast<std::int64_t>(bytes));
  numbers_.clear();
  return ruling;
}

Ruling Monitor::dispatch(const Trace& trace, Pulse& pulse) {
  switch (vocabulary_.object) {
    case ObjectKind::log:
      return rule_log(trace, pulse);
    case ObjectKind::reg:
      return rule_register(trace, numbers_, pulse);
    case ObjectKind::queue:
      return rule_queue(trace, numbers_, pulse);
    case ObjectKind::bag:
      return rule_bag(trace, numbers_, pulse);
    case ObjectKind::stack:
      return rule_stack(trace, numbers_, pulse);
    case ObjectKind::priority_queue:
      return rule_priority_queue(trace, numbers_, pulse);
    case ObjectKind::set:
      return rule_set(trace, pulse);
    case ObjectKind::none:
      break;
  }
  return {};
}

}  // namespace porpentine::detail
