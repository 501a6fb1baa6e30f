// The words for options of a check, as the command and bindings take them.
#pragma once

#include <string_view>

#include <porpentine/checker/options.h>
#include <porpentine/history/result.h>

namespace porpentine {

/// "auto", "search" or "monitor"; else an Error of code usage.
Result<Engine> parse_engine(std::string_view name);
/// "portfolio", "breadth-first" or "depth-first"; else an Error of code usage.
Result<SearchOrder> parse_order(std::string_view name);

}  // namespace porpentine
