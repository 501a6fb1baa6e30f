// How values are put into messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/history/value.h>

namespace porpentine::detail {

/// A value as it stands in a message: JSON, with the middle left out where that is long.
std::string shown(const ValueTable& values, ValueId value);
std::string shown_text(std::string_view text);
/// "5 (integer)"
std::string shown_with_type(const ValueTable& values, ValueId value);

/// "SUBJECT holds 3"; where `held` looks like `expected` but isn't, "SUBJECT holds the integer 42, not the string
/// "42"".
std::string holds(std::string_view subject, const ValueTable& values, ValueId held, ValueId expected);
std::string holds_text(std::string_view subject, const ValueTable& values, std::string_view held, ValueId expected);

/// "a, b, c"
std::string list(std::span<const std::string> words);
/// "; did you mean "read"?" for the word that is most alike, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> words);

}  // namespace porpentine::detail
