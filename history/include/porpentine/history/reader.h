// Reading histories: JSON Lines, EDN, Jepsen's logs, Porcupine's key-value logs, the log of s2's collector.
//
// Every reader checks what it reads: an input that is not a history gives an Error with file, line and the
// offending text, never a History that is almost right. Lines may be of any length. Files that were
// compressed by gzip or zstd are read as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <porpentine/history/history.h>
#include <porpentine/history/result.h>

namespace porpentine {

enum class Format : std::uint8_t {
  automatic,   ///< by content
  jsonl,       ///< operation form or event form
  edn,         ///< Jepsen's history.edn
  jepsen_log,  ///< Jepsen's text lines
  kv_log,      ///< Porcupine's key-value logs
  s2,          ///< what the collector of the s2 verification writes
};

/// "auto", "jsonl", "edn", "jepsen-log", "kv-log", "s2"; an Error that lists them otherwise.
Result<Format> parse_format(std::string_view name);
std::string_view to_string(Format format);

struct ReadOptions {
  Format format = Format::automatic;
  /// Values of client operations are [key, value] pairs (Jepsen's "independent" histories). Operations whose
  /// value is no pair become annotations. Only for events; the operation form has a field `key`.
  bool independent = false;
  /// Called now and then with the bytes read and the bytes in all (0: not known), both before decompression.
  /// Returning false cancels the reading with an Error of code `limit`, "cancelled".
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
  /// Bytes of memory that reading may take; 0: no limit. Beyond it reading ends with an Error of code `limit`,
  /// "memory limit reached".
  std::uint64_t memory_limit = 0;
};

/// Reads a file; "-" is standard input.
Result<History> read_history(const std::string& path, const ReadOptions& options = {});
/// Reads text that is already in memory (compressed or not). `name` stands for the file in errors.
Result<History> read_history_text(std::string_view text, const ReadOptions& options = {},
                                  std::string_view name = "<memory>");

}  // namespace porpentine
