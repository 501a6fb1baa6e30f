// What actors, channels and records of a causal-delivery system have come to, one event after the other: the
// definition, by plain sets. The trace judge of checker/ decides the same with none of this code.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/state_archive.h>

namespace porpentine::detail {

enum class CausalWord : std::uint8_t {
  subscribe,
  unsubscribe,
  begin,
  commit,
  abort,
  send,
  deliver,
  observe,
  marker,
  crash,
  restart,
  truncate,
  drain
};

/// A record's coordinate. Records that nobody has seen yet and whose sender never learned the offset are numbered from
/// 1 on each channel, with 0 for an offset.
struct CausalPlace {
  ValueId channel = kNull;
  std::uint32_t unseen = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const CausalPlace&) const = default;
};

/// An operation of a history, decoded.
struct CausalCall {
  CausalWord word = CausalWord::drain;
  ValueId actor = kNull;
  CausalPlace place = {};  ///< subscribe: the position; truncate: the log's start; of others as far as they have one
  bool loses_all = false;  ///< of a crash
  bool unseen = false;     ///< of a send: nobody knows the offset
  bool lists_actors = false;
  std::vector<ValueId> actors = {};  ///< of a drain that lists them
};

class CausalState {
 public:
  /// Executes one event. What is wrong where it can't be (the state stays as it was), in words that follow "where".
  std::optional<std::string> apply(const CausalCall& call, const ValueTable& values);

  /// What the state may have been all along, should something stand at the place: itself and, where nothing is known to
  /// stand there, one state for each record of unknown offset that may be the one there.
  [[nodiscard]] std::vector<CausalState> readings(const CausalPlace& place) const;

  /// "n1 delivered a@0, a@1; n2 ...", as a person would write it.
  [[nodiscard]] std::string to_string(const ValueTable& values) const;
  /// Writes the whole of it, or reads one.
  void transfer(StateArchive& archive);

  auto operator<=>(const CausalState&) const = default;

 private:
  using Places = std::set<CausalPlace>;
  static constexpr std::uint64_t kNoBound = ~std::uint64_t{0};

  /// What an actor has to do with a channel.
  struct View {
    std::optional<std::uint64_t> baseline;
    std::optional<std::uint64_t> last;
    std::uint64_t position = 0;
    bool consumed = false;
    auto operator<=>(const View&) const = default;
  };
  struct Memory {
    Places known;
    Places delivered;
    std::map<ValueId, View> views;
    auto operator<=>(const Memory&) const = default;
  };
  struct Actor {
    Memory now;
    std::optional<Memory> at_begin;  // of the open step
    Places sent;                     // in it
    bool down = false;
    auto operator<=>(const Actor&) const = default;
  };
  enum class Fate : std::uint8_t { open, committed, aborted, marker };
  struct Record {
    Fate fate = Fate::committed;
    bool delivered = false;  // by anyone
    Places ancestors;
    std::uint64_t below = kNoBound;  // of an unseen one: its offset is lower than that, if that is a bound,
    std::map<std::uint64_t, std::uint64_t> outside;  // and in none of these: the first, and the one behind the last
    auto operator<=>(const Record&) const = default;
  };

  [[nodiscard]] std::optional<std::string> complaint(const CausalCall& call, const ValueTable& values) const;
  [[nodiscard]] std::optional<std::string> delivery_complaint(const CausalCall& call, const ValueTable& values) const;
  [[nodiscard]] std::optional<std::string> drain_complaint(const CausalCall& call, const ValueTable& values) const;
  [[nodiscard]] std::optional<std::string> truncation_complaint(const CausalCall& call, const ValueTable& values) const;
  [[nodiscard]] std::optional<std::string> abort_complaint(const Actor& actor, const ValueTable& values) const;
  static bool misses(const Memory& memory, const CausalPlace& place);
  void learn(Memory& memory, const CausalPlace& place) const;
  void end_step(Actor& actor, bool committed);
  [[nodiscard]] CausalPlace next_unseen(ValueId channel) const;
  static bool may_stand_at(const Record& record, std::uint64_t offset);
  void see(const CausalPlace& unseen, const CausalPlace& place);
  static void not_missed(const Memory& memory, const CausalPlace& place, Record& record);
  void deliver(Memory& memory, const CausalPlace& place);
  void drain(const CausalCall& call);
  void truncate(const CausalPlace& log_start);
  static bool counts(const CausalCall& drain, ValueId actor);

  std::map<ValueId, Actor> actors_;
  std::map<CausalPlace, Record> records_;
};

}  // namespace porpentine::detail
