#include "event_pairing.h"

#include <algorithm>
#include <array>
#include <string>

#include "echoes.h"

namespace porpentine {
namespace {

constexpr std::array<std::string_view, 5> kTypeWords = {"invoke", "ok", "fail", "info", "note"};

/// Fields that the operation form has itself: another one of that name would be lost when it is written.
bool is_operation_field(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"process", "type",   "f",    "key",
                                                      "input",   "output", "call", "return"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Error at(const Event& event, ErrorCode code, std::string_view message) {
  return error_at(event.line, code, message, event.text);
}

ValueId with_prefix(ValueTable& values, std::string_view prefix, ValueId name) {
  return values.string(std::string(prefix).append(*values.as_string(name)));
}

/// The value of a member of an object, or of none.
std::optional<ValueId> member(const ValueTable& values, ValueId object, ValueId name) {
  const auto members = values.elements(object);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    if (members[i] == name) return members[i + 1];
  }
  return std::nullopt;
}

}  // namespace

std::optional<EventType> parse_event_type(std::string_view word) {
  const auto* const found = std::find(kTypeWords.begin(), kTypeWords.end(), word);
  if (found == kTypeWords.end()) return std::nullopt;
  return static_cast<EventType>(found - kTypeWords.begin());
}

Failure EventPairing::add(Event& event) {
  if (event.type != EventType::note && !event.process) return at(event, ErrorCode::field, "missing field \"process\"");
  if (!is_client(event)) {
    annotate(event);
  } else {
    if (auto failure = check_time(event)) return failure;
    Client& client = clients_[*event.process];
    auto failure = event.type == EventType::invoke ? invoke(event, client) : complete(event, client);
    if (failure) return failure;
  }
  ++position_;
  return {};
}

bool EventPairing::is_client(const Event& event) {
  if (event.type == EventType::note) return false;
  const ValueKind kind = values().kind(*event.process);
  return kind == ValueKind::integer || kind == ValueKind::unsigned_integer;
}

bool EventPairing::uses_times() const { return options_.clock == Clock::times_or_positions && timed_.value_or(false); }

std::int64_t EventPairing::clock_time(const Event& event) const { return uses_times() ? *event.time : position_; }

Failure EventPairing::check_time(const Event& event) {
  const bool has_time = event.time.has_value();
  if (options_.clock == Clock::line_order) {
    const bool rises = has_time && (!last_line_time_ || *event.time > *last_line_time_);
    timed_ = timed_.value_or(true) && rises;
    last_line_time_ = event.time;
  } else if (timed_.value_or(has_time) != has_time) {
    return at(event, ErrorCode::field,
              has_time ? "an event with a time, where earlier events have none" : "missing field \"time\"");
  } else {
    timed_ = has_time;
  }
  if (has_time) builder_.note_time(*event.time);
  return {};
}

void EventPairing::annotate(Event& event) {
  if (event.key != kNull) event.others.insert(event.others.end(), {values().string("key"), event.key});
  if (event.type != EventType::note && event.type != EventType::info) {
    const ValueId word = values().string(kTypeWords[static_cast<std::size_t>(event.type)]);
    event.others.insert(event.others.end(), {values().string("event-type"), word});
  }
  const ValueId metadata = event.others.empty() ? kNull : values().object(event.others);
  builder_.annotate({0, event.process.value_or(kNull), event.f, event.value, metadata, event.line}, event.time,
                    position_);
}

Failure EventPairing::invoke(Event& event, Client& client) {
  if (auto failure = check_call(event, client)) return failure;
  const bool has_pairs = options_.independent && event.key == kNull;
  if (has_pairs && !split_call(event)) {
    client.state = State::annotated;
    annotate(event);
    return {};
  }
  if (event.f == kNull) return at(event, ErrorCode::field, "missing field \"f\"");
  const auto function = builder_.function(event.f);
  if (!function) return at(event, ErrorCode::field, builder_.function_error(event.f));

  const std::int64_t time = clock_time(event);
  const auto operation = builder_.add({.process = builder_.process(*event.process),
                                       .function = *function,
                                       .key = event.key,
                                       .input = event.value,
                                       .output = kNull,
                                       .call = time,
                                       .ret = time,
                                       .outcome = Outcome::open,
                                       .line = event.line});
  if (!operation) return at(event, ErrorCode::limit, "too many operations");
  if (options_.clock == Clock::line_order) line_times_.push_back({event.time, std::nullopt});
  client = {State::running, operation, event.f, call_fields(*operation, event), has_pairs};
  return {};
}

Failure EventPairing::check_call(const Event& event, const Client& client) {
  const auto process = [&] { return values().to_json(*event.process); };
  if (client.state == State::annotated) {
    return at(event, ErrorCode::order, "second call of process " + process() + " with one still running");
  }
  if (!client.operation) return {};
  const std::uint32_t latest = *client.operation;
  if (client.state == State::running) {
    return at(event, ErrorCode::order,
              "second call of process " + process() + " while " + history().describe(latest) + " is still running");
  }
  if (!is_indeterminate(history().outcome[latest]) && clock_time(event) < history().ret[latest]) {
    return at(event, ErrorCode::order,
              "second call of process " + process() + " before " + history().describe(latest) + " returned at " +
                  std::to_string(history().ret[latest]));
  }
  return {};
}

Failure EventPairing::complete(Event& event, Client& client) {
  if (client.state == State::annotated) {
    client.state = State::idle;
    annotate(event);
    return {};
  }
  if (auto failure = check_completion(event, client)) return failure;
  const std::uint32_t operation = *client.operation;
  if (client.has_pairs) {
    if (auto failure = split_return(event, history().key[operation])) return failure;
  }
  set_outcome(event, operation);
  builder_.set_return_line(operation, event.line);
  return_fields(client, event);
  client.state = State::idle;
  return {};
}

Failure EventPairing::check_completion(const Event& event, const Client& client) {
  const auto process = [&] { return values().to_json(*event.process); };
  if (!client.operation) {
    return at(event, ErrorCode::order, "return without a call by process " + process());
  }
  const std::uint32_t operation = *client.operation;
  if (client.state == State::idle) {
    return at(event, ErrorCode::order, "second return of " + history().describe(operation));
  }
  if (event.f != kNull && event.f != client.f) {
    return at(event, ErrorCode::order, "the return of another function than " + history().describe(operation));
  }
  if (event.key != kNull && event.key != history().key[operation]) {
    return at(event, ErrorCode::order, "the return names another key than " + history().describe(operation));
  }
  if (options_.clock == Clock::line_order && event.time && line_times_[operation].call > event.time) {
    return at(event, ErrorCode::order,
              "return before its call at " + std::to_string(*line_times_[operation].call) + " on line " +
                  std::to_string(history().line[operation]));
  }
  if (clock_time(event) < history().call[operation]) {
    return at(event, ErrorCode::order,
              "return before its call at " + std::to_string(history().call[operation]) + " on line " +
                  std::to_string(history().line[operation]));
  }
  return {};
}

// Takes key and value out of the [key, value] pair of an independent history, if it is one.
bool EventPairing::split_call(Event& event) {
  const auto pair = values().elements(event.value);
  if (!values().is_array(event.value) || pair.size() != 2) return false;
  event.key = pair[0];
  event.value = pair[1];
  return true;
}

Failure EventPairing::split_return(Event& event, ValueId key) {
  if (event.value == kNull) return {};
  const auto pair = values().elements(event.value);
  if (values().is_array(event.value) && pair.size() == 2) {
    if (pair[0] != key) return at(event, ErrorCode::order, "the return names another key than its call");
    event.value = pair[1];
  } else if (event.type == EventType::ok) {
    return at(event, ErrorCode::field, "the value of an independent operation is no [key, value] pair");
  }
  return {};
}

void EventPairing::set_outcome(Event& event, std::uint32_t operation) {
  const std::int64_t time = clock_time(event);
  const ValueId input = history().input[operation];
  const auto add_field = [&](std::string_view name, ValueId value) {
    event.others.insert(event.others.end(), {values().string(name), value});
  };
  if (options_.clock == Clock::line_order) line_times_[operation].ret = event.time;
  if (event.type == EventType::ok) {
    const bool says_nothing = event.value == input && acknowledges(history().function[operation]);
    history().outcome[operation] = Outcome::ok;
    history().output[operation] = says_nothing ? kNull : event.value;
    history().ret[operation] = time;
    return;
  }
  if (event.value != kNull && event.value != input) add_field("return-value", event.value);
  if (event.type == EventType::fail) {
    history().outcome[operation] = Outcome::fail;
    history().ret[operation] = time;
  } else {
    history().outcome[operation] = Outcome::info;
    if (uses_times()) add_field("return-time", values().integer(time));
  }
}

bool EventPairing::acknowledges(std::uint16_t function) {
  if (function >= acknowledges_.size()) acknowledges_.resize(history().functions.size());
  auto& known = acknowledges_[function];
  if (!known) {
    const std::string& name = history().functions[function];
    known = options_.jepsen ? repeats_input_in_jepsen(name) : repeats_input(name);
  }
  return *known;
}

ValueId EventPairing::call_fields(std::uint32_t operation, const Event& event) {
  if (event.others.empty()) return kNull;
  Fields fields = event.others;
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    if (is_operation_field(*values().as_string(fields[i]))) fields[i] = with_prefix(values(), "event-", fields[i]);
  }
  builder_.add_metadata(operation, fields);
  return history().metadata.back().second;
}

