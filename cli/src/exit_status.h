// Exit codes, and which one counts where several histories differ.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace porpentine::cli {

enum class ExitStatus : std::uint8_t {
  valid = 0,
  invalid = 1,
  error = 2,
  unknown = 3,
};

/// The one that counts: an error beats a violation, a violation beats an unknown, an unknown beats a pass.
[[nodiscard]] constexpr ExitStatus worse(ExitStatus a, ExitStatus b) {
  for (ExitStatus status : {ExitStatus::error, ExitStatus::invalid, ExitStatus::unknown}) {
    if (a == status || b == status) return status;
  }
  return ExitStatus::valid;
}

}  // namespace porpentine::cli
