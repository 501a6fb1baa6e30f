#include <porpentine/visualize/html.h>

#include <string>
#include <string_view>

#include "deflate.h"
#include "findings.h"
#include "page_parts.h"

namespace porpentine {
namespace detail {
namespace {

/// Without comments of whole lines, and without indentation.
std::string plain(std::string_view text) {
  std::string out;
  bool in_comment = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const bool begins = line.starts_with("/*");
    if (!in_comment && !begins && !line.empty() && !line.starts_with("//")) {
      out += line;
      out += '\n';
    }
    in_comment = (in_comment || begins) && line.find("*/") == std::string_view::npos;
  }
  return out;
}

/// The scripts, packed, and what unpacks and starts them.
const std::string& loader() {
  static const std::string text = [] {
    std::string scripts = "(() => {\n\"use strict\";\n";
    for (const std::string_view script : page_scripts()) scripts += plain(script);
    scripts += "})();";
    return R"((async () => {
const status = document.getElementById("status");
if (typeof DecompressionStream === "undefined") {
status.textContent = "This browser is too old for the timeline.";
return;
}
const packed = Uint8Array.from(atob(")" +
           deflated_base64(scripts) + R"("), c => c.charCodeAt(0));
const script = document.createElement("script");
script.textContent = await new Response(
new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
document.body.append(script);
})();
)";
  }();
  return text;
}

/// Fills the placeholders, each of which stands once, in one pass: what is filled in is never looked at.
void write_page(std::ostream& out, const Findings& findings) {
  static const std::string style = plain(kPageStyle);
  std::string_view rest = kPageTemplate;
  for (std::size_t begin = rest.find("{{"); begin != std::string_view::npos; begin = rest.find("{{")) {
    out << rest.substr(0, begin);
    const std::size_t end = rest.find("}}");
    const std::string_view name = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (name == "title") {
      out << escaped(findings.history.file + ": " + (findings.result == nullptr ? "history" : findings.verdict()));
    } else if (name == "style") {
      out << style;
    } else if (name == "summary") {
      out << page_summary(findings);
    } else if (name == "data") {
      out << page_data(findings);
    } else {
      out << loader();
    }
  }
  out << rest;
}

}  // namespace
}  // namespace detail

void write_html(std::ostream& out, const History& history) { detail::write_page(out, {history}); }

void write_html(std::ostream& out, const History& history, const Specification& model, const CheckResult& result) {
  detail::write_page(out, {history, &model, &result});
}

}  // namespace porpentine
