#include "s2_machine.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "s2_chain.h"

namespace porpentine::detail {

std::vector<S2Machine::Point>::const_iterator S2Machine::point_before(std::uint64_t tail) const {
  const auto beyond = std::upper_bound(points_.begin(), points_.end(), tail,
                                       [](std::uint64_t at, const Point& point) { return at < point.tail; });
  return beyond - 1;
}

bool S2Machine::fits(std::uint64_t tail, std::uint32_t count) const {
  const auto begin = point_before(tail);
  return !begin->taken && begin + 1 != points_.end() && count <= (begin + 1)->tail - tail;
}

std::uint64_t S2Machine::hash_after(std::uint64_t stream_hash, const What& append) const {
  for (std::size_t i = 0; i < append.count; ++i) stream_hash = chained(stream_hash, records_[append.records + i]);
  return stream_hash;
}

bool S2Machine::agrees(std::uint64_t tail, std::uint64_t stream_hash) const {
  const auto point = point_before(tail);
  return point->tail != tail || !point->stream_hash || point->stream_hash == stream_hash;
}

bool S2Machine::leads_on(std::uint64_t tail, std::uint64_t stream_hash) const {
  auto point = point_before(tail);
  if (point->tail != tail) return true;
  while (!point->stream_hash && point->append != kIrrelevant) {
    stream_hash = hash_after(stream_hash, labels_[point->append]);
    ++point;
  }
  return !point->stream_hash || point->stream_hash == stream_hash;
}

StateId S2Machine::step(StateId state, Label label) {
  const What& what = labels_[label];
  State next = states_[state];
  switch (what.kind) {
    case Kind::never:
      return kRefused;
    case Kind::read:
      return next.tail == what.tail && next.stream_hash == what.stream_hash ? state : kRefused;
    case Kind::check_tail:
      return next.tail == what.tail ? state : kRefused;
    case Kind::append:
      if (next.tail != what.tail) return kRefused;
      break;
    case Kind::lost_append:
      if (what.demands_tail && next.tail != what.tail) return kRefused;
      if (what.count > 0 && !fits(next.tail, what.count)) return kRefused;
      break;
  }
  if (what.demanded_token != kNull && next.token != what.demanded_token) return kRefused;
  next.tail += what.count;
  next.stream_hash = hash_after(next.stream_hash, what);
  if (what.kind == Kind::lost_append ? !leads_on(next.tail, next.stream_hash) : !agrees(next.tail, next.stream_hash)) {
    return kRefused;
  }
  if (what.new_token != kNull) next.token = what.new_token == kUndemanded ? kNull : what.new_token;
  return states_.add(next);
}

bool S2Machine::viable(StateId state, Label label) {
  const What& what = labels_[label];
  const State& from = states_[state];
  if (what.kind == Kind::never || from.tail > what.tail) return false;
  if (from.tail < what.tail) return true;
  if (what.kind == Kind::read) return from.stream_hash == what.stream_hash;
  return what.demanded_token == kNull || token_changes_alone_ || from.token == what.demanded_token;
}

std::size_t S2Machine::memory() const {
  return labels_.capacity() * sizeof(What) + traits_.capacity() * sizeof(LabelTraits) +
         records_.capacity() * sizeof(std::uint64_t) + points_.capacity() * sizeof(Point) + states_.memory();
}

class S2Binder {
 public:
  explicit S2Binder(std::span<const S2Operation> operations)
      : operations_(operations), contradicts_(operations.size(), false) {}

  Bound bind() {
    gather_tokens();
    place_appends();
    place_points();
    place_hashes();
    find_widest_gap();
    Bound bound;
    bound.labels.reserve(operations_.size());
    for (std::size_t i = 0; i < operations_.size(); ++i) bound.labels.push_back(label(i));
    add_traits();
    bound.machine = std::move(machine_);
    return bound;
  }

 private:
  using Kind = S2Machine::Kind;
  using What = S2Machine::What;
  using Point = S2Machine::Point;

  /// The records of an ok append, by their first and one past their last.
  struct Interval {
    std::uint64_t begin;
    std::uint64_t end;
    std::size_t operation;
  };

