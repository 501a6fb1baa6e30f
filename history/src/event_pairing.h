// Events to operations: each completion belongs to the running operation of its process.
//
// Used by every reader of events. Only processes whose id is an integer are clients; what others do (a nemesis, say)
// becomes annotations.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "failure.h"
#include "history_builder.h"

namespace porpentine {

enum class EventType : std::uint8_t { invoke, ok, fail, info, note };

std::optional<EventType> parse_event_type(std::string_view word);

/// One event as its line says it.
struct Event {
  EventType type = EventType::note;
  std::optional<ValueId> process;
  ValueId f = kNull;
  ValueId key = kNull;
  ValueId value = kNull;
  std::optional<std::int64_t> time;
  Fields others;          ///< the line's other fields
  std::string_view text;  ///< of the line, for messages
  std::uint64_t line = 0;
};

/// Where operations get their times from.
enum class Clock : std::uint8_t {
  /// Every client event must have a time, or none; without, an event's position is its time.
  times_or_positions,
  /// The order of the lines is the real one. Times are used only if they tell the same order, that is, if all client
  /// events have one and they rise strictly; otherwise they are metadata.
  line_order,
};

struct PairingOptions {
  Clock clock = Clock::times_or_positions;
  bool independent = false;  ///< values are [key, value] pairs
  bool jepsen = false;       ///< whatever is no read repeats its input when it succeeds
};

class EventPairing {
 public:
  EventPairing(HistoryBuilder& builder, PairingOptions options) : builder_(builder), options_(options) {}

  /// The next event, in the order of the lines. `event` is left in a moved-from state.
  Failure add(Event& event);
  /// How many events there were, annotations included.
  [[nodiscard]] std::int64_t position() const { return position_; }
  /// Completes the history: operations that are still running are open. Call it before HistoryBuilder::finish.
  void finish();

 private:
  enum class State : std::uint8_t { idle, running, annotated };

  /// A client process, with its latest operation.
  struct Client {
    State state = State::idle;
    std::optional<std::uint32_t> operation;
    ValueId f = kNull;
    ValueId fields = kNull;  ///< further fields of the call, an object or null
    bool has_pairs = false;  ///< its key was taken out of a [key, value] pair
  };
  struct Times {
    std::optional<std::int64_t> call;
    std::optional<std::int64_t> ret;
  };

  [[nodiscard]] ValueTable& values() { return builder_.values(); }
  [[nodiscard]] History& history() { return builder_.history(); }
  [[nodiscard]] bool is_client(const Event& event);
  [[nodiscard]] bool uses_times() const;
  [[nodiscard]] std::int64_t clock_time(const Event& event) const;

  Failure check_time(const Event& event);
  void annotate(Event& event);
  Failure invoke(Event& event, Client& client);
  Failure check_call(const Event& event, const Client& client);
  Failure complete(Event& event, Client& client);
  Failure check_completion(const Event& event, const Client& client);
  bool split_call(Event& event);
  Failure split_return(Event& event, ValueId key);
  void set_outcome(Event& event, std::uint32_t operation);
  bool acknowledges(std::uint16_t function);
  ValueId call_fields(std::uint32_t operation, const Event& event);
  void return_fields(const Client& client, const Event& event);
  void adopt_line_times();
  void keep_line_times_as_metadata();

  HistoryBuilder& builder_;
  PairingOptions options_;
  std::int64_t position_ = 0;
  std::optional<bool> timed_;  ///< whether client events have times; for Clock::line_order, whether all have
  absl::flat_hash_map<ValueId, Client> clients_;
  std::vector<std::optional<bool>> acknowledges_;  ///< by function, as far as it was asked
  std::vector<Times> line_times_;                  ///< by operation, for Clock::line_order
  std::optional<std::int64_t> last_line_time_;
};

}  // namespace porpentine