// The call's fields keep their names; where the return says something else under the same name, both are kept.
void EventPairing::return_fields(const Client& client, const Event& event) {
  Fields fields;
  for (std::size_t i = 0; i < event.others.size(); i += 2) {
    ValueId name = event.others[i];
    const ValueId value = event.others[i + 1];
    const auto before = member(values(), client.fields, name);
    if (before && *before == value) continue;
    if (before || is_operation_field(*values().as_string(name))) name = with_prefix(values(), "return-", name);
    fields.insert(fields.end(), {name, value});
  }
  builder_.add_metadata(*client.operation, fields);
}

void EventPairing::finish() {
  // Where there are annotations alone, their own times are as good as any.
  const bool timed = timed_.value_or(builder_.annotations_have_times() && position_ > 0);
  if (options_.clock == Clock::line_order) {
    if (timed) {
      adopt_line_times();
    } else {
      keep_line_times_as_metadata();
    }
  }
  if (!timed && position_ > 0) history().time_unit = "event";
  builder_.resolve_annotations(!timed);
}

void EventPairing::adopt_line_times() {
  const ValueId return_time = values().string("return-time");
  for (std::uint32_t i = 0; i < line_times_.size(); ++i) {
    const auto& [call, ret] = line_times_[i];
    history().call[i] = *call;
    history().ret[i] = is_indeterminate(history().outcome[i]) ? *call : *ret;
    if (history().outcome[i] == Outcome::info) builder_.add_metadata(i, Fields{return_time, values().integer(*ret)});
  }
}

void EventPairing::keep_line_times_as_metadata() {
  const ValueId call_time = values().string("time");
  const ValueId return_time = values().string("return-time");
  Fields fields;
  for (std::uint32_t i = 0; i < line_times_.size(); ++i) {
    const auto& [call, ret] = line_times_[i];
    fields.clear();
    if (call) fields.insert(fields.end(), {call_time, values().integer(*call)});
    if (ret) fields.insert(fields.end(), {return_time, values().integer(*ret)});
    builder_.add_metadata(i, fields);
  }
}

}  // namespace porpentine
