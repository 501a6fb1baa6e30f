#include <porpentine/history/reader.h>

#include <array>
#include <string>
#include <utility>

#include "byte_source.h"
#include "readers.h"
#include "text_buffer.h"

namespace porpentine {
namespace {

constexpr std::size_t kHead = std::size_t{1} << 16U;

constexpr std::array<std::pair<Format, std::string_view>, 6> kFormats = {{{Format::automatic, "auto"},
                                                                          {Format::jsonl, "jsonl"},
                                                                          {Format::edn, "edn"},
                                                                          {Format::jepsen_log, "jepsen-log"},
                                                                          {Format::kv_log, "kv-log"},
                                                                          {Format::s2, "s2"}}};

Result<Format> choose_format(TextBuffer& text, Format wanted) {
  while (text.window().size() < kHead && !text.complete()) {
    if (auto failure = text.fill()) return *std::move(failure);
  }
  return wanted == Format::automatic ? detect_format(text.window()) : wanted;
}

Failure read_format(TextBuffer& text, const ReadOptions& options, Format format, History& history) {
  switch (format) {
    case Format::edn:
    case Format::kv_log:
      return read_edn(text, options, format, history);
    case Format::jepsen_log:
      return read_jepsen_log(text, options, history);
    case Format::s2:
      return read_s2(text, history);
    case Format::automatic:
    case Format::jsonl:
      break;
  }
  return read_jsonl(text, options, history);
}

}  // namespace

Failure read_text(TextBuffer& text, const ReadOptions& options, History& history) {
  const auto format = choose_format(text, options.format);
  if (!format) return format.error();
  return read_format(text, options, *format, history);
}

Result<std::unique_ptr<ByteSource>> open_patiently(const std::string& path, const ReadOptions& options) {
  while (true) {
    auto source = open_file(path);
    if (source || source.error().code != ErrorCode::limit) return source;
    if (options.progress && !options.progress(0, 0)) return Error{ErrorCode::limit, "cancelled", {}, 0};
  }
}

namespace {

Failure read_source(Result<std::unique_ptr<ByteSource>> source, const ReadOptions& options, History& history) {
  if (!source) return std::move(source).error();
  TextBuffer text(std::move(*source), options, history);
  auto failure = read_text(text, options, history);
  if (!failure || failure->code == ErrorCode::io || failure->code == ErrorCode::limit) return failure;
  auto damage = text.find_damage();
  return damage ? damage : failure;
}

Result<History> read(Result<std::unique_ptr<ByteSource>> source, const ReadOptions& options, std::string_view name) {
  History history;
  history.file = name;
  history.time_unit = "ns";
  if (auto failure = read_source(std::move(source), options, history)) {
    failure->file = name;
    return *std::move(failure);
  }
  return history;
}

}  // namespace

Result<Format> parse_format(std::string_view name) {
  std::string known;
  for (const auto& [format, word] : kFormats) {
    if (word == name) return format;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  return Error{ErrorCode::usage, "unknown format \"" + excerpt(name) + "\", there are " + known, {}, 0};
}

std::string_view to_string(Format format) {
  for (const auto& [known, word] : kFormats) {
    if (known == format) return word;
  }
  return "unknown";
}

Result<History> read_history(const std::string& path, const ReadOptions& options) {
  return read(open_patiently(path, options), options, path);
}

Result<History> read_history_text(std::string_view text, const ReadOptions& options, std::string_view name) {
  return read(open_text(text), options, name);
}

}  // namespace porpentine
