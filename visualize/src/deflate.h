// Raw DEFLATE (RFC 1951) in base64 (RFC 4648), which is what a page unpacks with DecompressionStream.
#pragma once

#include <string>
#include <string_view>

namespace porpentine::detail {

std::string deflated_base64(std::string_view text);

}  // namespace porpentine::detail
