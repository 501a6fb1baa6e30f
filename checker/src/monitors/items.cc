#include "items.h"

#include <algorithm>
#include <utility>

#include <porpentine/history/nearly_sorted.h>

namespace porpentine::detail {

std::optional<Ruling> Items::read() {
  items_.reserve(trace_.operations.size() / 2);
  for (const BoundOperation& bound : trace_.operations) {
    if (!pulse_.beat()) return Ruling::stopped();
    const std::uint32_t i = bound.operation;
    const std::uint8_t word = trace_.word(i);
    if (word == static_cast<std::uint8_t>(ContainerWord::put)) {
      add_put(bound);
    } else if (word != static_cast<std::uint8_t>(ContainerWord::take)) {
      return Ruling{};
    } else if (bound.indeterminate) {
      doubtful_takes_.push_back(trace_.call[i]);
    } else if (trace_.history.output[i] == kNull) {
      empties_.push_back(i);
    } else {
      add_take(i);
    }
  }
  return judge_values();
}

Item& Items::item(ValueId value) {
  const std::uint32_t number = numbers_.add(value);
  if (number == items_.size()) items_.emplace_back();
  return items_[number];
}

void Items::add_put(const BoundOperation& bound) {
  Item& put = item(trace_.history.input[bound.operation]);
  const bool first = put.put == kNobody;
  if (!first && bound.indeterminate) {
    put.repeated = true;
  } else if (!first && !put.doubtful) {
    put.repeated = repeats_ = true;  // two that certainly happened
  } else {
    put.repeated = !first;
    put.put = bound.operation;
    put.doubtful = bound.indeterminate;
  }
}

void Items::add_take(std::uint32_t operation) {
  Item& taken = item(trace_.history.output[operation]);
  if (taken.taken()) taken_twice_.emplace_back(taken.take, operation);
  taken.take = operation;
}

std::optional<Ruling> Items::judge_values() {
  const auto value_of = [&](std::uint32_t take) { return trace_.history.output[take]; };
  bool declined = repeats_;
  for (const Item& one : items_) {
    if (!one.taken()) continue;
    if (one.put == kNobody) {
      return Ruling::no({one.take}, "nobody put in " + json_with_type(trace_.history.values, value_of(one.take)));
    }
    if (one.repeated) {
      declined = true;
    } else if (take_return(one) < put_call(one)) {
      return Ruling::no({one.put, one.take}, described(one.put) + " was called later");
    }
  }
  for (const auto& [first, second] : taken_twice_) {
    if (!items_[numbers_.find(value_of(first))].repeated) {
      return Ruling::no({first, second}, described(first) + " had the only one that was put in");
    }
  }
  if (declined) return Ruling{};
  std::uint32_t kept = 0;
  index_.assign(items_.size(), kNobody);
  for (std::uint32_t number = 0; number < items_.size(); ++number) {
    if (items_[number].doubtful && !items_[number].taken()) continue;
    index_[number] = kept;
    items_[kept++] = items_[number];
  }
  items_.resize(kept);
  return std::nullopt;
}

std::vector<std::uint32_t> Items::core_with(std::vector<std::uint32_t> core, const Item& one) const {
  if (core.empty() || !one.taken()) return {};
  core.insert(core.end(), {one.put, one.take});
  return core;
}

Coverage::Coverage(const Items& items) : items_(items) {
  if (items.empties().empty()) return;
  std::int64_t last = kBeforeAll;  // what is put in after the last take that found nothing does not matter
  for (const std::uint32_t empty : items.empties()) last = std::max(last, items.trace().ret[empty]);
  const std::vector<Item>& all = items.items();
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    const std::int64_t begin = items.put_return(all[k]);
    if (begin >= last) continue;
    if (!all[k].taken()) {
      segments_.push_back({begin, kAfterAll, k, true});
    } else if (begin < items.take_call(all[k])) {
      segments_.push_back({begin, items.take_call(all[k]), k, false});
    }
  }
  sort_nearly_sorted(segments_, [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
  for (const Segment& segment : segments_) {
    // A segment that begins as another ends leaves a moment between them: calls come before returns.
    if (joined_.empty() || !(joined_.back().endless || segment.begin < joined_.back().end)) {
      joined_.push_back(segment);
    } else {
      joined_.back().endless |= segment.endless;
      joined_.back().end = std::max(joined_.back().end, segment.end);
    }
  }
}

std::optional<Ruling> Coverage::refute_empties() const {
  bool unclear = false;
  for (const std::uint32_t empty : items_.empties()) {
    const std::int64_t call = items_.trace().call[empty];
    const auto after = std::lower_bound(joined_.begin(), joined_.end(), call,
                                        [](const Segment& segment, std::int64_t time) { return segment.begin < time; });
    if (after == joined_.begin()) continue;
    const Segment& segment = *(after - 1);
    if (!segment.endless && segment.end <= items_.trace().ret[empty]) continue;
    if (!items_.in_doubt(empty)) return refusal(empty);
    unclear = true;
  }
  return unclear ? std::optional(Ruling{}) : std::nullopt;
}

Ruling Coverage::refusal(std::uint32_t empty) const {
  const std::int64_t call = items_.trace().call[empty];
  const std::int64_t end = items_.trace().ret[empty];
  std::vector<std::uint32_t> core{empty};
  std::string why;
  // From each segment to the one among those that begin within it that lasts the longest.
  std::int64_t covered = call;
  for (bool enough = false; !enough;) {
    const Segment* longest = &segments_.front();
    for (const Segment& segment : segments_) {
      if (segment.begin >= covered) break;
      if (segment.endless || (!longest->endless && segment.end > longest->end)) longest = &segment;
    }
    const Item& item = items_.items()[longest->item];
    why += (why.empty() ? "" : ", then ") + items_.shown(item) + " from " + items_.described(item.put) +
           (item.taken() ? " to " + items_.described(item.take) : " on");
    core = items_.core_with(std::move(core), item);
    covered = longest->end;
    enough = longest->endless || end < longest->end;
  }
  return Ruling::no(std::move(core), "something was in all the while: " + why, empty);
}

}  // namespace porpentine::detail
