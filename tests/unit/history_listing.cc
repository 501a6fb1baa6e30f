#include "history_listing.h"

#include <sstream>

namespace {

using porpentine::History;
using porpentine::kNull;
using porpentine::Outcome;

void list_operation(const History& history, std::size_t i, std::ostream& out) {
  const auto json = [&](porpentine::ValueId id) { return history.values.to_json(id); };
  out << json(history.processes[history.process[i]]) << ' ';
  if (history.key[i] != kNull) out << json(history.key[i]) << ' ';
  out << history.function_name(i) << '(' << json(history.input[i]) << ") " << to_string(history.outcome[i]);
  if (history.outcome[i] == Outcome::ok) out << ' ' << json(history.output[i]);
  out << " [" << history.call[i] << ", " << history.ret[i] << ']';
}

std::string show(const porpentine::Result<History>& history) {
  if (history) return listing(*history);
  const porpentine::Error& error = history.error();
  return "error " + std::to_string(error.line) + ": " + error.message + "\n";
}

}  // namespace

std::string listing(const History& history) {
  std::ostringstream out;
  if (!history.model.empty()) out << "model " << history.model << '\n';
  if (history.time_unit != "ns") out << "unit " << history.time_unit << '\n';
  std::size_t next = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    list_operation(history, i, out);
    if (next < history.metadata.size() && history.metadata[next].first == i) {
      out << ' ' << history.values.to_json(history.metadata[next++].second);
    }
    out << '\n';
  }
  for (const auto& note : history.annotations) {
    const auto json = [&](porpentine::ValueId id) { return history.values.to_json(id); };
    out << "note " << json(note.process) << ' ' << json(note.f) << ' ' << json(note.value) << " at " << note.time;
    if (note.metadata != kNull) out << ' ' << json(note.metadata);
    out << '\n';
  }
  return out.str();
}

std::string listing(std::string_view text, const porpentine::ReadOptions& options) {
  return show(porpentine::read_history_text(text, options));
}

std::string listing_of_file(const std::string& file, const porpentine::ReadOptions& options) {
  return show(porpentine::read_history(data_file(file), options));
}

std::string data_file(const std::string& file) { return std::string(PORPENTINE_TEST_DATA) + "/" + file; }
