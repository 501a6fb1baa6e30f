// A search that keeps up with a stream: breadth first by returns (Lowe, "Testing for linearizability", CCPE 2017,
// section 5), over states of the plain specification.
//
// A configuration is a state, the running operations that are placed already, and how many indeterminate operations of
// each kind were used. At the return of an operation the configurations are closed under placing what runs, and those
// that have it placed survive. The return waits until whatever was called by then has ended, so that all outputs are
// known, and until a later time was told, since a call at the very time of the return overlaps with it.
//
// No verdict is lost by what is pruned:
// - An operation that only reads is placed as soon as it is accepted: it leaves the state alone, so every order from
//   here on can begin with it.
// - Indeterminate operations that are equal are interchangeable, and the one that was called first can do whatever a
//   later one can. One is used only where it changes the state.
// - Of two configurations that differ only in the indeterminate operations that they used, the one that used fewer
//   can do whatever the other can.
// - An operation that goes on while too much waits for it is taken for indeterminate. That allows whatever its
//   return may allow, so a fault is one; if it does return, the part is undecided from there on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "part.h"

namespace porpentine::detail {

class SearchPart final : public StreamPart {
 public:
  SearchPart(Window& window, const StreamBudget& budget);

  void call(std::uint32_t row, std::uint64_t number, std::uint64_t process, std::int64_t time) override;
  void ok(std::uint32_t row, std::int64_t time) override;
  void fail(std::uint32_t row) override;
  void info(std::uint32_t row) override;
  void settle(std::int64_t now) override;
  [[nodiscard]] std::optional<StreamFault> fault_if_ended() override;
  void finish() override;
  void translate(const StateArchive::Translation& translation) override;
  [[nodiscard]] bool is_certain() const override { return !doubt_ && !has_given_up_; }
  [[nodiscard]] std::uint64_t memory() const override;

 private:
  using Slot = std::uint32_t;
  using StateNumber = std::uint32_t;
  static constexpr Slot kNobody = 0xffffffff;
  static constexpr StateNumber kRefusal = 0xffffffff;

  enum class Ended : std::uint8_t { not_yet, ok, fail, info, given_up };
  struct Operation {
    std::uint32_t row = 0;
    std::uint64_t number = 0;
    std::uint64_t process = 0;
    Ended ended = Ended::not_yet;
    bool entered = false;  ///< whether the search has come to its call
    bool reads_only = false;
    Slot predecessor = kNobody;  ///< of the same process, where it returned at the time of the call
  };
  struct Event {
    std::int64_t time;
    bool is_return;
    Slot slot;
  };
  /// Indeterminate operations that are equal.
  struct Kind {
    std::uint32_t row = 0;
    std::uint32_t count = 0;
    Slot predecessor = kNobody;
  };
  struct Configuration {
    StateNumber state = 0;
    std::vector<Slot> placed;         ///< sorted
    std::vector<std::uint32_t> used;  ///< by kind; kinds at the end that were not used are left out
  };
  using Uses = std::vector<std::vector<std::uint32_t>>;
  using Seen = absl::flat_hash_map<std::pair<StateNumber, std::vector<Slot>>, Uses>;
  struct Closure;

  Slot add_slot();
  Slot end(std::uint32_t row, Ended ended);
  void free_row(std::uint32_t row);
  void end_given_up(Slot slot, Ended ended);
  void run();
  void take_group();
  void give_up_waiting();
  void try_ending();
  void admit();
  void admit_indeterminate(const Operation& operation);
  void retire(Slot slot);
  void process_return(Slot slot);
  [[nodiscard]] bool is_available(Slot predecessor, const Configuration& configuration) const;
  void place_reads(Configuration& configuration);
  void expand(const Configuration& configuration, Closure& closure);
  void push(Configuration configuration, Closure& closure);
  [[nodiscard]] bool has_budget(const Closure& closure);
  [[nodiscard]] StateNumber step(StateNumber state, std::uint32_t row, bool indeterminate);
  StateNumber intern(std::string bytes);
  void collect_states();
  void refuse(Slot slot);
  void doubt(Limit limit, std::string reason);
  void forget();

  Window& window_;
  const StreamBudget& budget_;
  std::shared_ptr<ResumableReplay> replay_;  ///< scratch; a copy may share it
  bool is_trial_ = false;                    ///< of a copy: rows are the original's

  std::int64_t now_ = 0;
  std::vector<Operation> operations_;  ///< by slot
  std::vector<Slot> free_slots_;
  absl::flat_hash_map<std::uint32_t, Slot> running_;  ///< by row, those that have not ended, or were given up
  absl::flat_hash_map<std::uint64_t, std::pair<std::int64_t, Slot>> last_ok_;  ///< by process, of the present time
  std::deque<Event> events_;                                                   ///< the search has not come to them
  std::deque<Slot> returns_;   ///< at the time that the search has come to
  std::vector<Slot> entered_;  ///< called, and not admitted yet
  std::uint64_t waiting_ = 0;  ///< of these, those that have not ended
  std::vector<Slot> active_;   ///< admitted, ok, and not returned
  std::vector<Kind> kinds_;
  absl::flat_hash_map<std::vector<std::uint64_t>, std::uint32_t> kind_of_;

  std::vector<std::string> states_;  ///< as StateArchive writes them
  absl::flat_hash_map<std::string, StateNumber> number_of_;
  absl::flat_hash_map<std::pair<StateNumber, std::uint64_t>, StateNumber> steps_known_;  ///< at this return
  std::vector<Configuration> frontier_;
  std::uint64_t state_bytes_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = 0;
  std::uint64_t returned_ = 0;
  std::size_t next_trial_ = kFirstTrial;
  bool has_given_up_ = false;  ///< on an operation

  static constexpr std::size_t kFirstTrial = 64;
};

}  // namespace porpentine::detail
