#include <unistd.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

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
