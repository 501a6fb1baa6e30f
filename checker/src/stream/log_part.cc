#include "log_part.h"

#include <algorithm>
#include <optional>

namespace porpentine::detail {

namespace {

/// Far more than anybody appends; sums with it don't overflow.
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 62;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void LogPart::call(std::uint32_t row, std::uint64_t number, std::uint64_t process, std::int64_t time) {
  if (is_over()) return;
  const std::string& f = window_.history().function_name(row);
  Running operation;
  operation.number = number;
  operation.process = process;
  operation.bound = time > length_since_ ? length_ : length_before_;
  if (const auto tie = ties_.find(process); tie != ties_.end() && tie->second.first == time) {
    operation.bound = std::max(operation.bound, tie->second.second);
  }
  operation.appends = f == "append" || f == "append-batch";
  if (operation.appends) {
    operation.records = records_of(row).size();
    running_bounds_.insert(operation.bound);
    running_records_ += operation.records;
  }
  running_.emplace(row, operation);
}

void LogPart::ok(std::uint32_t row, std::int64_t time) {
  if (const auto place = running_.find(row); place != running_.end()) {
    const Running operation = place->second;
    running_.erase(place);
    if (operation.appends) end_append(operation);
    if (time > length_since_) {
      length_before_ = length_;
      length_since_ = time;
    }
    settled_ = false;
    forced_ = operation.bound;
    take(operation, row);
    ties_[operation.process] = {time, forced_};
    ++returned_;
    if (!is_over()) check_owed();
  }
  window_.release(row);
}

void LogPart::fail(std::uint32_t row) { end(row, false); }

void LogPart::info(std::uint32_t row) { end(row, true); }

void LogPart::end(std::uint32_t row, bool indeterminate) {
  if (const auto place = running_.find(row); place != running_.end()) {
    const Running operation = place->second;
    running_.erase(place);
    if (operation.appends) {
      end_append(operation);
      if (indeterminate) loosen(operation, row);
      check_owed();
    }
  }
  window_.release(row);
}

void LogPart::end_append(const Running& operation) {
  running_bounds_.erase(running_bounds_.find(operation.bound));
  running_records_ -= operation.records;
  ++changes_;
}

void LogPart::settle(std::int64_t) {
  if (is_over()) return;
  settled_ = true;
  ties_.clear();
  forget_old_lengths();
  check_owed();
  if (!is_over() && !fits(budget_, 0)) {
    doubt_ = Doubt{Limit::memory, "the records of the log take too much memory"};
    forget();
  }
}

void LogPart::take(const Running& operation, std::uint32_t row) {
  const History& history = window_.history();
  const std::string& f = history.function_name(row);
  if (operation.appends) return take_append(operation, row);
  if (f == "scan") return take_scan(operation, row);
  if (f == "tail") return take_tail(operation, row, *history.values.as_uint64(history.output[row]));
  const std::uint64_t offset = *history.values.as_uint64(history.input[row]);
  if (history.output[row] == kNull) return take_nothing(operation, row, offset);
  if (!note(operation, row, offset, history.output[row])) return;
  owe(length_, offset + 1, operation, row);
  force(offset + 1);
}

void LogPart::take_append(const Running& operation, std::uint32_t row) {
  const History& history = window_.history();
  if (history.output[row] == kNull) {
    silent_ = silent_ || operation.records > 0;
    return loosen(operation, row);
  }
  const std::uint64_t begin = *history.values.as_uint64(history.output[row]);
  const std::vector<ValueId> records = records_of(row);
  if (records.empty()) return take_tail(operation, row, begin);
  if (!bounded(operation, row, begin)) return;
  if (begin > kMostRecords) return refuse(operation, row, "no log is that long");
  const std::uint64_t end = begin + records.size();
  if (!pay(operation, row, begin, std::min(end, length_))) return;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!note(operation, row, begin + i, records[i])) return;
  }
  if (const auto inside = tails_.upper_bound(begin); inside != tails_.end() && *inside < end) {
    return refuse(operation, row, "the log's length was " + std::to_string(*inside) + ", which it spans");
  }
  if (records.size() > 1) batches_[begin] = end;
  owe(length_, begin, operation, row);
  force(end);
}

void LogPart::take_tail(const Running& operation, std::uint32_t row, std::uint64_t length) {
  if (!bounded(operation, row, length)) return;
  if (length > kMostRecords) return refuse(operation, row, "no log is that long");
  auto batch = batches_.lower_bound(length);
  if (batch != batches_.begin() && (--batch)->second > length) {
    return refuse(operation, row, "an append of several records spans that length");
  }
  tails_.insert(length);
  owe(length_, length, operation, row);
  force(length);
}

void LogPart::take_nothing(const Running& operation, std::uint32_t row, std::uint64_t offset) {
  bounded(operation, row, offset);
}

