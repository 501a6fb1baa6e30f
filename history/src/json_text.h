// Writing pieces of JSON.
#pragma once

#include <string>
#include <string_view>

namespace porpentine {

/// Appends `text` (UTF-8) as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

}  // namespace porpentine
