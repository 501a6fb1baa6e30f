#include "items.h"

#include <algorithm>
#include <numeric>
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
      doubtful_takes_.push_back(i);
    } else if (trace_.history.output[i] == kNull) {
      empties_.push_back(i);
    } else {
      add_take(i);
    }
  }
  return judge_values();
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
  std::erase_if(items_, [](const Item& one) { return one.doubtful && !one.taken(); });
  sort_nearly_sorted(items_, [&](const Item& a, const Item& b) { return put_call(a) < put_call(b); });
  return std::nullopt;
}

LargeVector<std::uint32_t> Items::by_return() const {
  LargeVector<std::uint32_t> order(items_.size());
  std::iota(order.begin(), order.end(), 0U);
  sort_nearly_sorted(order,
                     [&](std::uint32_t a, std::uint32_t b) { return put_return(items_[a]) < put_return(items_[b]); });
  return order;
}

std::vector<std::uint32_t> Items::by_priority() const {
  LargeVector<ValueId> values;
  values.reserve(items_.size());
  for (const Item& one : items_) values.push_back(value(one));
  return in_order_of_number(trace_.history.values, values);
}

std::vector<std::uint32_t> Items::core_with(std::vector<std::uint32_t> core, const Item& one) const {
  if (core.empty() || !one.taken() || one.assigned) return {};
  core.insert(core.end(), {one.put, one.take});
  return core;
}

Coverage::Coverage(const Items& items, LargeVector<std::uint32_t> by_return)
    : items_(items), by_return_(std::move(by_return)) {
  if (items.empties().empty()) return;
  std::int64_t last = kBeforeAll;  // what is put in after the last take that found nothing does not matter
  for (const std::uint32_t empty : items.empties()) last = std::max(last, items.trace().ret[empty]);
  for (const std::uint32_t k : by_return_) {
    const Segment next = segment(items.items()[k]);
    if (next.begin >= last) break;
    if (!next.endless && next.end <= next.begin) continue;
    // A segment that begins as another ends leaves a moment between them: calls come before returns.
    if (joined_.empty() || !(joined_.back().endless || next.begin < joined_.back().end)) {
      joined_.push_back(next);
    } else {
      joined_.back().endless |= next.endless;
      joined_.back().end = std::max(joined_.back().end, next.end);
    }
  }
}

Coverage::Segment Coverage::segment(const Item& item) const {
  return {items_.put_return(item), item.taken() ? items_.take_call(item) : kAfterAll, !item.taken()};
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
    const Item* longest = &items_.items()[by_return_.front()];
    for (const std::uint32_t k : by_return_) {
      const Item& item = items_.items()[k];
      if (segment(item).begin >= covered) break;
      if (segment(*longest).shorter_than(segment(item))) longest = &item;
    }
    why += (why.empty() ? "" : ", then ") + items_.shown(*longest) + " from " + items_.described(longest->put) +
           (longest->taken() ? " to " + items_.described(longest->take) : " on");
    core = items_.core_with(std::move(core), *longest);
    covered = segment(*longest).end;
    enough = !longest->taken() || end < covered;
  }
  return Ruling::no(std::move(core), "something was in all the while: " + why, empty);
}

LastTaken::LastTaken(const Items& items, const LargeVector<std::uint32_t>& by_return)
    : items_(items), by_return_(by_return), rank_(by_return.size()), last_(by_return.size() + 1, nullptr) {
  for (std::uint32_t k = 0; k < by_return.size(); ++k) rank_[by_return[k]] = k + 1;
}

void LastTaken::add(std::size_t item) {
  const Item& added = items_.items()[item];
  if (added.assigned || (!added.taken() && !items_.doubtful_takes().empty())) return;
  for (std::size_t k = rank_[item]; k < last_.size(); k += k & (0 - k)) last_[k] = later(last_[k], &added);
}

const Item* LastTaken::overtaken_by(const Item& item) const {
  const auto end = std::lower_bound(
      by_return_.begin(), by_return_.end(), items_.take_call(item),
      [&](std::uint32_t other, std::int64_t time) { return items_.put_return(items_.items()[other]) < time; });
  const Item* last = nullptr;
  for (auto k = static_cast<std::size_t>(end - by_return_.begin()); k > 0; k &= k - 1) last = later(last, last_[k]);
  return last != nullptr && taken_from(*last) > items_.take_return(item) ? last : nullptr;
}

}  // namespace porpentine::detail