void LogPart::take_scan(const Running& operation, std::uint32_t row) {
  const History& history = window_.history();
  const std::uint64_t begin = *history.values.as_uint64(history.input[row]);
  const auto run = history.values.elements(history.output[row]);
  if (run.empty()) return take_nothing(operation, row, begin);
  std::uint64_t offset = begin;
  for (const ValueId record : run) {
    const auto pair = history.values.elements(record);
    const std::uint64_t shown = *history.values.as_uint64(pair[0]);
    if (shown != offset) {
      return refuse(
          operation, row,
          "the scan shows offset " + std::to_string(shown) + " where offset " + std::to_string(offset) + " is due");
    }
    if (!note(operation, row, offset, pair[1])) return;
    ++offset;
  }
  owe(length_, offset, operation, row);
  force(offset);
}

/// Whether the operation can happen at `length`, or at what is shorter.
bool LogPart::bounded(const Running& operation, std::uint32_t row, std::uint64_t length) {
  if (operation.bound <= length) return true;
  refuse(operation, row, "the log's length was at least " + std::to_string(operation.bound) + " when it was called");
  return false;
}

/// The append fills offsets that were owed; false where one of them was not.
bool LogPart::pay(const Running& operation, std::uint32_t row, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    auto place = owed_.upper_bound(begin);
    if (place == owed_.begin() || (--place)->second.end <= begin) {
      refuse(operation, row, "offset " + std::to_string(begin) + " was given to another append as well");
      return false;
    }
    const std::uint64_t first = place->first;
    Owed owed = std::move(place->second);
    owed_.erase(place);
    const std::uint64_t paid_end = std::min(end, owed.end);
    if (paid_end < owed.end) owed_[paid_end] = owed;
    if (first < begin) {
      owed.end = begin;
      owed_[first] = std::move(owed);
    }
    owed_count_ -= paid_end - begin;
    begin = paid_end;
  }
  return true;
}

/// Somebody has to fill these offsets, if there are any.
void LogPart::owe(std::uint64_t begin, std::uint64_t end, const Running& operation, std::uint32_t row) {
  if (begin >= end) return;
  owed_[begin] = {end,
                  fault_at(operation, row, "not all offsets below " + std::to_string(end) + " can have been filled")};
  owed_count_ += end - begin;
  ++changes_;
}

void LogPart::force(std::uint64_t length) {
  length_ = std::max(length_, length);
  forced_ = std::max(forced_, length);
}

/// The offset holds the value; false where it holds another one.
bool LogPart::note(const Running& operation, std::uint32_t row, std::uint64_t offset, ValueId value) {
  if (offset > kMostRecords) {
    refuse(operation, row, "no log is that long");
    return false;
  }
  const std::string text = window_.history().values.to_json(value);
  const std::string_view known = records_.find(offset);
  if (known.empty()) {
    records_.add(offset, text);
    if (!owed_.empty()) ++changes_;
    return true;
  }
  if (known == text) return true;
  refuse(operation, row, "offset " + std::to_string(offset) + " holds " + std::string(known));
  return false;
}

void LogPart::loosen(const Running& operation, std::uint32_t row) {
  for (Loose& loose : loose_records(operation, row)) {
    least_loose_bound_ = std::min(least_loose_bound_, loose.bound);
    has_loose_batch_ = has_loose_batch_ || !loose.single;
    loose_.push_back(std::move(loose));
  }
}

std::vector<ValueId> LogPart::records_of(std::uint32_t row) const {
  const History& history = window_.history();
  if (history.function_name(row) == "append") return {history.input[row]};
  const auto records = history.values.elements(history.input[row]);
  return {records.begin(), records.end()};
}

std::vector<LogPart::Loose> LogPart::loose_records(const Running& operation, std::uint32_t row) const {
  const std::vector<ValueId> records = records_of(row);
  std::vector<Loose> loose;
  loose.reserve(records.size());
  for (const ValueId record : records) {
    loose.push_back({window_.history().values.to_json(record), operation.bound, records.size() == 1});
  }
  return loose;
}

std::vector<LogPart::Loose> LogPart::running_records() const {
  std::vector<Loose> all;
  for (const auto& [row, operation] : running_) {
    if (!operation.appends) continue;
    for (Loose& loose : loose_records(operation, row)) all.push_back(std::move(loose));
  }
  return all;
}