  void gather_tokens() {
    for (const S2Operation& operation : operations_) {
      if (operation.kind != S2Kind::append) continue;
      if (operation.demanded_token != kNull) demanded_.add(operation.demanded_token);
      if (operation.new_token != kNull) set_.add(operation.new_token);
      machine_->token_changes_alone_ |= operation.records.empty() && operation.new_token != kNull;
      most_records_ += operation.records.size();
    }
  }

  /// Ok appends with records, but for those that contradict others.
  void place_appends() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const S2Operation& operation = operations_[i];
      if (operation.kind == S2Kind::nothing || operation.indeterminate) continue;
      const std::uint64_t count = operation.records.size();
      contradicts_[i] = operation.tail > most_records_ || operation.tail < count ||
                        operation.demanded_tail.value_or(operation.tail - count) != operation.tail - count;
      if (count > 0 && !contradicts_[i]) intervals_.push_back({operation.tail - count, operation.tail, i});
    }
    std::sort(intervals_.begin(), intervals_.end(), [](const Interval& a, const Interval& b) {
      return a.begin < b.begin || (a.begin == b.begin && a.operation < b.operation);
    });
    std::uint64_t free_from = 0;
    std::erase_if(intervals_, [&](const Interval& interval) {
      const bool overlaps = interval.begin < free_from;
      if (overlaps) {
        contradicts_[interval.operation] = true;
      } else {
        free_from = interval.end;
      }
      return overlaps;
    });
  }

  void place_points() {
    std::vector<Point>& points = machine_->points_;
    points.push_back({});
    for (const Interval& interval : intervals_) {
      points.push_back({interval.begin, true});
      points.push_back({interval.end});
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const S2Operation& operation = operations_[i];
      if (!observes_a_tail(operation) || contradicts_[i]) continue;
      contradicts_[i] = is_inside_an_append(operation.tail);
      if (!contradicts_[i]) points.push_back({operation.tail});
    }
    // Of equal tails the one that is taken comes first, and stays.
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return a.tail < b.tail || (a.tail == b.tail && a.taken && !b.taken);
    });
    const auto same = [](const Point& a, const Point& b) { return a.tail == b.tail; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
  }

  static bool observes_a_tail(const S2Operation& operation) {
    return operation.kind != S2Kind::nothing && !operation.indeterminate && operation.records.empty();
  }

  [[nodiscard]] bool is_inside_an_append(std::uint64_t tail) const {
    const auto next = std::lower_bound(intervals_.begin(), intervals_.end(), tail,
                                       [](const Interval& interval, std::uint64_t at) { return interval.begin < at; });
    return next != intervals_.begin() && tail < (next - 1)->end;
  }

  void place_hashes() {
    machine_->points_.front().stream_hash = 0;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const S2Operation& operation = operations_[i];
      if (operation.kind != S2Kind::read || contradicts_[i]) continue;
      Point& point = point_at(operation.tail);
      if (!point.stream_hash) point.stream_hash = operation.stream_hash;
      contradicts_[i] = *point.stream_hash != operation.stream_hash;
    }
  }

  Point& point_at(std::uint64_t tail) {
    return machine_->points_[static_cast<std::size_t>(machine_->point_before(tail) - machine_->points_.begin())];
  }

  void find_widest_gap() {
    const std::vector<Point>& points = machine_->points_;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      if (!points[i].taken) widest_gap_ = std::max(widest_gap_, points[i + 1].tail - points[i].tail);
    }
  }

  Label label(std::size_t i) {
    const S2Operation& operation = operations_[i];
    if (operation.kind == S2Kind::nothing) return kIrrelevant;
    const bool demands_what_is_never_set =
        operation.demanded_token != kNull && set_.find(operation.demanded_token) == kAbsent;
    if (operation.indeterminate) return demands_what_is_never_set ? kIrrelevant : lost_append(operation);
    What what;
    if (!contradicts_[i] && !demands_what_is_never_set) what = known(operation);
    const Label label = labelled(what, operation.records);
    if (what.kind == Kind::append && !operation.records.empty()) point_at(what.tail).append = label;
    return label;
  }

  [[nodiscard]] What known(const S2Operation& operation) const {
    What what;
    what.tail = operation.tail - operation.records.size();
    switch (operation.kind) {
      case S2Kind::read:
        what.kind = Kind::read;
        what.stream_hash = operation.stream_hash;
        break;
      case S2Kind::check_tail:
        what.kind = Kind::check_tail;
        break;
      default:
        what.kind = Kind::append;
        what.demanded_token = operation.demanded_token;
        what.new_token = that_counts(operation.new_token);
        break;
    }
    return what;
  }

  Label lost_append(const S2Operation& operation) {
    const std::size_t count = operation.records.size();
    const bool sets_what_counts = operation.new_token != kNull && demanded_.find(operation.new_token) != kAbsent;
    if (count == 0 ? !sets_what_counts : count > widest_gap_) return kIrrelevant;
    What what;
    what.kind = Kind::lost_append;
    what.demands_tail = operation.demanded_tail.has_value();
    what.tail = operation.demanded_tail.value_or(0);
    what.demanded_token = operation.demanded_token;
    what.new_token = that_counts(operation.new_token);
    if (count > 0 && what.demands_tail && !can_be_at(what.tail, operation.records)) return kIrrelevant;
    return labelled(what, operation.records);
  }

  [[nodiscard]] bool can_be_at(std::uint64_t tail, std::span<const std::uint64_t> records) const {
    if (!machine_->fits(tail, static_cast<std::uint32_t>(records.size()))) return false;
    const auto point = machine_->point_before(tail);
    if (point->tail != tail || !point->stream_hash) return true;
    std::uint64_t stream_hash = *point->stream_hash;
    for (const std::uint64_t record : records) stream_hash = chained(stream_hash, record);
    return machine_->agrees(tail + records.size(), stream_hash);
  }

  [[nodiscard]] ValueId that_counts(ValueId token) const {
    if (token == kNull || demanded_.find(token) != kAbsent) return token;
    return S2Machine::kUndemanded;
  }

  Label labelled(What what, std::span<const std::uint64_t> records) {
    std::vector<std::uint64_t>& all = machine_->records_;
    what.records = all.size();
    what.count = what.kind == Kind::never ? 0 : static_cast<std::uint32_t>(records.size());
    if (what.count > 0) all.insert(all.end(), records.begin(), records.end());
    const IdTable::Found found = labels_.find_or_add(hash(what), [&](std::uint32_t id) { return same(what, id); });
    if (found.added) {
      machine_->labels_.push_back(what);
    } else {
      all.resize(what.records);
    }
    return found.id;
  }

  [[nodiscard]] std::uint64_t hash(const What& what) const {
    std::uint64_t hash = mix(what.tail, what.stream_hash);
    hash = mix(hash, static_cast<std::uint64_t>(what.kind) * 2 + (what.demands_tail ? 1 : 0));
    hash = mix(hash, std::uint64_t{what.demanded_token} << 32 | what.new_token);
    for (std::size_t i = 0; i < what.count; ++i) hash = mix(hash, machine_->records_[what.records + i]);
    return hash;
  }

  [[nodiscard]] bool same(const What& what, std::uint32_t id) const {
    const What& other = machine_->labels_[id];
    const auto records = [&](const What& of) {
      return std::span<const std::uint64_t>(machine_->records_).subspan(of.records, of.count);
    };
    const auto left = records(what);
    const auto right = records(other);
    return what.kind == other.kind && what.tail == other.tail && what.stream_hash == other.stream_hash &&
           what.demands_tail == other.demands_tail && what.demanded_token == other.demanded_token &&
           what.new_token == other.new_token && std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

  void add_traits() {
    for (const What& what : machine_->labels_) {
      LabelTraits traits;
      const bool appends = what.kind == Kind::append || what.kind == Kind::lost_append;
      traits.read_only = !appends || (what.count == 0 && what.new_token == kNull);
      traits.bounded = what.kind != Kind::lost_append;
      machine_->traits_.push_back(traits);
    }
  }

  std::span<const S2Operation> operations_;
  std::unique_ptr<S2Machine> machine_ = std::make_unique<S2Machine>();
  std::vector<bool> contradicts_;  // by operation
  std::vector<Interval> intervals_;
  DenseIds<ValueId> demanded_;
  DenseIds<ValueId> set_;
  std::uint64_t most_records_ = 0;  // that the stream can ever hold
  std::uint64_t widest_gap_ = 0;
  IdTable labels_;
};

Bound bind_s2(std::span<const S2Operation> operations) { return S2Binder(operations).bind(); }

}  // namespace porpentine::detail
