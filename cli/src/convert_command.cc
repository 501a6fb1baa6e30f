#include <atomic>
#include <memory>
#include <ostream>
#include <string>

#include <porpentine/history/reader.h>
#include <porpentine/history/writer.h>

#include "arguments.h"
#include "command.h"
#include "compressor.h"
#include "interrupt.h"
#include "output.h"
#include "whole_file.h"

namespace porpentine::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  porpentine convert history.edn -o history.jsonl
  porpentine convert --format edn --independent history.edn -o history.jsonl
  porpentine convert etcd.log -o etcd.jsonl.gz
  porpentine convert etcd.log -o - | jq .f

The result has the same operations, times and values, and so the same verdict under every model. FILE is put in
place when it is whole: until then, and where anything fails, it stays as it was. It is compressed where its name ends
in .gz (gzip) or .zst (zstd).

Exit codes: 0 written, 2 usage, input or output error.)";

struct ConvertArguments {
  std::string input;
  std::string output;
  ReadOptions reading;
};

void write(const Whole& whole, std::ostream& out) {
  if (const History* const history = std::get_if<History>(&whole)) {
    write_jsonl(*history, out);
  } else {
    write_causal_trace(std::get<CausalTrace>(whole), out);
  }
}

ExitStatus run_convert(const ConvertArguments& arguments) {
  const std::atomic<bool>& cancel = catch_interrupts();
  const Result<Whole> history = read_whole(arguments.input, arguments.output, arguments.reading, cancel);
  if (!history) {
    print_error(history.error().to_string());
    return ExitStatus::error;
  }
  write_whole(
      arguments.output,
      [&](std::ostream& out) {
        write_as_named(arguments.output, out, [&](std::ostream& text) { write(*history, text); });
      },
      &cancel);
  return ExitStatus::valid;
}

}  // namespace

Command add_convert_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "Write a history as JSON Lines, whatever its format");
  const auto arguments = std::make_shared<ConvertArguments>();
  command
      ->add_option("HISTORY", arguments->input, "File to read; - is standard input, .gz and .zst are read as they are")
      ->required()
      ->check(not_empty)
      ->type_name("");
  command
      ->add_option("-o,--output", arguments->output,
                   "File to write; - is standard output, .gz and .zst are\ncompressed")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  add_reading_options(*command, arguments->reading);
  command->footer(kFooter);
  return {command, [arguments] { return run_convert(*arguments); }};
}

}  // namespace porpentine::cli
