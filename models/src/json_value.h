// JSON text of one value, as options hold it.
#pragma once

#include <optional>
#include <string_view>

#include <porpentine/history/value.h>

namespace porpentine::detail {

/// Nothing where the text isn't JSON, or holds an integer beyond 64 bits.
std::optional<ValueId> parse_json(std::string_view text, ValueTable& values);

}  // namespace porpentine::detail
