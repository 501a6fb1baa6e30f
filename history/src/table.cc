#include <porpentine/history/table.h>

#include <absl/container/flat_hash_map.h>

#include <limits>
#include <string_view>

#include "failure.h"
#include "process_order.h"

namespace porpentine {
namespace {

Error error_in_row(std::size_t row, ErrorCode code, const std::string& message) {
  return Error{code, "row " + std::to_string(row) + ": " + message};
}

std::optional<Outcome> outcome_of(const ValueTable& values, ValueId type) {
  const auto text = values.as_string(type);
  for (const Outcome outcome : {Outcome::ok, Outcome::fail, Outcome::info, Outcome::open}) {
    if (text == to_string(outcome)) return outcome;
  }
  return std::nullopt;
}

}  // namespace

void HistoryTable::set(const std::string& name, std::vector<ValueId> column) { columns_[name] = std::move(column); }

void HistoryTable::set_times(const std::string& name, Column<std::int64_t> times, std::vector<std::uint8_t> missing) {
  times_[name] = {std::move(times), std::move(missing)};
}

Result<History> HistoryTable::finish() {
  for (const auto step : {&HistoryTable::check_columns, &HistoryTable::read_names, &HistoryTable::read_outcomes}) {
    if (auto error = (this->*step)()) return *std::move(error);
  }
  history_.line.resize(size_);
  history_.time_unit = "ns";
  if (auto error = check_order()) return *std::move(error);
  read_metadata();
  return std::move(history_);
}

std::optional<Error> HistoryTable::check_columns() {
  for (const char* const name : {"call", "return"}) {
    if (auto error = read_times(name)) return error;
  }
  for (const char* const name : {"process", "f"}) {
    if (columns_.count(name) == 0) return Error{ErrorCode::field, "missing column \"" + std::string(name) + "\""};
  }
  if (times_.count("call") == 0) return Error{ErrorCode::field, "missing column \"call\""};
  size_ = times_["call"].times.size();
  if (size_ > std::numeric_limits<std::uint32_t>::max() - 1) return Error{ErrorCode::limit, "too many operations"};
  const auto check = [&](const std::string& name, std::size_t size) -> std::optional<Error> {
    if (size == size_) return std::nullopt;
    return Error{ErrorCode::field, "column \"" + name + "\" has " + std::to_string(size) + " rows, and \"call\" has " +
                                       std::to_string(size_)};
  };
  for (const auto& [name, column] : columns_) {
    if (auto error = check(name, column.size())) return error;
  }
  for (const auto& [name, column] : times_) {
    if (auto error = check(name, column.times.size())) return error;
  }
  return std::nullopt;
}

/// Times that came as values.
std::optional<Error> HistoryTable::read_times(const std::string& name) {
  const auto found = columns_.find(name);
  if (found == columns_.end()) return std::nullopt;
  const std::vector<ValueId> ids = std::move(found->second);
  columns_.erase(found);
  std::vector<std::int64_t> times(ids.size(), 0);
  std::vector<std::uint8_t> missing(ids.size(), 0);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const auto time = history_.values.as_int64(ids[row]);
    if (!time && ids[row] != kNull) {
      return error_in_row(row, ErrorCode::field,
                          "\"" + name + "\" is not a 64-bit integer: " + excerpt(history_.values.to_json(ids[row])));
    }
    times[row] = time.value_or(0);
    missing[row] = time ? 0 : 1;
  }
  set_times(name, std::move(times), std::move(missing));
  return std::nullopt;
}

std::vector<ValueId> HistoryTable::take(const std::string& name) {
  const auto found = columns_.find(name);
  if (found == columns_.end()) return std::vector<ValueId>(size_, kNull);
  std::vector<ValueId> column = std::move(found->second);
  columns_.erase(found);
  return column;
}

