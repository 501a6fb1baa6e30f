#include "words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

#include <porpentine/history/message_text.h>

namespace porpentine::detail {

namespace {

/// JSON of a text.
std::string quoted(std::string_view text) {
  ValueTable table;
  return table.to_json(table.string(text));
}

/// How a value looks where one doesn't see the quotes.
std::string bare(const ValueTable& values, ValueId value) {
  if (const auto text = values.as_string(value)) return std::string(*text);
  return values.to_json(value);
}

std::string the_kind(const ValueTable& values, ValueId value) {
  const ValueKind kind = values.kind(value);
  return kind == ValueKind::null ? "" : "the " + std::string(kind_name(kind)) + " ";
}

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string shown(const ValueTable& values, ValueId value) { return shortened(values.to_json(value)); }

std::string shown_text(std::string_view text) { return shortened(quoted(text)); }

std::string shown_with_type(const ValueTable& values, ValueId value) {
  if (value == kNull) return "null";
  return shown(values, value) + " (" + std::string(kind_name(values.kind(value))) + ")";
}

std::string holds(std::string_view subject, const ValueTable& values, ValueId held, ValueId expected) {
  const std::string start = std::string(subject) + " holds ";
  if (held == expected || bare(values, held) != bare(values, expected)) return start + shown(values, held);
  return start + the_kind(values, held) + shown(values, held) + ", not " + the_kind(values, expected) +
         shown(values, expected);
}

std::string holds_text(std::string_view subject, const ValueTable& values, std::string_view held, ValueId expected) {
  const std::string start = std::string(subject) + " holds ";
  if (values.kind(expected) == ValueKind::string || held != values.to_json(expected)) return start + shown_text(held);
  return start + "the string " + shown_text(held) + ", not " + the_kind(values, expected) + shown(values, expected);
}

std::string list(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> words) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const std::string* best = nullptr;
  for (const std::string& candidate : words) {
    const std::size_t far = distance(word, candidate);
    if (far < least) {
      least = far;
      best = &candidate;
    }
  }
  if (best == nullptr || least > 1 + best->size() / 3) return "";
  return "; did you mean \"" + *best + "\"?";
}

}  // namespace porpentine::detail
