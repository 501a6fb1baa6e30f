#include <porpentine/history/causal_rules.h>

#include <absl/container/btree_map.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/history/large_vector.h>

#include "failure.h"

namespace porpentine {
namespace {

constexpr std::uint32_t kMarker = kNoIndex - 1;

/// What stands at the offsets of one channel: a record's number, kMarker, or kNoIndex. As an array where the offsets
/// are dense, as a tree where they are not.
class Slots {
 public:
  [[nodiscard]] std::uint32_t at(std::uint64_t offset) const {
    if (is_dense(offset)) return dense_[offset - first_];
    const auto found = sparse_.find(offset);
    return found == sparse_.end() ? kNoIndex : found->second;
  }
  void put(std::uint64_t offset, std::uint32_t content) {
    if (dense_.empty()) first_ = offset;
    if (offset >= first_ && offset - first_ < 2 * std::uint64_t{count_} + kSlack) {
      if (!is_dense(offset)) grow(offset - first_ + 1);
      dense_[offset - first_] = content;
      ++count_;
    } else {
      sparse_[offset] = content;
    }
  }
  [[nodiscard]] std::size_t memory() const {
    return dense_.capacity() * sizeof(std::uint32_t) +
           sparse_.size() * 2 * sizeof(std::pair<std::uint64_t, std::uint64_t>);
  }

 private:
  static constexpr std::uint64_t kSlack = 64;

  [[nodiscard]] bool is_dense(std::uint64_t offset) const {
    return offset >= first_ && offset - first_ < dense_.size();
  }
  /// What the tree holds of the offsets that now are dense moves over.
  void grow(std::uint64_t size) {
    const std::uint64_t before = first_ + dense_.size();
    dense_.resize(size, kNoIndex);
    const auto begin = sparse_.lower_bound(before);
    auto moved = begin;
    for (; moved != sparse_.end() && moved->first - first_ < size; ++moved) {
      dense_[moved->first - first_] = moved->second;
      ++count_;
    }
    sparse_.erase(begin, moved);
  }

  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;  // in dense_, of those that hold something
  LargeVector<std::uint32_t> dense_;
  absl::btree_map<std::uint64_t, std::uint32_t> sparse_;
};

enum class Fate : std::uint8_t { open, settled, unknown, aborted };

struct Actor {
  std::uint64_t down_since = 0;  // a line; 0: it is up
  bool down = false;
  bool in_step = false;
  std::uint64_t step_line = 0;
  std::vector<std::uint32_t> sent = {};  // in the open step
};

std::string at_line(std::uint64_t line) { return line == 0 ? "" : " (line " + std::to_string(line) + ")"; }

}  // namespace

class CausalRules::Impl {
 public:
  explicit Impl(const CausalNames& names) : names_(names) {}

  Result<std::uint32_t> take(const CausalEvent& event) {
    if (event.type == CausalEventType::note) return kNoIndex;
    if (ended_) return error(event, "the trace has ended" + at_line(end_line_));
    if (event.actor != kNoIndex) {
      if (event.actor >= actors_.size()) actors_.resize(event.actor + 1);
      const Actor& actor = actors_[event.actor];
      if (actor.down && event.type != CausalEventType::restart) {
        return error(event, name(event) + " is down since it crashed" + at_line(actor.down_since));
      }
    }
    if (event.channel != kNoIndex && event.channel >= channels_.size()) channels_.resize(event.channel + 1);
    switch (event.type) {
      case CausalEventType::begin:
        return begin(event);
      case CausalEventType::commit:
        return end_step(event, event.flag ? Fate::unknown : Fate::settled);
      case CausalEventType::abort:
        return end_step(event, Fate::aborted);
      case CausalEventType::send:
        return send(event);
      case CausalEventType::deliver:
      case CausalEventType::observe:
        return record_at(event);
      case CausalEventType::marker:
        return mark(event);
      case CausalEventType::crash:
        settle(actors_[event.actor], Fate::aborted);
        actors_[event.actor].down = true;
        actors_[event.actor].down_since = event.line;
        return kNoIndex;
      case CausalEventType::restart:
        if (!actors_[event.actor].down) return error(event, name(event) + " has not crashed");
        actors_[event.actor].down = false;
        return kNoIndex;
      case CausalEventType::end:
        ended_ = true;
        end_line_ = event.line;
        return kNoIndex;
      default:
        return kNoIndex;
    }
  }

