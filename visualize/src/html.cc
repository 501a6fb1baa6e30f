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
std::string loader(const PageParts& parts) {
  std::string scripts = "(() => {\n\"use strict\";\n";
  for (const std::string_view script : parts.scripts) scripts += plain(script);
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
}

}  // namespace

void write_page(std::ostream& out, const PageParts& parts, const PageContent& content) {
  std::string_view rest = parts.html;
  for (std::size_t begin = rest.find("{{"); begin != std::string_view::npos; begin = rest.find("{{")) {
    out << rest.substr(0, begin);
    const std::size_t end = rest.find("}}");
    const std::string_view name = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (name == "title") {
      out << content.title;
    } else if (name == "style") {
      out << plain(kPageStyle);
    } else if (name == "summary") {
      out << content.summary;
    } else if (name == "data") {
      out << content.data;
    } else {
      out << loader(parts);
    }
  }
  out << rest;
}

std::string without_tags(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

namespace {

void write_history_page(std::ostream& out, const Findings& findings) {
  const std::string verdict = findings.result == nullptr ? "history" : findings.verdict();
  write_page(out, history_page(),
             {escaped(findings.history.file + ": " + verdict), page_summary(findings), page_data(findings)});
}

}  // namespace
}  // namespace detail

void write_html(std::ostream& out, const History& history) { detail::write_history_page(out, {history}); }

void write_html(std::ostream& out, const History& history, const Specification& model, const CheckResult& result) {
  detail::write_history_page(out, {history, &model, &result});
}

}  // namespace porpentine
