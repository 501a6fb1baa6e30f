// The readers, one a format. Each fills `history` from `text`; the caller adds the file's name to failures.
#pragma once

#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>

#include "failure.h"
#include "text_buffer.h"

namespace porpentine {

Failure read_jsonl(TextBuffer& text, const ReadOptions& options, History& history);
Failure read_jepsen_log(TextBuffer& text, const ReadOptions& options, History& history);
/// EDN op maps; Porcupine's key-value logs where `format` says so.
Failure read_edn(TextBuffer& text, const ReadOptions& options, Format format, History& history);
Failure read_s2(TextBuffer& text, History& history);

/// Whether a line holds an event as Jepsen logs it.
bool is_jepsen_log_line(std::string_view line);
/// Whether `text` begins with an op map that has a text as `:key`, as Porcupine's key-value logs do.
bool is_kv_log(std::string_view text);

/// Whether a line is one of the collector of the s2 verification. It may be cut at its end.
bool is_s2_line(std::string_view line);

/// Reads any of them, the one that `options` names or the text's beginning tells.
Failure read_text(TextBuffer& text, const ReadOptions& options, History& history);
/// Opens a file. That waits for a pipe's other end, and reads: a signal is a reason to ask whether to go on.
Result<std::unique_ptr<ByteSource>> open_patiently(const std::string& path, const ReadOptions& options);

/// The format of a history that begins with `head`.
Result<Format> detect_format(std::string_view head);

}  // namespace porpentine
