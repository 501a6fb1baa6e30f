// A log that is judged while it is written: O(1) amortized an event, and no wait for outputs.
//
// A log only grows, so an order is known by the **length** at which each operation happens, which never falls. Let b
// be the least length at which an operation can happen: whatever returned before its call has forced the log to be so
// long. Then
//
//   append -> o of k records   happens at length o: b <= o; forces o + k
//   read(o) -> v, scans        happens at o + 1 or later: forces that; all that see an offset see one value
//   read(o) -> null            happens at o or earlier: b <= o; forces nothing
//   tail -> n                  happens at n: b <= n; forces n; no batch spans it
//
// and these bounds are enough: let every operation happen at the least length that it can, and those of one length in
// an order that agrees with who came first; appends come last at theirs. Real time is used only for b, which is known
// at the call. So all of it is decided at the return, but for one thing: each offset that was forced must be filled by
// some append, and one of them is **owed** until its append returns. An append x that runs, or is indeterminate, can
// fill an owed offset h if b(x) <= h. Where the appends that could have filled it have all ended, it is a fault.
//
// Indeterminate appends of one record are matched exactly: the sets of those that fit grow with the offset, so taking
// for each offset that was read, by rising offset, the one with the greatest b that fits, of its value, leaves the best
// for the offsets that nobody read; those take what is left in order. Indeterminate batches are matched as if their
// records were apart, which finds faults only; where they are needed for a valid verdict, there is none. Appends that
// returned without an offset leave it open too.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "part.h"
#include "record_store.h"

namespace porpentine::detail {

class LogPart final : public StreamPart {
 public:
  LogPart(Window& window, const StreamBudget& budget) : window_(window), budget_(budget) {}

  void call(std::uint32_t row, std::uint64_t number, std::uint64_t process, std::int64_t time) override;
  void ok(std::uint32_t row, std::int64_t time) override;
  void fail(std::uint32_t row) override;
  void info(std::uint32_t row) override;
  void settle(std::int64_t now) override;
  [[nodiscard]] std::optional<StreamFault> fault_if_ended() override;
  void finish() override;
  void translate(const StateArchive::Translation&) override {}
  [[nodiscard]] bool is_certain() const override { return !doubt_ && !silent_ && !has_loose_batch_; }
  [[nodiscard]] std::uint64_t memory() const override;

 private:
  struct Running {
    std::uint64_t number = 0;
    std::uint64_t process = 0;
    std::uint64_t bound = 0;    ///< b
    std::uint64_t records = 0;  ///< of an append
    bool appends = false;
  };
  /// Offsets from a key of owed_ on.
  struct Owed {
    std::uint64_t end = 0;
    StreamFault fault;  ///< if nobody fills them
  };
  /// A record of an append of which nobody knows whether, or where, it took effect.
  struct Loose {
    std::string value;
    std::uint64_t bound = 0;
    bool single = true;  ///< not of a batch
  };
  struct Hole {
    std::uint64_t offset = 0;
    const StreamFault* fault = nullptr;
  };

  void take(const Running& operation, std::uint32_t row);
  void take_append(const Running& operation, std::uint32_t row);
  void take_tail(const Running& operation, std::uint32_t row, std::uint64_t length);
  void take_scan(const Running& operation, std::uint32_t row);
  void take_nothing(const Running& operation, std::uint32_t row, std::uint64_t offset);
  bool pay(const Running& operation, std::uint32_t row, std::uint64_t begin, std::uint64_t end);
  void owe(std::uint64_t begin, std::uint64_t end, const Running& operation, std::uint32_t row);
  void force(std::uint64_t length);
  bool bounded(const Running& operation, std::uint32_t row, std::uint64_t length);
  bool note(const Running& operation, std::uint32_t row, std::uint64_t offset, ValueId value);
  void loosen(const Running& operation, std::uint32_t row);
  void end_append(const Running& operation);
  void end(std::uint32_t row, bool indeterminate);
  void check_owed();
  [[nodiscard]] std::vector<Hole> holes_below(std::uint64_t bound) const;
  [[nodiscard]] const StreamFault* unfilled(const std::vector<Hole>& holes, const std::vector<Loose>& records) const;
  [[nodiscard]] std::vector<Loose> loose_records(const Running& operation, std::uint32_t row) const;
  [[nodiscard]] std::vector<Loose> running_records() const;
  [[nodiscard]] std::vector<ValueId> records_of(std::uint32_t row) const;
  [[nodiscard]] StreamFault fault_at(const Running& operation, std::uint32_t row, const std::string& why) const;
  void refuse(const Running& operation, std::uint32_t row, const std::string& why);
  void forget_old_lengths();
  void forget();

  Window& window_;
  const StreamBudget& budget_;
  RecordStore records_;
  std::uint64_t length_ = 0;         ///< that was forced
  std::uint64_t length_before_ = 0;  ///< that was forced before length_since_
  std::int64_t length_since_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t forced_ = 0;            ///< by the operation that returns
  bool settled_ = true;                 ///< whether a later time than that of the last return was told
  std::map<std::uint64_t, Owed> owed_;  ///< by their first offset; they don't overlap
  std::uint64_t owed_count_ = 0;
  absl::flat_hash_map<std::uint32_t, Running> running_;  ///< by row
  std::multiset<std::uint64_t> running_bounds_;          ///< of the appends that run
  std::uint64_t running_records_ = 0;
  std::vector<Loose> loose_;
  std::uint64_t least_loose_bound_ = std::numeric_limits<std::uint64_t>::max();
  bool has_loose_batch_ = false;
  bool silent_ = false;  ///< whether an append returned without an offset
  absl::flat_hash_map<std::uint64_t, std::pair<std::int64_t, std::uint64_t>> ties_;  ///< by process: time, forced
  std::set<std::uint64_t> tails_;                                                    ///< those that still matter
  std::map<std::uint64_t, std::uint64_t> batches_;                                   ///< begin, end; the same
  std::uint64_t changes_ = 0;  ///< since the loose records were last matched
  std::uint64_t returned_ = 0;
};

}  // namespace porpentine::detail