/// Whether what is owed can still be filled, as far as that can be told. What was forced at the present time may be
/// filled by whoever is called at that time.
void LogPart::check_owed() {
  const std::uint64_t settled = settled_ ? kNever : length_before_;
  if (owed_.empty() || owed_.begin()->first >= settled) return;
  const std::uint64_t first = owed_.begin()->first;
  const std::uint64_t running = running_bounds_.empty() ? kNever : *running_bounds_.begin();
  const StreamFault* fault = nullptr;
  if (std::min(running, least_loose_bound_) > first) {
    fault = &owed_.begin()->second.fault;
  } else if (settled_ && owed_count_ > running_records_ + loose_.size()) {
    fault = &owed_.rbegin()->second.fault;
  } else if (running > first && changes_ * 32 >= loose_.size()) {
    // No append that runs can fill these any more.
    changes_ = 0;
    fault = unfilled(holes_below(std::min(running, settled)), loose_);
  }
  if (fault == nullptr) return;
  fault_ = *fault;
  forget();
}

std::vector<LogPart::Hole> LogPart::holes_below(std::uint64_t bound) const {
  std::vector<Hole> holes;
  for (const auto& [begin, owed] : owed_) {
    for (std::uint64_t offset = begin; offset < std::min(owed.end, bound); ++offset) {
      holes.push_back({offset, &owed.fault});
    }
  }
  return holes;
}

/// A hole that none of the records can fill if the others are filled; null where all can be.
const StreamFault* LogPart::unfilled(const std::vector<Hole>& holes, const std::vector<Loose>& records) const {
  std::map<std::string_view, std::multiset<std::uint64_t>> bounds;  // of the records left, by value
  for (const Loose& loose : records) bounds[loose.value].insert(loose.bound);
  std::vector<const Hole*> unread;
  for (const Hole& hole : holes) {
    const std::string_view value = records_.find(hole.offset);
    if (value.empty()) {
      unread.push_back(&hole);
      continue;
    }
    const auto of_value = bounds.find(value);
    if (of_value == bounds.end()) return hole.fault;
    const auto later = of_value->second.upper_bound(hole.offset);
    if (later == of_value->second.begin()) return hole.fault;
    of_value->second.erase(std::prev(later));
  }
  std::vector<std::uint64_t> left;
  for (const auto& [value, all] : bounds) left.insert(left.end(), all.begin(), all.end());
  std::sort(left.begin(), left.end());
  for (std::size_t i = 0; i < unread.size(); ++i) {
    if (i >= left.size() || left[i] > unread[i]->offset) return unread[i]->fault;
  }
  return nullptr;
}

std::optional<StreamFault> LogPart::fault_if_ended() {
  if (is_over() || owed_.empty()) return fault_;
  if (owed_count_ > running_records_ + loose_.size()) return owed_.rbegin()->second.fault;
  std::vector<Loose> records = running_records();
  records.insert(records.end(), loose_.begin(), loose_.end());
  const StreamFault* const fault = unfilled(holes_below(kNever), records);
  return fault == nullptr ? std::nullopt : std::optional(*fault);
}

void LogPart::finish() {
  if (is_over()) return;
  fault_ = fault_if_ended();
  if (fault_) return forget();
  if (silent_) {
    doubt_ = Doubt{Limit::not_applicable, "an append returned without its offset"};
    return forget();
  }
  std::vector<Loose> singles = running_records();
  singles.insert(singles.end(), loose_.begin(), loose_.end());
  std::erase_if(singles, [](const Loose& loose) { return !loose.single; });
  if (unfilled(holes_below(kNever), singles) == nullptr) return;
  doubt_ = Doubt{Limit::not_applicable, "indeterminate appends of several records can't be told apart"};
  forget();
}

StreamFault LogPart::fault_at(const Running& operation, std::uint32_t row, const std::string& why) const {
  const History& history = window_.history();
  return {operation.number, history.line[row], returned_, history.describe(row) + " can't be placed: " + why};
}

void LogPart::refuse(const Running& operation, std::uint32_t row, const std::string& why) {
  fault_ = fault_at(operation, row, why);
  forget();
}

/// What nothing that runs or is still to come can meet any more.
void LogPart::forget_old_lengths() {
  constexpr std::size_t kFew = 64;
  if (tails_.size() + batches_.size() <= 2 * running_.size() + kFew) return;
  std::uint64_t least = length_;
  for (const auto& [row, operation] : running_) least = std::min(least, operation.bound);
  tails_.erase(tails_.begin(), tails_.lower_bound(least));
  while (!batches_.empty() && batches_.begin()->second <= least) batches_.erase(batches_.begin());
}

/// Rows of what still runs are released when it ends.
void LogPart::forget() {
  records_ = {};
  owed_.clear();
  running_.clear();
  running_bounds_.clear();
  loose_ = {};
  ties_.clear();
  tails_.clear();
  batches_.clear();
}

std::uint64_t LogPart::memory() const {
  constexpr std::uint64_t kBytesAnEntry = 160;
  return sizeof(*this) + records_.memory() +
         (owed_.size() + running_.size() + loose_.size() + tails_.size() + batches_.size()) * kBytesAnEntry;
}

}  // namespace porpentine::detail
