// The page of a causal trace: visualize/README.md tells the form of its data block.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/history/json_writer.h>
#include <porpentine/visualize/html.h>

#include "deflate.h"
#include "findings.h"
#include "page_parts.h"

namespace porpentine {
namespace detail {
namespace {

constexpr std::size_t kMostViolations = 1000;  // in the diagram
constexpr std::size_t kMostOfRareKind = 10;    // that come after those
constexpr std::size_t kMostMissing = 50;       // of each
constexpr std::size_t kMostTold = 10;          // in the summary
constexpr std::size_t kMostChains = 3;         // of each of those
constexpr std::size_t kMostSteps = 20;         // of each chain
constexpr std::uint64_t kExactDouble = std::uint64_t{1} << 53U;

std::string count(std::uint64_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

class TracePage {
 public:
  TracePage(const CausalTrace& trace, const CausalResult* result) : trace_(trace), result_(result) {}

  [[nodiscard]] PageContent content() const {
    return {escaped(trace_.file + ": " + (result_ == nullptr ? "trace" : to_string(result_->verdict))), summary(),
            data()};
  }

 private:
  [[nodiscard]] std::string verdict() const { return result_ == nullptr ? "" : to_string(result_->verdict); }
  [[nodiscard]] std::string reason() const {
    return result_ == nullptr || result_->limit == Limit::none ? "" : to_string(result_->limit);
  }
  [[nodiscard]] std::size_t violations() const { return result_ == nullptr ? 0 : result_->violations.size(); }

  /// The event of that line; events are in order of lines.
  [[nodiscard]] std::size_t event_at(std::uint64_t line) const {
    const auto found =
        std::lower_bound(trace_.events.begin(), trace_.events.end(), line,
                         [](const CausalEvent& event, std::uint64_t wanted) { return event.line < wanted; });
    return static_cast<std::size_t>(found - trace_.events.begin());
  }

  [[nodiscard]] std::string summary() const {
    std::string html = "<div class=\"verdict\">\n<h1>" + escaped(trace_.file);
    if (!verdict().empty()) {
      html += " <span class=\"badge " + verdict() + "\">" + verdict() + (reason().empty() ? "" : ": " + reason()) +
              "</span>";
    }
    html += "</h1>\n<p class=\"facts\">causal-delivery · " + count(trace_.events.size(), "event") + " · " +
            count(trace_.names.actors.size(), "actor") + " · " + count(trace_.names.channels.size(), "channel");
    html += kinds() + "</p>\n</div>";
    for (std::size_t k = 0; k < std::min(violations(), kMostTold); ++k) html += section(k);
    if (violations() > kMostTold) {
      html +=
          "\n<p class=\"more\">" + count(shown_violations().size() - kMostTold, "more violation") + " in the diagram";
      const std::size_t left_out = violations() - shown_violations().size();
      html += (left_out > 0 ? ", and " + std::to_string(left_out) + " that this page leaves out" : "") + ".</p>";
    }
    return html;
  }

  /// " · 3 causal · 1 fifo"
  [[nodiscard]] std::string kinds() const {
    std::array<std::uint64_t, kCausalViolationKinds> of_kind = {};
    for (std::size_t k = 0; k < violations(); ++k) ++of_kind[static_cast<std::size_t>(result_->violations[k].kind)];
    std::string text;
    for (std::size_t kind = 0; kind < of_kind.size(); ++kind) {
      if (of_kind[kind] == 0) continue;
      text +=
          " · " + std::to_string(of_kind[kind]) + " " + std::string(to_string(static_cast<CausalViolationKind>(kind)));
    }
    return text;
  }

  [[nodiscard]] std::string section(std::size_t number) const {
    const CausalViolation& violation = result_->violations[number];
    std::string html = "\n<section class=\"failure\">\n<h2>" +
                       escaped(violations() > 1 ? "Violation " + std::to_string(number + 1) : "Violation") + ", line " +
                       std::to_string(violation.line) + "</h2>\n<p class=\"message\">" +
                       escaped(describe(violation, trace_.names)) + "</p>\n";
    for (std::size_t k = 0; k < std::min(violation.missing.size(), kMostChains); ++k) {
      html += chain(violation, violation.missing[k]);
    }
    if (violation.missing_in_all > kMostChains) {
      html += "<p class=\"more\">" + count(violation.missing_in_all - kMostChains, "more missing cause") + ".</p>\n";
    }
    return html + "</section>";
  }

  [[nodiscard]] std::string chain(const CausalViolation& violation, const MissingAncestor& missing) const {
    std::string html = "<table class=\"chain\">\n<caption>Why " + escaped(place(missing.channel, missing.offset)) +
                       " comes first</caption>\n" +
                       "<thead><tr><th class=\"number\">line</th><th>actor</th><th>event</th></tr></thead>\n<tbody>\n";
    std::vector<std::uint64_t> lines = missing.because;
    lines.push_back(violation.line);
    const std::size_t left_out = lines.size() > kMostSteps ? lines.size() - kMostSteps : 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (left_out > 0 && k == kMostSteps / 2) {
        html += "<tr><td></td><td></td><td>" + count(left_out, "step") + " left out</td></tr>\n";
        k += left_out;
      }
      html += row(lines[k], lines[k] == violation.line);
    }
    return html + "</tbody>\n</table>\n";
  }

  [[nodiscard]] std::string row(std::uint64_t line, bool failing) const {
    const CausalEvent& event = trace_.events[event_at(line)];
    return std::string(failing ? "<tr class=\"failing\">" : "<tr>") + "<td class=\"number\">" + std::to_string(line) +
           "</td><td>" + escaped(trace_.names.actors[event.actor]) + "</td><td><code>" +
           escaped(to_string(event.type)) + " " + escaped(place(event.channel, event.offset)) + "</code></td></tr>\n";
  }

  [[nodiscard]] std::string place(std::uint32_t channel, std::uint64_t offset) const {
    return trace_.names.channels[channel] + "@" + std::to_string(offset);
  }

  [[nodiscard]] std::string data() const {
    std::string head;
    JsonWriter json(head);
    json.begin_object().name("porpentine").number(1).name("kind").string("trace");
    json.name("title").string(trace_.file).name("verdict").string(verdict());
    if (!reason().empty()) json.name("reason").string(reason());
    json.name("events").number(trace_.events.size());
    names(json, "actors", trace_.names.actors);
    names(json, "channels", trace_.names.channels);
    json.name("violations").number(violations());
    json.name("columns").string(deflated_base64(columns())).end_object();
    return without_tags(head);
  }
  static void names(JsonWriter& json, const char* name, const std::vector<std::string>& all) {
    json.name(name).begin_array();
    for (const std::string& one : all) json.string(one);
    json.end_array();
  }

  template <typename Write>
  void column(JsonWriter& json, const char* name, Write write) const {
    json.name(name).begin_array();
    for (const CausalEvent& event : trace_.events) write(event);
    json.end_array();
  }
  static std::int64_t index(std::uint32_t number) {
    return number == kNoIndex ? -1 : static_cast<std::int64_t>(number);
  }

  [[nodiscard]] std::string columns() const {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    column(json, "type", [&](const CausalEvent& event) { json.number(static_cast<std::uint64_t>(event.type)); });
    column(json, "actor", [&](const CausalEvent& event) { json.signed_number(index(event.actor)); });
    column(json, "channel", [&](const CausalEvent& event) { json.signed_number(index(event.channel)); });
    column(json, "offset", [&](const CausalEvent& event) {
      if (event.offset > kExactDouble) {
        json.string(std::to_string(event.offset));
      } else {
        json.number(event.offset);
      }
    });
    std::uint64_t line = 0;
    column(json, "line", [&](const CausalEvent& event) {
      json.number(event.line - line);
      line = event.line;
    });
    column(json, "flag", [&](const CausalEvent& event) { json.number(event.flag ? 1 : 0); });
    column(json, "detail", [&](const CausalEvent& event) { json.signed_number(index(event.detail)); });
    names(json, "details", trace_.names.texts);
    json.name("lists").begin_array();
    for (const std::vector<std::uint32_t>& list : trace_.names.lists) {
      json.begin_array();
      for (const std::uint32_t actor : list) json.number(actor);
      json.end_array();
    }
    json.end_array();
    json.name("violations").begin_array();
    for (const std::size_t k : shown_violations()) write(json, result_->violations[k]);
    json.end_array().end_object();
    return text;
  }

  /// The first of them, and the first of each kind.
  [[nodiscard]] std::vector<std::size_t> shown_violations() const {
    std::vector<std::size_t> shown;
    std::array<std::size_t, kCausalViolationKinds> of_kind{};
    for (std::size_t k = 0; k < violations(); ++k) {
      std::size_t& same = of_kind[static_cast<std::size_t>(result_->violations[k].kind)];
      if (k < kMostViolations || same < kMostOfRareKind) {
        shown.push_back(k);
        ++same;
      }
    }
    return shown;
  }

  void write(JsonWriter& json, const CausalViolation& violation) const {
    json.begin_object().name("kind").string(to_string(violation.kind));
    json.name("event").number(event_at(violation.line)).name("actor").signed_number(index(violation.actor));
    json.name("sent").signed_number(violation.sent == 0 ? -1 : static_cast<std::int64_t>(event_at(violation.sent)));
    json.name("message").string(describe(violation, trace_.names));
    json.name("missingInAll").number(violation.missing_in_all).name("missing").begin_array();
    for (std::size_t k = 0; k < std::min(violation.missing.size(), kMostMissing); ++k) {
      const std::vector<std::uint64_t>& lines = violation.missing[k].because;
      json.begin_object().name("event").number(event_at(lines.front())).name("because").begin_array();
      for (const std::uint64_t line : lines) json.number(event_at(line));
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }

  const CausalTrace& trace_;
  const CausalResult* result_;
};

}  // namespace
}  // namespace detail

void write_html(std::ostream& out, const CausalTrace& trace, const CausalResult& result) {
  detail::write_page(out, detail::trace_page(), detail::TracePage(trace, &result).content());
}

void write_html(std::ostream& out, const CausalTrace& trace) {
  detail::write_page(out, detail::trace_page(), detail::TracePage(trace, nullptr).content());
}

}  // namespace porpentine
