// Errors on their way up, and how the offending text is shown in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <porpentine/history/result.h>

namespace porpentine {

/// What went wrong, or nothing. The file's name is filled in by read_history.
using Failure = std::optional<Error>;

/// `text` for a message: on one line, in valid UTF-8, cut to about 80 characters.
std::string excerpt(std::string_view text);

/// "MESSAGE: TEXT" at `line`.
Error error_at(std::uint64_t line, ErrorCode code, std::string_view message, std::string_view text);

/// Length of the UTF-8 sequence that `text` (not empty) starts with; 0 where it starts with none.
std::size_t utf8_sequence_length(std::string_view text);

}  // namespace porpentine
