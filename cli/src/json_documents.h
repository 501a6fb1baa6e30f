// What --json prints: one object for one history, an array for several.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include <porpentine/history/result.h>

namespace porpentine::cli {

/// Writes each object as soon as it is there.
class JsonDocuments {
 public:
  /// `count` objects will follow.
  JsonDocuments(std::ostream& out, std::size_t count) : out_(out), count_(count) {}

  /// `write` puts one object out, without a line break.
  void add(const std::function<void(std::ostream&)>& write);

 private:
  std::ostream& out_;
  std::size_t count_;
  std::size_t written_ = 0;
};

/// {"file": ..., "error": {"line": 7, "message": ...}}; the line is null where the error has none.
[[nodiscard]] std::string json_error(std::string_view file, const Error& error);

}  // namespace porpentine::cli
