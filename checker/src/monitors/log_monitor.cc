// A log: append(v) -> offset, batches, reads and scans by offset, tails. O(n), and O(d log d) for d indeterminate
// appends.
//
// A **unit** is one append or one batch, or a hole that an indeterminate append has to fill; units tile the offsets
// from 0 up to the highest one that anyone observed. They take effect in order of their offsets, so if t(u) is the
// moment of unit u, t never falls, and everything that was observed is a bound:
//
//   lo(u) = the latest call of its append, of reads that found nothing at an offset of u, of tails that returned its
//           first offset: u took effect after that
//   hi(u) = the earliest return of its append, of reads that found something in u, of tails that returned the offset
//           after its last: u had taken effect before that
//
// With F(u) = min of hi(w) over w >= u, such moments exist exactly if lo(u) is before F(u) for every u: then
// t(u) = max of lo(w) over w <= u will do, reads that found something happen as late as t lets them, those that
// found nothing at their calls.
//
// An indeterminate append x can fill a hole h if it was called before F(h), and if the values agree where h was read.
// The sets of appends that fit grow with the offset, so taking for each hole that was read, by rising offset, the
// latest call that fits leaves the best for the holes that nobody read; those need one call each before their F.
// Appends that fill nothing never happened. Indeterminate batches are placed where a value of theirs that no other
// append has was read; where one is left that might fill a hole, the question is NP-hard (3-partition) and the
// search's.

#include <algorithm>
#include <optional>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "monitor.h"

namespace porpentine::detail {
namespace {

constexpr ValueId kUnseen = 0xffffffff;

class LogMonitor {
 public:
  LogMonitor(const Trace& trace, Pulse& pulse) : trace_(trace), values_(trace.history.values), pulse_(pulse) {}

  Ruling rule() {
    reserve();
    for (const BoundOperation& bound : trace_.operations) {
      if (!pulse_.beat()) return Ruling::stopped();
      if (!take(bound)) return std::move(ruling_);
    }
    if (!place_batches() || !join_batches() || !order_exists() || !fill_holes()) return std::move(ruling_);
    return Ruling::yes();
  }

 private:
  /// What is known of one offset.
  struct Cell {
    std::int64_t lo = kBeforeAll;  // of a unit: its first offset's
    std::int64_t hi = kAfterAll;
    ValueId value = kUnseen;
    std::uint32_t owner = kNobody;  // the append
  };
  struct Single {  // an indeterminate append of one record
    ValueId value;
    std::int64_t call;
    bool used = false;
  };
  struct Hole {
    std::size_t offset;
    std::int64_t deadline;  // F
  };

  [[nodiscard]] LogWord word(std::uint32_t i) const { return static_cast<LogWord>(trace_.word(i)); }
  [[nodiscard]] ValueId input(std::uint32_t i) const { return trace_.history.input[i]; }
  [[nodiscard]] ValueId output(std::uint32_t i) const { return trace_.history.output[i]; }
  [[nodiscard]] std::span<const ValueId> records(std::uint32_t i) const {
    return word(i) == LogWord::append ? std::span<const ValueId>(&trace_.history.input[i], 1)
                                      : values_.elements(input(i));
  }
  [[nodiscard]] std::string described(std::uint32_t i) const { return trace_.history.describe(i); }

  /// Room for every record that can be in the log. Nothing beyond it can be observed.
  void reserve() {
    std::size_t records = 0;
    for (const BoundOperation& bound : trace_.operations) {
      const LogWord what = word(bound.operation);
      records += static_cast<std::size_t>(what == LogWord::append);
      batches_ |= what == LogWord::append_batch;
    }
    if (batches_) {
      for (const BoundOperation& bound : trace_.operations) {
        if (word(bound.operation) == LogWord::append_batch) records += values_.elements(input(bound.operation)).size();
      }
    }
    cells_.resize(records);
  }

