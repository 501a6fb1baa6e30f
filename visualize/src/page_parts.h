// The files of web/, as they stand there.
#pragma once

#include <string_view>
#include <vector>

namespace porpentine::detail {

extern const std::string_view kPageTemplate;
extern const std::string_view kPageStyle;
const std::vector<std::string_view>& page_scripts();  ///< in the order in which they are joined

}  // namespace porpentine::detail
