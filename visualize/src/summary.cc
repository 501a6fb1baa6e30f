#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "findings.h"

namespace porpentine::detail {
namespace {

constexpr std::size_t kMostFailures = 10;  // the timeline has all
constexpr std::size_t kMostUndecided = 10;
constexpr std::size_t kMostText = 2000;  // bytes of a message

std::string count(std::uint64_t number, std::string_view one, std::string_view many) {
  return std::to_string(number) + " " + std::string(number == 1 ? one : many);
}

/// The code point at `at`, and its bytes in UTF-8, which the text is.
std::pair<char32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[std::min(at + k, text.size() - 1)]); };
  const unsigned first = byte(0);
  if (first < 0xc0) return {first, 1};
  if (first < 0xe0) return {(first & 0x1fU) << 6U | (byte(1) & 0x3fU), 2};
  if (first < 0xf0) return {(first & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU), 3};
  return {(first & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U | (byte(3) & 0x3fU), 4};
}

bool unseen(char32_t c) {
  if (c == '\t' || c == '\n') return false;
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

std::string cut(std::string_view text) {
  if (text.size() <= kMostText) return std::string(text);
  std::size_t end = kMostText;
  while ((static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string facts(const Findings& findings) {
  const History& history = findings.history;
  std::string text;
  const auto add = [&](const std::string& fact) { text += (text.empty() ? "" : " · ") + fact; };
  if (findings.model != nullptr) add(findings.model->name());
  add(count(history.size(), "operation", "operations"));
  add(count(history.processes.size(), "process", "processes"));
  if (findings.result != nullptr) {
    if (findings.result->partitions.size() > 1)
      add(count(findings.result->partitions.size(), "partition", "partitions"));
    if (findings.result->failures.size() > 1) add(count(findings.result->failures.size(), "violation", "violations"));
  }
  return text;
}

/// How far the check came with what is unknown.
std::string undecided(const Findings& findings) {
  std::string html;
  std::size_t number = 0;
  for (const PartitionResult& partition : findings.result->partitions) {
    if (partition.verdict != Verdict::unknown || ++number > kMostUndecided) continue;
    html += "\n<p class=\"undecided\">" + escaped(cut(describe_progress(partition, findings.history.values))) + "</p>";
  }
  if (number <= kMostUndecided) return html;
  return html + "\n<p class=\"more\">" +
         count(number - kMostUndecided, "more undecided partition", "more undecided partitions") +
         " in the timeline.</p>";
}

std::string number_cell(const std::string& text) { return "<td class=\"number\">" + text + "</td>"; }

std::string core_row(const Findings& findings, const Failure& failure, std::uint32_t operation) {
  const History& history = findings.history;
  const bool returned = !is_indeterminate(history.outcome[operation]);
  std::string row = operation == failure.operation ? "<tr class=\"failing\">" : "<tr>";
  row += number_cell(std::to_string(history.line[operation]));
  row += "<td>" + escaped(history.describe_name(history.processes[history.process[operation]])) + "</td>";
  row += "<td><code>" + escaped(history.describe_call(operation)) + "</code></td>";
  row += number_cell(std::to_string(history.call[operation]));
  row += number_cell(returned ? std::to_string(history.ret[operation]) : "");
  std::string shown = findings.shows(failure, operation);
  if (operation == failure.operation) shown += shown.empty() ? "can't be placed" : "; can't be placed";
  return row + "<td>" + escaped(shown) + "</td></tr>\n";
}

std::string section(const Findings& findings, std::size_t number) {
  const CheckResult& result = *findings.result;
  const Failure& failure = result.failures[number];
  std::string heading = result.failures.size() > 1 ? "Violation " + std::to_string(number + 1) : "Violation";
  if (result.partitions.size() > 1 && failure.key != kNull) {
    heading += " of " + findings.history.describe_name(failure.key);
  }
  std::string html = "<section class=\"failure\">\n<h2>" + escaped(heading) + "</h2>\n";
  html += "<p class=\"message\">" + escaped(cut(failure.message)) + "</p>\n";
  if (!failure.core.empty()) {
    html += "<table>\n<caption>The core: " +
            count(failure.core.size(), "operation that can't be placed in any order",
                  "operations that can't be ordered by themselves") +
            "</caption>\n<thead><tr><th class=\"number\">line</th><th>process</th><th>operation</th>"
            "<th class=\"number\">call (" +
            escaped(findings.history.time_unit) +
            ")</th><th class=\"number\">return</th><th>what it shows</th></tr></thead>\n<tbody>\n";
    for (const std::uint32_t operation : failure.core) html += core_row(findings, failure, operation);
    html += "</tbody>\n</table>\n";
  }
  return html + "</section>";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, length] = code_point(text, at);
    if (unseen(c)) {
      std::array<char, 16> escape = {};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      html += escape.data();
    } else if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else {
      html += text.substr(at, length);
    }
    at += length;
  }
  return html;
}

std::string Findings::shows(const Failure& failure, std::uint32_t operation) const {
  std::vector<std::uint64_t> lines;
  for (const auto& [first, second] : failure.core_order) {
    if (first == operation) lines.push_back(history.line[second]);
  }
  if (lines.empty()) return {};
  std::string text = lines.size() == 1 ? "returned before line " : "returned before lines ";
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (k > 0) text += k + 1 == lines.size() ? " and " : ", ";
    text += std::to_string(lines[k]);
  }
  return text + (lines.size() == 1 ? " was called" : " were called");
}

std::string page_summary(const Findings& findings) {
  const std::string verdict = findings.verdict();
  const std::string reason = findings.reason();
  std::string html = "<div class=\"verdict\">\n<h1>" + escaped(findings.history.file);
  if (!verdict.empty()) {
    html += " <span class=\"badge " + verdict + "\">" + verdict + (reason.empty() ? "" : ": " + reason) + "</span>";
  }
  html += "</h1>\n<p class=\"facts\">" + escaped(facts(findings)) + "</p>\n</div>";
  if (findings.result == nullptr) return html;
  const std::size_t failures = findings.result->failures.size();
  for (std::size_t number = 0; number < std::min(failures, kMostFailures); ++number) {
    html += "\n" + section(findings, number);
  }
  if (failures > kMostFailures) {
    html += "\n<p class=\"more\">" + count(failures - kMostFailures, "more violation", "more violations") +
            " in the timeline.</p>";
  }
  return html + undecided(findings);
}

}  // namespace porpentine::detail
