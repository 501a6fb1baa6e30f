#include "whole_file.h"

#include <unistd.h>

#include "output.h"
#include "output_file.h"
#include "progress_line.h"

namespace porpentine::cli {

Result<History> read_whole(const std::string& input, const std::string& output, const ReadOptions& reading,
                           const std::atomic<bool>& cancel) {
  if (output != "-" && overwrites_input(input, output)) {
    return Error{ErrorCode::usage, "is the input, and would be overwritten", output};
  }
  ProgressLine progress(true);
  ReadOptions options = reading;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.reading(input, done, total);
    return !cancel.load();
  };
  return read_history(input, options);
}

bool may_write(const std::string& file, const std::string& input) {
  if (file == "-") {
    print_error("-: the report goes to standard output");
  } else if (!file.empty() && overwrites_input(input, file)) {
    print_error(file + ": is the input, and would be overwritten");
  } else {
    return true;
  }
  return false;
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