  bool take(const BoundOperation& bound) {
    const std::uint32_t i = bound.operation;
    const LogWord what = word(i);
    const bool one_record = what == LogWord::append || what == LogWord::read;
    if (one_record && !bound.indeterminate && output(i) != kNull) return take_record(i, what == LogWord::append);
    switch (what) {
      case LogWord::append:
      case LogWord::append_batch:
        return bound.indeterminate ? doubt(i) : append(i);
      case LogWord::tail:
        return bound.indeterminate || tail(i, *values_.as_uint64(output(i)));
      case LogWord::read:
        return bound.indeterminate || miss(i, *values_.as_uint64(input(i)));
      case LogWord::scan:
        return bound.indeterminate || scan(i, *values_.as_uint64(input(i)), values_.elements(output(i)));
    }
    return declined();
  }

  /// A completed append, or a read that found something: what most operations of a log are. Which of the two, and which
  /// came first, is told without branches, as they would be mispredicted every other time.
  bool take_record(std::uint32_t i, bool appended) {
    const ValueId in = input(i);
    const ValueId out = output(i);
    const std::uint64_t offset = *values_.as_uint64(choose(appended, out, in));
    if (!within(i, offset, 1)) return false;
    Cell& cell = cells_[offset];
    if (choose(appended, cell.owner, kNobody) != kNobody) return given_twice(offset, i);
    cell.owner = choose(appended, i, cell.owner);
    cell.lo = std::max(cell.lo, choose(appended, trace_.call[i], kBeforeAll));
    cell.hi = std::min(cell.hi, trace_.ret[i]);
    return hold(i, offset, choose(appended, in, out));
  }

  template <typename T>
  static T choose(bool condition, T yes, T no) {
    return no ^ ((yes ^ no) & -static_cast<T>(condition));
  }

  bool append(std::uint32_t i) {
    if (output(i) == kNull) return declined();  // it happened, but nobody knows where
    const std::uint64_t offset = *values_.as_uint64(output(i));
    return records(i).empty() ? tail(i, offset) : own(i, offset, trace_.ret[i], i);
  }

  bool doubt(std::uint32_t i) {
    const auto content = records(i);
    if (content.size() == 1) singles_.push_back({content.front(), trace_.call[i]});
    if (content.size() > 1) doubtful_batches_.push_back(i);
    return true;
  }

  /// `i` put its records there, and had by `end`, as `witness` shows.
  bool own(std::uint32_t i, std::uint64_t offset, std::int64_t end, std::uint32_t witness) {
    const auto content = records(i);
    if (!within(witness, offset, content.size())) return false;
    for (std::size_t k = 0; k < content.size(); ++k) {
      if (!own_one(i, offset + k, content[k], end, witness)) return false;
    }
    if (content.size() > 1) units_.emplace_back(offset, content.size());
    return true;
  }

  bool own_one(std::uint32_t i, std::uint64_t offset, ValueId value, std::int64_t end, std::uint32_t witness) {
    if (!within(witness, offset, 1)) return false;
    Cell& cell = cells_[offset];
    if (cell.owner != kNobody) return given_twice(offset, witness);
    cell.owner = i;
    cell.lo = std::max(cell.lo, trace_.call[i]);
    cell.hi = std::min(cell.hi, end);
    return hold(witness, offset, value);
  }

  bool find(std::uint32_t i, std::uint64_t offset, ValueId value) {
    if (!within(i, offset, 1) || !hold(i, offset, value)) return false;
    cells_[offset].hi = std::min(cells_[offset].hi, trace_.ret[i]);
    return true;
  }

  bool miss(std::uint32_t i, std::uint64_t offset) {
    if (offset < cells_.size()) cells_[offset].lo = std::max(cells_[offset].lo, trace_.call[i]);
    return true;
  }

  bool tail(std::uint32_t i, std::uint64_t length) {
    if (batches_) tails_.emplace_back(i, length);
    if (length > 0) {
      if (!within(i, length - 1, 1)) return false;
      cells_[length - 1].hi = std::min(cells_[length - 1].hi, trace_.ret[i]);
    }
    return miss(i, length);
  }