  [[nodiscard]] std::uint32_t records() const { return static_cast<std::uint32_t>(fates_.size()); }
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = fates_.capacity() + lines_.capacity() * sizeof(std::uint64_t);
    for (const Slots& slots : channels_) bytes += slots.memory();
    return bytes;
  }

 private:
  [[nodiscard]] static Error error(const CausalEvent& event, const std::string& message) {
    return {ErrorCode::order, std::string(to_string(event.type)) + ": " + message, {}, event.line};
  }
  [[nodiscard]] std::string name(const CausalEvent& event) const { return excerpt(names_.actors[event.actor]); }
  [[nodiscard]] std::string place(const CausalEvent& event) const {
    return excerpt(names_.channels[event.channel]) + "@" + std::to_string(event.offset);
  }

  Result<std::uint32_t> begin(const CausalEvent& event) {
    Actor& actor = actors_[event.actor];
    if (actor.in_step) {
      return error(event, name(event) + " has not ended its step" + at_line(actor.step_line));
    }
    actor.in_step = true;
    actor.step_line = event.line;
    return kNoIndex;
  }
  Result<std::uint32_t> end_step(const CausalEvent& event, Fate fate) {
    if (!actors_[event.actor].in_step) return error(event, name(event) + " has not begun a step");
    settle(actors_[event.actor], fate);
    return kNoIndex;
  }
  void settle(Actor& actor, Fate fate) {
    for (const std::uint32_t record : actor.sent) fates_[record] = fate;
    actor.sent.clear();
    actor.in_step = false;
  }

  Result<std::uint32_t> send(const CausalEvent& event) {
    Slots& slots = channels_[event.channel];
    const std::uint32_t before = slots.at(event.offset);
    if (before == kMarker) return error(event, place(event) + " holds a marker");
    if (before != kNoIndex) return error(event, place(event) + " holds a record already" + at_line(lines_[before]));
    if (records() == kMarker) return Error{ErrorCode::limit, "too many records", {}, event.line};
    const std::uint32_t record = records();
    slots.put(event.offset, record);
    Actor& actor = actors_[event.actor];
    fates_.push_back(actor.in_step ? Fate::open : Fate::settled);
    lines_.push_back(event.line);
    if (actor.in_step) actor.sent.push_back(record);
    return record;
  }
  Result<std::uint32_t> record_at(const CausalEvent& event) {
    const std::uint32_t record = channels_[event.channel].at(event.offset);
    if (record == kMarker || record == kNoIndex) return kNoIndex;
    if (fates_[record] == Fate::unknown) fates_[record] = Fate::settled;
    return record;
  }
  Result<std::uint32_t> mark(const CausalEvent& event) {
    Slots& slots = channels_[event.channel];
    const std::uint32_t before = slots.at(event.offset);
    if (before == kMarker) return kNoIndex;
    if (before == kNoIndex) {
      slots.put(event.offset, kMarker);
      return kNoIndex;
    }
    if (fates_[before] == Fate::unknown) fates_[before] = Fate::aborted;
    if (fates_[before] != Fate::aborted) {
      return error(event, place(event) + " holds a record that was not aborted" + at_line(lines_[before]));
    }
    return before;
  }

  const CausalNames& names_;
  std::vector<Actor> actors_;
  std::vector<Slots> channels_;
  LargeVector<Fate> fates_;           // by record
  LargeVector<std::uint64_t> lines_;  // by record
  bool ended_ = false;
  std::uint64_t end_line_ = 0;
};

CausalRules::CausalRules(const CausalNames& names) : impl_(std::make_unique<Impl>(names)) {}
CausalRules::~CausalRules() = default;
CausalRules::CausalRules(CausalRules&&) noexcept = default;
CausalRules& CausalRules::operator=(CausalRules&&) noexcept = default;
Result<std::uint32_t> CausalRules::take(const CausalEvent& event) { return impl_->take(event); }
std::uint32_t CausalRules::records() const { return impl_->records(); }
std::size_t CausalRules::memory() const { return impl_->memory(); }

}  // namespace porpentine
