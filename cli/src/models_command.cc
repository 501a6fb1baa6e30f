#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <porpentine/history/reader.h>
#include <porpentine/models/specification.h>

#include "command.h"
#include "output.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine models
  porpentine models log

Options follow the name: porpentine check --model register:initial=0:nil-read=any history.jsonl
Their values are JSON, or taken as text where they aren't.

Exit codes: 0 found, 2 there is no such model.)";

void print_model(std::ostream& out, const ModelInfo& model) {
  out << model.name << "\n  " << model.summary << "\n  operations: " << model.vocabulary << '\n';
  for (const ModelOption& option : model.options) {
    out << "  option " << option.name << (option.value.empty() ? "" : "=" + option.value) << ": " << option.description
        << '\n';
  }
  out << "  example: " << model.example << '\n';
}

/// The line of one event of the history's only operation.
std::string event_line(const History& history, const char* type, ValueId value, std::int64_t time) {
  const auto json = [&](ValueId id) { return history.values.to_json(id); };
  std::string line = "{\"process\": " + json(history.processes[history.process[0]]) + ", \"type\": \"" + type +
                     "\", \"f\": \"" + history.function_name(0) + "\"";
  if (history.key[0] != kNull) line += ", \"key\": " + json(history.key[0]);
  if (value != kNull) line += ", \"value\": " + json(value);
  return line + ", \"time\": " + std::to_string(time) + "}";
}

void print_example_as_events(std::ostream& out, const ModelInfo& model) {
  const History history = read_history_text(model.example).value();
  out << "  as events: " << event_line(history, "invoke", history.input[0], history.call[0]) << '\n'
      << "             " << event_line(history, "ok", history.output[0], history.ret[0]) << '\n';
}

void print_all(std::ostream& out) {
  const char* separator = "";
  for (const ModelInfo& model : models()) {
    out << separator;
    print_model(out, model);
    separator = "\n";
  }
}

std::string names() {
  std::string text;
  for (const ModelInfo& model : models()) text += (text.empty() ? "" : ", ") + model.name;
  return text;
}

ExitStatus run_models(const std::string& name) {
  Output out(STDOUT_FILENO, "standard output");
  if (name.empty()) {
    print_all(out.stream());
  } else {
    const std::vector<ModelInfo>& all = models();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ModelInfo& model) { return model.name == name; });
    if (found == all.end()) {
      print_error("'" + name + "' is not a model (models: " + names() + ")");
      return ExitStatus::error;
    }
    print_model(out.stream(), *found);
    print_example_as_events(out.stream(), *found);
  }
  out.flush();
  return ExitStatus::valid;
}

}  // namespace

Command add_models_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("models", "Name the models, what they are called with, and their options");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "One model alone")->type_name("");
  command->footer(kFooter);
  return {command, [name] { return run_models(*name); }};
}

}  // namespace porpentine::cli