  bool scan(std::uint32_t i, std::uint64_t offset, std::span<const ValueId> run) {
    if (run.empty()) return miss(i, offset);
    for (const ValueId record : run) {
      const auto pair = values_.elements(record);
      const std::uint64_t shown = *values_.as_uint64(pair[0]);
      if (shown != offset) {
        return refused({i}, "the scan shows offset " + std::to_string(shown) + " where offset " +
                                std::to_string(offset) + " is due");
      }
      if (!find(i, offset++, pair[1])) return false;
    }
    return true;
  }

  /// Whether the log can be as long as `i` saw it; it is at least that long then.
  bool within(std::uint32_t i, std::uint64_t offset, std::size_t count) {
    if (offset >= cells_.size() || count > cells_.size() - offset) return too_long(i);
    length_ = std::max(length_, static_cast<std::size_t>(offset) + count);
    return true;
  }

  /// `i` shows that the offset holds the value.
  bool hold(std::uint32_t i, std::size_t offset, ValueId value) {
    Cell& cell = cells_[offset];
    const ValueId seen = choose(cell.value == kUnseen, value, cell.value);
    cell.value = seen;
    return seen == value || holds_another(i, offset);
  }

  // Never inlined, so that what always happens stays short.
  [[gnu::noinline]] bool given_twice(std::size_t offset, std::uint32_t witness) {
    const std::uint32_t owner = cells_[offset].owner;
    return refused({witness_of(owner), witness},
                   "offset " + std::to_string(offset) + " was given to " + described(owner) + " as well");
  }
  [[gnu::noinline]] bool too_long(std::uint32_t i) {
    return refused({i}, "no more than " + std::to_string(cells_.size()) + " records were ever appended");
  }
  [[gnu::noinline]] bool holds_another(std::uint32_t i, std::size_t offset) {
    const std::uint32_t other = first_to_show(offset, i);
    return refused({other, i}, "offset " + std::to_string(offset) + " holds " +
                                   json_with_type(values_, cells_[offset].value) + ", as " + described(other) +
                                   " shows");
  }

  /// Indeterminate batches are put where a value that only they have was read.
  bool place_batches() {
    if (doubtful_batches_.empty()) return true;
    absl::flat_hash_map<ValueId, std::uint32_t> appended;  // how often
    for (const BoundOperation& bound : trace_.operations) {
      if (!appends(bound.operation)) continue;
      for (const ValueId value : records(bound.operation)) ++appended[value];
    }
    absl::flat_hash_map<ValueId, std::size_t> holes;  // what was read there
    for (std::size_t at = 0; at < length_; ++at) {
      if (cells_[at].owner == kNobody && cells_[at].value != kUnseen) holes.try_emplace(cells_[at].value, at);
    }
    for (const std::uint32_t i : doubtful_batches_) {
      const auto content = records(i);
      std::size_t k = 0;
      while (k < content.size() && (appended[content[k]] != 1 || !holes.contains(content[k]))) ++k;
      if (k == content.size()) {
        unplaced_batches_ = true;
        continue;
      }
      const std::size_t at = holes[content[k]];
      if (at < k || cells_[at].owner != kNobody) return declined();
      placed_.emplace_back(i, first_to_show(at, kNobody));
      if (!own(i, at - k, kAfterAll, placed_.back().second)) return false;
    }
    return true;
  }

  /// The records of a batch come at once.
  bool join_batches() {
    for (const auto& [first, count] : units_) {
      for (std::size_t at = first; at < first + count; ++at)
        cells_[first].lo = std::max(cells_[first].lo, cells_[at].lo);
    }
    for (const auto& [i, length] : tails_) {
      if (length == 0 || length >= length_ || cells_[length].owner == kNobody ||
          cells_[length - 1].owner != cells_[length].owner)
        continue;
      const std::uint32_t batch = cells_[length].owner;
      return refused({witness_of(batch), i}, described(batch) + " spans that length");
    }
    return true;
  }

