// What a page tells of a check.
#pragma once

#include <string>

#include <porpentine/checker/result.h>
#include <porpentine/history/history.h>
#include <porpentine/models/specification.h>

namespace porpentine::detail {

/// A history, and what was found where it was checked.
struct Findings {
  const History& history;
  const Specification* model = nullptr;
  const CheckResult* result = nullptr;  ///< null where model is

  /// "valid", "invalid", "unknown"; empty where nothing was checked.
  [[nodiscard]] std::string verdict() const { return result == nullptr ? "" : to_string(result->verdict); }
  [[nodiscard]] std::string reason() const {
    return result == nullptr || result->verdict != Verdict::unknown ? "" : to_string(result->limit);
  }
  /// In words, what an operation of a core shows: what it returned before.
  [[nodiscard]] std::string shows(const Failure& failure, std::uint32_t operation) const;
};

/// The head and the columns of visualize/README.md, as JSON.
std::string page_data(const Findings& findings);

/// The HTML that can be read without scripts.
std::string page_summary(const Findings& findings);

/// Text for HTML: characters that would not be seen, or would turn the direction of others, as escapes.
std::string escaped(std::string_view text);

}  // namespace porpentine::detail
