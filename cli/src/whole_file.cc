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

Result<History> read_whole(const std::string& input, const std::string& output, const ReadOptions& reading,
                           const std::atomic<bool>& cancel) {
  if (auto error = overwriting(input, output)) return *std::move(error);
  ProgressLine progress(true);
  ReadOptions options = reading;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.reading(input, done, total);
    return !cancel.load();
  };
  return read_history(input, options);
}

bool may_write(const std::string& file, const std::string& input) {
  std::optional<Error> error = overwriting(input, file);
  if (file == "-") error = Error{ErrorCode::usage, "the report goes to standard output", file};
  if (error) print_error(error->to_string());
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