  bool order_exists() {
    std::int64_t deadline = kAfterAll;
    std::size_t latest = length_;  // the offset that gave the deadline
    for (std::size_t at = length_; at-- > 0;) {
      if (cells_[at].hi < deadline) {
        deadline = cells_[at].hi;
        latest = at;
      }
      if (cells_[at].lo > deadline) return out_of_order(at, latest);
      if (cells_[at].owner == kNobody) holes_.push_back({at, deadline});
    }
    std::reverse(holes_.begin(), holes_.end());
    return true;
  }

  bool out_of_order(std::size_t at, std::size_t later) {
    const std::size_t last = last_of_unit(at);
    const std::uint32_t early =
        *first_where([&](std::uint32_t i) { return trace_.ret[i] == cells_[later].hi && shows(i, later); });
    const auto late =
        first_where([&](std::uint32_t i) { return trace_.call[i] == cells_[at].lo && denies(i, at, last); });
    const std::uint32_t append = late.value_or(cells_[at].owner);
    std::string why = described(early) + " had returned before " + described(append) + " was called";
    std::vector<std::uint32_t> core{early, witness_of(append)};
    if (late && last > later) {  // they may speak of two offsets, which only their batch makes one
      why += ", and " + described(cells_[at].owner) + " came at once";
      core.push_back(witness_of(cells_[at].owner));
    }
    return refused(std::move(core), std::move(why));
  }

  bool fill_holes() {
    if (holes_.empty()) return true;
    std::sort(singles_.begin(), singles_.end(), [](const Single& a, const Single& b) {
      return a.value != b.value ? a.value < b.value : a.call < b.call;
    });
    LargeVector<Hole> read;
    LargeVector<Hole> unread;
    for (const Hole& hole : holes_) (cells_[hole.offset].value == kUnseen ? unread : read).push_back(hole);
    std::stable_sort(read.begin(), read.end(),
                     [&](const Hole& a, const Hole& b) { return cells_[a.offset].value < cells_[b.offset].value; });
    LargeVector<std::size_t> fitting;  // singles of one value, the latest call last
    std::size_t next = 0;
    for (std::size_t k = 0; k < read.size(); ++k) {
      const ValueId value = cells_[read[k].offset].value;
      if (k == 0 || value != cells_[read[k - 1].offset].value) {
        fitting.clear();
        while (next < singles_.size() && singles_[next].value < value) ++next;
      }
      for (; next < singles_.size() && singles_[next].value == value && singles_[next].call <= read[k].deadline;
           ++next) {
        fitting.push_back(next);
      }
      if (fitting.empty()) return not_filled(read[k].offset);
      singles_[fitting.back()].used = true;
      fitting.pop_back();
    }
    std::erase_if(singles_, [](const Single& single) { return single.used; });
    std::sort(singles_.begin(), singles_.end(), [](const Single& a, const Single& b) { return a.call < b.call; });
    for (std::size_t k = 0; k < unread.size(); ++k) {
      if (k == singles_.size() || singles_[k].call > unread[k].deadline) return not_filled(unread[k].offset);
    }
    return true;
  }

  bool not_filled(std::size_t offset) {
    if (unplaced_batches_) return declined();
    const std::uint32_t witness = first_to_show(offset, kNobody);
    std::string why = "no append can have filled offset " + std::to_string(offset);
    if (cells_[offset].value == kUnseen) return refused({}, std::move(why));
    const ValueId value = cells_[offset].value;
    const bool appended = std::any_of(trace_.operations.begin(), trace_.operations.end(), [&](const auto& bound) {
      if (!appends(bound.operation)) return false;
      const auto content = records(bound.operation);
      return std::find(content.begin(), content.end(), value) != content.end();
    });
    if (appended) return refused({}, why + " with " + values_.to_json(value));
    return refused({witness}, "nobody appended " + json_with_type(values_, value));
  }