std::optional<Error> HistoryTable::read_names() {
  const ValueTable& values = history_.values;
  const std::vector<ValueId> processes = take("process");
  const std::vector<ValueId> functions = take("f");
  absl::flat_hash_map<ValueId, std::uint32_t> process_of;
  absl::flat_hash_map<ValueId, std::uint16_t> function_of;
  history_.process.resize(size_);
  history_.function.resize(size_);
  for (std::size_t row = 0; row < size_; ++row) {
    const auto [process, new_process] = process_of.try_emplace(processes[row], history_.processes.size());
    if (new_process) {
      const ValueKind kind = values.kind(processes[row]);
      if (kind != ValueKind::integer && kind != ValueKind::unsigned_integer && kind != ValueKind::string) {
        return error_in_row(row, ErrorCode::field, "\"process\" is neither an integer nor text");
      }
      history_.processes.push_back(processes[row]);
    }
    history_.process[row] = process->second;
    const auto [function, new_function] =
        function_of.try_emplace(functions[row], static_cast<std::uint16_t>(history_.functions.size()));
    if (new_function) {
      const auto text = values.as_string(functions[row]);
      if (!text) return error_in_row(row, ErrorCode::field, "\"f\" is no text");
      if (history_.functions.size() > std::numeric_limits<std::uint16_t>::max()) {
        return error_in_row(row, ErrorCode::field, "more than 65536 different functions");
      }
      history_.functions.emplace_back(*text);
    }
    history_.function[row] = function->second;
  }
  return std::nullopt;
}

std::optional<Error> HistoryTable::read_outcomes() {
  history_.key = take("key");
  history_.input = take("input");
  history_.output = take("output");
  const std::vector<ValueId> types = take("type");
  Times& call = times_["call"];
  history_.call = std::move(call.times);
  Times& ret = times_["return"];
  if (ret.times.size() != size_) ret = {history_.call, std::vector<std::uint8_t>(size_, 1)};
  history_.ret = std::move(ret.times);
  history_.outcome.resize(size_);
  absl::flat_hash_map<ValueId, std::optional<Outcome>> outcomes;
  const History& history = history_;  // reading copies no column
  for (std::size_t row = 0; row < size_; ++row) {
    if (!call.missing.empty() && call.missing[row] != 0) return error_in_row(row, ErrorCode::field, "no \"call\"");
    const bool returned = ret.missing.empty() || ret.missing[row] == 0;
    Outcome outcome = returned ? Outcome::ok : Outcome::open;
    if (types[row] != kNull) {
      const auto [known, is_new] = outcomes.try_emplace(types[row]);
      if (is_new) known->second = outcome_of(history.values, types[row]);
      if (!known->second) {
        return error_in_row(row, ErrorCode::field,
                            "\"type\" is not ok, fail, info or open: " + excerpt(history.values.to_json(types[row])));
      }
      outcome = *known->second;
    }
    if (outcome == Outcome::ok && !returned) return error_in_row(row, ErrorCode::field, "ok, but no \"return\"");
    history_.outcome[row] = outcome;
    if (outcome != Outcome::ok) history_.output[row] = kNull;
    if (is_indeterminate(outcome) || !returned) {
      if (history.ret[row] != history.call[row]) history_.ret[row] = history.call[row];
    } else if (history.ret[row] < history.call[row]) {
      return error_in_row(row, ErrorCode::order, "return before its call");
    }
  }
  return std::nullopt;
}

std::optional<Error> HistoryTable::check_order() const {
  std::vector<std::int64_t> busy_until(history_.processes.size(), std::numeric_limits<std::int64_t>::min());
  for (std::size_t row = 0; row < size_; ++row) {
    std::int64_t& until = busy_until[history_.process[row]];
    if (history_.call[row] < until) return check_processes(history_);
    if (!is_indeterminate(history_.outcome[row])) until = history_.ret[row];
  }
  return std::nullopt;
}

void HistoryTable::read_metadata() {
  if (columns_.empty()) return;
  std::vector<ValueId> fields;
  for (std::size_t row = 0; row < size_; ++row) {
    fields.clear();
    for (const auto& [name, column] : columns_) {
      if (column[row] != kNull) fields.insert(fields.end(), {history_.values.string(name), column[row]});
    }
    if (!fields.empty())
      history_.metadata.emplace_back(static_cast<std::uint32_t>(row), history_.values.object(fields));
  }
}

}  // namespace porpentine
