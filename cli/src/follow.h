// Standard input that is judged while it comes: `porpentine check -` at the end of a pipe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <porpentine/checker/stream.h>
#include <porpentine/history/history.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/result.h>

#include "progress_line.h"

namespace porpentine::cli {

struct FollowOptions {
  const std::string& model;  ///< empty: the one in the header
  const ReadOptions& reading;
  const std::atomic<bool>& cancel;
  std::uint64_t memory_limit;  ///< bytes that may be taken
};

/// What a stream found.
struct Following {
  std::string model;
  Verdict verdict = Verdict::unknown;
  Limit limit = Limit::none;
  std::string reason;  ///< why it is unknown
  std::optional<StreamFailure> failure;
  StreamCounts counts;
  std::uint64_t running = 0;  ///< operations when it ended
  bool by_monitor = false;
  double elapsed_s = 0;  ///< from the first line on
};

struct Followed {
  /// The history, up to the first violation if there is one, for the check to say what is wrong in its words. An Error
  /// of code `limit` where it was too long to be kept, or where a limit or signal ended the reading.
  Result<History> history;
  std::optional<Following> following;  ///< nothing where the input can't be judged while it comes
};

/// Whether standard input is a file, all of which is there.
[[nodiscard]] bool is_regular_input();

/// Reads `file`, which is standard input, until its end or the first violation.
Followed follow_input(const std::string& file, const FollowOptions& options, ProgressLine& progress);

}  // namespace porpentine::cli
