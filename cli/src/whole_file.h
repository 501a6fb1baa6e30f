// Histories in, files out, as subcommands that turn one into the other do it.
#pragma once

#include <atomic>
#include <functional>
#include <ostream>
#include <string>
#include <variant>

#include <porpentine/history/causal_trace.h>
#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>

namespace porpentine::cli {

/// What a file holds.
using Whole = std::variant<History, CausalTrace>;

/// Reads under a progress line, until `cancel` is true. An input that `output` would overwrite is an error.
Result<Whole> read_whole(const std::string& input, const std::string& output, const ReadOptions& reading,
                         const std::atomic<bool>& cancel);

/// Whether a command that reports on standard output may write a file too. If not, an error is printed: the file is
/// standard output, or the input. An empty name is no file. Throws OutputError where it can't be written.
[[nodiscard]] bool may_write(const std::string& file, const std::string& input);

/// Lets `write` fill the file, which is put in place when it is whole; "-" is standard output. Once `*cancel` is true,
/// writing fails. Throws OutputError.
void write_whole(const std::string& file, const std::function<void(std::ostream&)>& write,
                 const std::atomic<bool>* cancel = nullptr);

}  // namespace porpentine::cli
