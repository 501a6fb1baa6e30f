#include <memory>
#include <string>

#include <porpentine/history/reader.h>

#include "arguments.h"
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "page.h"
#include "whole_file.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine render history.jsonl -o history.html
  porpentine render --format edn --independent history.edn -o history.html

The page is one file that needs no network: a timeline of all operations by process, to be searched, zoomed and
linked to. Nothing is checked: 'porpentine check --html FILE' writes the same page with the verdict, the reasons
and the order that was found.

Exit codes: 0 written, 2 usage, input or output error.)";

struct RenderArguments {
  std::string input;
  std::string output;
  ReadOptions reading;
};

ExitStatus run_render(const RenderArguments& arguments) {
  const Result<Whole> whole = read_whole(arguments.input, arguments.output, arguments.reading, catch_interrupts());
  if (!whole) {
    print_error(whole.error().to_string());
    return ExitStatus::error;
  }
  write_page(*whole, arguments.output);
  return ExitStatus::valid;
}

}  // namespace

Command add_render_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Write a page with a timeline of a history, nothing checked");
  const auto arguments = std::make_shared<RenderArguments>();
  command
      ->add_option("HISTORY", arguments->input, "File to read; - is standard input, .gz and .zst are read as they are")
      ->required()
      ->check(not_empty)
      ->type_name("");
  command->add_option("-o,--output", arguments->output, "Page to write; - is standard output")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  add_reading_options(*command, arguments->reading);
  command->footer(kFooter);
  return {command, [arguments] { return run_render(*arguments); }};
}

}  // namespace porpentine::cli
