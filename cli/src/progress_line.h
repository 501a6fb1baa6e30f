// The line on a terminal that says how far a long run has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <porpentine/checker/options.h>

namespace porpentine::cli {

/// Shows on standard error, where that is a terminal, from half a second after its construction on, and is erased
/// again. Thread safety: none.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;  // there is one terminal
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether it will ever show.
  [[nodiscard]] bool wanted() const { return wanted_; }
  /// `total` is 0 where it is not known.
  void reading(std::string_view file, std::uint64_t done, std::uint64_t total);
  void checking(std::string_view file, const Progress& progress);
  void following(std::string_view file, std::uint64_t operations);
  /// To be called before anything else is printed.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool due();
  void show(const std::string& text);

  bool wanted_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace porpentine::cli
