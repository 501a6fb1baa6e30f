// The files of web/, as they stand there, and the page that is made of them.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace porpentine::detail {

struct PageParts {
  std::string_view html;                  ///< the template
  std::vector<std::string_view> scripts;  ///< in the order in which they are joined
};

extern const std::string_view kPageStyle;
const PageParts& history_page();
const PageParts& trace_page();

/// What a page holds besides: HTML, and the data block.
struct PageContent {
  std::string title;
  std::string summary;
  std::string data;
};

/// Fills the placeholders of the template, each of which stands once, in one pass: what is filled in is never looked
/// at.
void write_page(std::ostream& out, const PageParts& parts, const PageContent& content);

/// JSON for a script element: no tag can begin in it.
std::string without_tags(std::string_view json);

}  // namespace porpentine::detail
