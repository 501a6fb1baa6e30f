#include "history_builder.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "columns.h"

namespace porpentine {

std::uint32_t HistoryBuilder::process(ValueId name) {
  const auto [entry, is_new] = process_of_.try_emplace(name, static_cast<std::uint32_t>(history_.processes.size()));
  if (is_new) history_.processes.push_back(name);
  return entry->second;
}

std::optional<std::uint16_t> HistoryBuilder::function(ValueId name) {
  if (const auto known = function_of_.find(name); known != function_of_.end()) return known->second;
  const auto text = values().as_string(name);
  const std::size_t index = history_.functions.size();
  if (!text || index > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  history_.functions.emplace_back(*text);
  return function_of_[name] = static_cast<std::uint16_t>(index);
}

std::string_view HistoryBuilder::function_error(ValueId name) const {
  return history_.values.as_string(name) ? "more than 65536 different functions" : "\"f\" is no text";
}

std::optional<std::uint32_t> HistoryBuilder::add(const OperationRow& row) {
  const std::size_t index = history_.size();
  if (index == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  if (index == history_.process.capacity()) grow();
  history_.process.push_back(row.process);
  history_.function.push_back(row.function);
  history_.key.push_back(row.key);
  history_.input.push_back(row.input);
  history_.output.push_back(row.output);
  history_.call.push_back(row.call);
  history_.ret.push_back(row.ret);
  history_.outcome.push_back(row.outcome);
  history_.line.push_back(row.line);
  return static_cast<std::uint32_t>(index);
}

// Reserves what the operations so far and the part of the input that they took let expect: doubling would hold up to
// twice the memory that the history needs.
void HistoryBuilder::grow() {
  const std::size_t count = history_.size();
  const double fraction = text_.fraction_read();
  const double expected = fraction > 0 ? 1.03 * static_cast<double>(count) / fraction : 0;
  const double least = std::max(1024.0, 1.25 * static_cast<double>(count));
  const double most = std::max(1024.0, 4.0 * static_cast<double>(count));
  const auto capacity = static_cast<std::size_t>(std::clamp(expected, least, most));
  for_each_column(history_, [&](auto& column) { column.reserve(capacity); });
}

void HistoryBuilder::set_return_line(std::uint32_t operation, std::uint64_t line) {
  auto& lines = history_.return_line;
  if (operation >= lines.size()) {
    lines.reserve(history_.process.capacity());
    lines.resize(history_.size());
  }
  lines[operation] = line;
}

void HistoryBuilder::add_metadata(std::uint32_t operation, std::span<const ValueId> fields) {
  if (!fields.empty()) history_.metadata.emplace_back(operation, values().object(fields));
}

void HistoryBuilder::annotate(const Annotation& annotation, std::optional<std::int64_t> time, std::int64_t position) {
  history_.annotations.push_back(annotation);
  annotation_times_.push_back({time, last_time_, position});
}

void HistoryBuilder::note_time(std::int64_t time) {
  if (!first_time_) first_time_ = time;
  last_time_ = time;
}

bool HistoryBuilder::annotations_have_times() const {
  return std::all_of(annotation_times_.begin(), annotation_times_.end(),
                     [](const auto& time) { return time.own.has_value(); });
}

void HistoryBuilder::resolve_annotations(bool positions) {
  const ValueId name = positions ? values().string("event-time") : kNull;
  for (std::size_t i = 0; i < annotation_times_.size(); ++i) {
    const AnnotationTime& time = annotation_times_[i];
    Annotation& annotation = history_.annotations[i];
    if (!positions) {
      annotation.time = time.own ? *time.own : time.before.value_or(first_time_.value_or(0));
      continue;
    }
    annotation.time = time.position;
    if (!time.own) continue;
    const auto members = values().elements(annotation.metadata);
    Fields fields(members.begin(), members.end());
    fields.insert(fields.end(), {name, values().integer(*time.own)});
    annotation.metadata = values().object(fields);
  }
}

void HistoryBuilder::finish() {
  merge_metadata();
  if (!history_.return_line.empty()) history_.return_line.resize(history_.size());
  if (history_.process.capacity() > history_.size() + history_.size() / 8) {
    for_each_column(history_, [](auto& column) { column.shrink_to_fit(); });
    history_.return_line.shrink_to_fit();
  }
}

// Metadata comes in the order of the lines, so that an operation's may stand in two places.
void HistoryBuilder::merge_metadata() {
  auto& metadata = history_.metadata;
  const auto by_operation = [](const auto& left, const auto& right) { return left.first < right.first; };
  if (!std::is_sorted(metadata.begin(), metadata.end(), by_operation)) {
    std::stable_sort(metadata.begin(), metadata.end(), by_operation);
  }
  std::size_t kept = 0;
  Fields fields;
  for (std::size_t i = 0; i < metadata.size(); ++kept) {
    const std::uint32_t operation = metadata[i].first;
    std::size_t end = i + 1;
    while (end < metadata.size() && metadata[end].first == operation) ++end;
    ValueId object = metadata[i].second;
    if (end - i > 1) {
      fields.clear();
      for (std::size_t part = i; part < end; ++part) {
        const auto members = values().elements(metadata[part].second);
        fields.insert(fields.end(), members.begin(), members.end());
      }
      object = values().object(fields);
    }
    metadata[kept] = {operation, object};
    i = end;
  }
  metadata.resize(kept);
  metadata.shrink_to_fit();
}

}  // namespace porpentine
