// What judges the operations of one key of a stream.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <porpentine/checker/result.h>
#include <porpentine/models/state_archive.h>

#include "window.h"

namespace porpentine::detail {

/// What all parts of a stream may hold together.
struct StreamBudget {
  std::uint64_t limit = ~std::uint64_t{0};
  std::uint64_t held = 0;  ///< by the parts
  const std::atomic<bool>* cancel = nullptr;
  std::uint64_t most_waiting = 0;
  std::uint64_t steps_an_operation = 0;

  [[nodiscard]] bool is_cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  [[nodiscard]] bool admits(std::uint64_t more) const { return held + more <= limit; }
};

/// An operation that can't be placed.
struct StreamFault {
  std::uint64_t operation = 0;
  std::uint64_t line = 0;
  std::uint64_t longest_prefix = 0;
  std::string message;
};

/// Why a part is undecided.
struct Doubt {
  Limit limit = Limit::memory;
  std::string reason;
};

/// An operation is known by its row in the window; a part releases the row when it needs it no longer. After a fault
/// or a doubt a part forgets everything.
class StreamPart {
 public:
  StreamPart() = default;
  virtual ~StreamPart() = default;
  StreamPart(const StreamPart&) = default;
  StreamPart& operator=(const StreamPart&) = delete;

  /// `number` counts all operations of the stream; `process` is the same for the operations of a process that follow
  /// one another without a pause.
  virtual void call(std::uint32_t row, std::uint64_t number, std::uint64_t process, std::int64_t time) = 0;
  /// The row has the output.
  virtual void ok(std::uint32_t row, std::int64_t time) = 0;
  virtual void fail(std::uint32_t row) = 0;
  virtual void info(std::uint32_t row) = 0;
  /// Nothing more comes before `now`.
  virtual void settle(std::int64_t now) = 0;
  /// The fault that there would be if nothing more came.
  [[nodiscard]] virtual std::optional<StreamFault> fault_if_ended() = 0;
  /// Nothing more comes.
  virtual void finish() = 0;
  /// The window has moved to another table of values.
  virtual void translate(const StateArchive::Translation& translation) = 0;
  /// Whether nothing has happened after which there may be no verdict in the end.
  [[nodiscard]] virtual bool is_certain() const = 0;
  /// Bytes on the heap.
  [[nodiscard]] virtual std::uint64_t memory() const = 0;

  [[nodiscard]] const std::optional<StreamFault>& fault() const { return fault_; }
  [[nodiscard]] const std::optional<Doubt>& doubt() const { return doubt_; }
  /// Whether the budget has room for what the part holds now, and for `more`.
  [[nodiscard]] bool fits(const StreamBudget& budget, std::uint64_t more) const {
    const std::uint64_t bytes = memory() + more;
    return budget.admits(bytes > counted_memory ? bytes - counted_memory : 0);
  }
  [[nodiscard]] bool is_over() const { return fault_ || doubt_; }

  // For the stream.
  std::string key;                   ///< JSON
  bool touched = false;              ///< whether there is something to settle
  std::uint64_t counted_memory = 0;  ///< as it stands in the budget
  bool counted_doubt = false;

 protected:
  std::optional<StreamFault> fault_;
  std::optional<Doubt> doubt_;
};

}  // namespace porpentine::detail