  [[nodiscard]] bool appends(std::uint32_t i) const {
    return word(i) == LogWord::append || word(i) == LogWord::append_batch;
  }
  /// Whether a completed operation shows that there was a record at the offset.
  [[nodiscard]] bool shows(std::uint32_t i, std::uint64_t offset) const {
    switch (word(i)) {
      case LogWord::append:
      case LogWord::append_batch:
        return cells_[offset].owner == i || (records(i).empty() && *values_.as_uint64(output(i)) == offset + 1);
      case LogWord::tail:
        return *values_.as_uint64(output(i)) == offset + 1;
      case LogWord::read:
        return output(i) != kNull && *values_.as_uint64(input(i)) == offset;
      case LogWord::scan:
        return offset - *values_.as_uint64(input(i)) < values_.elements(output(i)).size();
    }
    return false;
  }
  /// Whether a completed operation shows that the unit was not there yet when it took effect.
  [[nodiscard]] bool denies(std::uint32_t i, std::uint64_t first, std::uint64_t last) const {
    const auto inside = [&](ValueId offset) {
      const std::uint64_t at = *values_.as_uint64(offset);
      return first <= at && at <= last;
    };
    switch (word(i)) {
      case LogWord::append:
      case LogWord::append_batch:
        return cells_[first].owner == i || (records(i).empty() && inside(output(i)));
      case LogWord::tail:
        return inside(output(i));
      case LogWord::read:
        return output(i) == kNull && inside(input(i));
      case LogWord::scan:
        return values_.elements(output(i)).empty() && inside(input(i));
    }
    return false;
  }

  template <typename Condition>
  [[nodiscard]] std::optional<std::uint32_t> first_where(Condition condition) const {
    for (const BoundOperation& bound : trace_.operations) {
      if (!bound.indeterminate && condition(bound.operation)) return bound.operation;
    }
    return std::nullopt;
  }
  /// The first operation but `except` that shows what the offset holds.
  [[nodiscard]] std::uint32_t first_to_show(std::size_t offset, std::uint32_t except) const {
    const auto found = first_where([&](std::uint32_t i) {
      return i != except && word(i) != LogWord::tail && (!appends(i) || cells_[offset].owner == i) && shows(i, offset);
    });
    return found ? *found : witness_of(cells_[offset].owner);
  }

  [[nodiscard]] std::size_t last_of_unit(std::size_t first) const {
    std::size_t last = first;
    while (cells_[first].owner != kNobody && last + 1 < length_ && cells_[last + 1].owner == cells_[first].owner)
      ++last;
    return last;
  }
  /// The operation that shows that an append happened: itself, or a read of an indeterminate one's record.
  [[nodiscard]] std::uint32_t witness_of(std::uint32_t append) const {
    for (const auto& [batch, reader] : placed_) {
      if (batch == append) return reader;
    }
    return append;
  }

  bool refused(std::vector<std::uint32_t> core, std::string why) {
    ruling_ = Ruling::no(std::move(core), std::move(why));
    return false;
  }
  bool declined() {
    ruling_ = {};
    return false;
  }

  const Trace& trace_;
  const ValueTable& values_;
  Pulse& pulse_;
  Ruling ruling_;

  std::size_t length_ = 0;   // one past the highest offset that anyone observed
  LargeVector<Cell> cells_;  // by offset

  bool batches_ = false;
  LargeVector<std::pair<std::size_t, std::size_t>> units_;  // batches: first offset, records
  LargeVector<std::pair<std::uint32_t, std::uint64_t>> tails_;
  LargeVector<Single> singles_;
  LargeVector<std::uint32_t> doubtful_batches_;
  LargeVector<std::pair<std::uint32_t, std::uint32_t>> placed_;  // indeterminate batch, who read of it
  bool unplaced_batches_ = false;
  LargeVector<Hole> holes_;
};

}  // namespace

Ruling rule_log(const Trace& trace, Pulse& pulse) { return LogMonitor(trace, pulse).rule(); }

}  // namespace porpentine::detail
