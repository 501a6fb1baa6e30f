// Which format a text is in, told by its beginning.
#include <simdjson.h>

#include <string>

#include "readers.h"

namespace porpentine {
namespace {

std::string_view skip_space(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

char first_char(std::string_view text) { return text.empty() ? '\0' : text.front(); }

bool has_jepsen_log_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = text.find('\n');
    if (is_jepsen_log_line(text.substr(0, length))) return true;
    if (length == std::string_view::npos) return false;
    text.remove_prefix(length + 1);
  }
  return false;
}

bool is_text(std::string_view head) {
  // The last line may be cut in the middle of a character.
  const std::string_view lines = head.substr(0, head.rfind('\n'));
  return lines.find('\0') == std::string_view::npos && simdjson::validate_utf8(lines.data(), lines.size());
}

/// Whether a map or vector that begins with `text` is JSON rather than EDN.
bool begins_json(std::string_view text) {
  const std::string_view inside = skip_space(text.substr(1));
  const char next = first_char(inside);
  if (text.front() == '[') return next == '{' && begins_json(inside);
  return next == '"' || next == '}' || next == '\0';
}

}  // namespace

Result<Format> detect_format(std::string_view head) {
  const std::string_view text = skip_space(head);
  switch (first_char(text)) {
    case '{':
      if (begins_json(text)) return is_s2_line(text.substr(0, text.find('\n'))) ? Format::s2 : Format::jsonl;
      return is_kv_log(text) ? Format::kv_log : Format::edn;
    case ';':
      return is_kv_log(text) ? Format::kv_log : Format::edn;
    case '(':
    case '#':
      return Format::edn;
    default:
      break;
  }
  if (text.empty()) return Format::jsonl;
  if (has_jepsen_log_line(text)) return Format::jepsen_log;
  if (text.front() == '[') return begins_json(text) ? Format::jsonl : Format::edn;
  if (!is_text(head)) return Error{ErrorCode::io, "this is not text", {}, 0};
  return error_at(1, ErrorCode::syntax, "can't tell the format, name it with --format",
                  text.substr(0, text.find('\n')));
}

}  // namespace porpentine
