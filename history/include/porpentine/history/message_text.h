// Texts of a history as they stand in messages for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace porpentine {

/// Bytes of the character of UTF-8 that `text` begins with, if it is a control character or one that turns the
/// direction of the text after it (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069); 0 otherwise.
std::size_t steering_length(std::string_view text);

/// With characters that steer a terminal or a page escaped as in JSON, "\u202e".
std::string harmless(std::string_view text);

/// Of a long text its beginning and end, its length and a checksum (FNV-1a, 32 bits), which tells apart texts that
/// differ in between: `"aaaa...zzzz" (1000 bytes, #1a2b3c4d)`.
std::string shortened(std::string_view text);

}  // namespace porpentine
