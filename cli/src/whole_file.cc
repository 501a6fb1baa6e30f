#include "whole_file.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "output.h"
#include "output_file.h"
#include "progress_line.h"

namespace porpentine::cli {
namespace {

std::optional<Error> overwriting(const std::string& input, const std::string& output) {
  if (output.empty() || output == "-" || !overwrites_input(input, output)) return std::nullopt;
  return Error{ErrorCode::usage, "is the input, and would be overwritten", output};
}

}  // namespace

Result<Whole> read_whole(const std::string& input, const std::string& output, const ReadOptions& reading,
                         const std::atomic<bool>& cancel) {
  if (auto error = overwriting(input, output)) return *std::move(error);
  ProgressLine progress(true);
  ReadOptions options = reading;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.reading(input, done, total);
    return !cancel.load();
  };
  auto reader = CausalTraceReader::open(input, options);
  if (!reader) return std::move(reader).error();
  const bool may_be_trace = options.format == Format::automatic || options.format == Format::jsonl;
  const Result<bool> is_trace = may_be_trace ? (*reader)->is_trace() : Result<bool>(false);
  if (!is_trace) return is_trace.error();
  if (*is_trace) {
    Result<CausalTrace> trace = read_causal_trace(**reader, input);
    if (!trace) return std::move(trace).error();
    return Whole(std::move(*trace));
  }
  Result<History> history = (*reader)->read_history();
  if (!history) return std::move(history).error();
  return Whole(std::move(*history));
}

bool may_write(const std::string& file, const std::string& input) {
  std::optional<Error> error = overwriting(input, file);
  if (file == "-") error = Error{ErrorCode::usage, "the report goes to standard output", file};
  if (error) print_error(error->to_string());
  if (!error && !file.empty()) require_writable(file);
  return !error;
}

void write_whole(const std::string& file, const std::function<void(std::ostream&)>& write,
                 const std::atomic<bool>* cancel) {
  if (file == "-") {
    Output out(STDOUT_FILENO, "standard output", cancel);
    write(out.stream());
    out.flush();
    return;
  }
  OutputFile target(file);
  Output out(target.descriptor(), file, cancel);
  write(out.stream());
  out.flush();
  target.commit();
}

}  // namespace porpentine::cli
