// A stack with distinct values. O(n log n).
//
// Lee and Mathur, "Efficient Decrease-and-Conquer Linearizability Monitoring", OOPSLA 2025 (arXiv 2410.04581). Time is
// cut into points, the gaps between events; a value is surely in from the return of its push to the call of its pop,
// which are the points that it **covers**. What is never popped is popped after everything else; a pop is no earlier
// than its push, and a push no later than its pop.
//
// At a point that nothing covers the stack can be empty. Every operation that overlaps with such a point can be done
// there: a push leaves its value at the bottom, under everything that follows, until a pop at another such point takes
// it. A value whose push and pop are both done so is no longer in the way of anything, and what it covered is covered
// no more. So points are taken by how many values cover them: none, then the operations there are done; one, then the
// point waits until that value is out of the way; two or more at the least, then there is no order. If no point is
// left, there is one.
//
// Pops that found nothing need a point that nothing covers from the beginning (items.h). An indeterminate pop may
// have removed any value in the way (doubtful_takes.h).

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

#include "doubtful_takes.h"
#include "event_ranks.h"
#include "items.h"

namespace porpentine::detail {
namespace {

/// How many values cover each point, and which one where it is one.
class PointTree {
 public:
  static constexpr std::int32_t kNever = 1 << 29;

  /// `begins` and `ends`: for each value the first point that it covers, and the one after the last.
  PointTree(std::uint32_t points, const LargeVector<std::pair<std::uint32_t, std::uint32_t>>& covered)
      : leaves_(std::bit_ceil(std::max(points, 1U))), nodes_(2 * std::size_t{leaves_}) {
    for (std::uint32_t point = points; point < leaves_; ++point) node(leaves_ + point).least = kNever;
    for (std::uint32_t value = 0; value < covered.size(); ++value) {
      tag(covered[value], 1, value);
    }
    for (std::uint32_t k = leaves_; k-- > 1;) pull(k);
  }

  struct Least {
    std::uint32_t point;
    std::int32_t count;
    std::uint32_t value;  ///< of one that covers it
  };
  /// A point that the fewest values cover, nothing where none is left.
  [[nodiscard]] std::optional<Least> least() const {
    if (nodes_[1].least >= kNever / 2) return std::nullopt;
    Least found{0, nodes_[1].least, 0};
    std::uint64_t sum = 0;
    std::size_t k = 1;
    while (true) {
      sum += nodes_[k].values;
      if (k >= leaves_) break;
      k = nodes_[2 * k].least <= nodes_[2 * k + 1].least ? 2 * k : 2 * k + 1;
    }
    found.point = static_cast<std::uint32_t>(k) - leaves_;
    found.value = static_cast<std::uint32_t>(sum);
    return found;
  }

  void remove(std::uint32_t point) { change(point, kNever); }
  void put_back(std::uint32_t point) { change(point, -kNever); }

  void uncover(const std::pair<std::uint32_t, std::uint32_t>& range, std::uint32_t value) {
    if (range.first >= range.second) return;
    tag(range, -1, value);
    const std::uint32_t first = leaves_ + range.first;
    const std::uint32_t last = leaves_ + range.second - 1;
    for (std::uint32_t left = first / 2, right = last / 2; left > 0; left /= 2, right /= 2) {
      pull(left);
      if (left != right) pull(right);
    }
  }

 private:
  struct Node {
    std::uint64_t values = 0;  // sum of the numbers of the values that cover the whole node
    std::int32_t count = 0;    // and how many they are
    std::int32_t least = 0;    // with those below
  };

  Node& node(std::uint32_t k) { return nodes_[k]; }
  void pull(std::size_t k) {
    nodes_[k].least = std::min(nodes_[2 * k].least, nodes_[2 * k + 1].least) + nodes_[k].count;
  }
  void change(std::uint32_t point, std::int32_t delta) {
    std::uint32_t k = leaves_ + point;
    nodes_[k].least += delta;
    while (k > 1) pull(k /= 2);
  }
  void tag(const std::pair<std::uint32_t, std::uint32_t>& range, std::int32_t sign, std::uint32_t value) {
    if (range.first >= range.second) return;
    const auto add = [&](std::uint32_t k) {
      nodes_[k].count += sign;
      nodes_[k].least += sign;
      nodes_[k].values += sign > 0 ? std::uint64_t{value} : -std::uint64_t{value};
    };
    for (std::uint32_t l = leaves_ + range.first, r = leaves_ + range.second; l < r; l /= 2, r /= 2) {
      if (l % 2 == 1) add(l++);
      if (r % 2 == 1) add(--r);
    }
  }

  std::uint32_t leaves_;
  LargeVector<Node> nodes_;  // a heap: 1 is the root
};

/// Operations by the points that they overlap with, each found once: a tree of maxima over blocks of them.
class OverlapTree {
 public:
  /// By operation, its first and its last point.
  OverlapTree(std::uint32_t points, const LargeVector<std::uint32_t>& first, const LargeVector<std::uint32_t>& last)
      : begin_(points + 1, 0) {
    for (const std::uint32_t point : first) ++begin_[point + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    blocks_ = std::bit_ceil(static_cast<std::uint32_t>(first.size() / kBlock + 1));
    spans_.resize((first.size() / kBlock + 1) * kBlock);
    LargeVector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t operation = 0; operation < first.size(); ++operation) {
      spans_[next[first[operation]]++] = {last[operation] + 1, operation};
    }
    latest_.assign(2 * std::size_t{blocks_}, 0);
    for (std::size_t block = 0; block * kBlock < spans_.size(); ++block) latest_[blocks_ + block] = latest_of(block);
    for (std::size_t k = blocks_; k-- > 1;) latest_[k] = std::max(latest_[2 * k], latest_[2 * k + 1]);
  }

  /// take(operation) for all that overlap with the point and were not taken before.
  template <typename Take>
  void take_at(std::uint32_t point, Take take) {
    visit(1, 0, blocks_, begin_[point + 1], point, take);
  }

 private:
  static constexpr std::size_t kBlock = 16;
  struct Span {
    std::uint32_t end = 0;  // one more than the last point; 0 where it was taken
    std::uint32_t operation = 0;
  };

  [[nodiscard]] std::uint32_t latest_of(std::size_t block) const {
    std::uint32_t latest = 0;
    for (std::size_t k = 0; k < kBlock; ++k) latest = std::max(latest, spans_[block * kBlock + k].end);
    return latest;
  }

  // Blocks [begin, end) hang below node k; spans from `stop` on begin after the point.
  template <typename Take>
  void visit(std::size_t k, std::size_t begin, std::size_t end, std::uint32_t stop, std::uint32_t point, Take& take) {
    if (begin * kBlock >= stop || latest_[k] <= point) return;
    if (k >= blocks_) {
      for (std::size_t i = begin * kBlock; i < std::min<std::size_t>(stop, (begin + 1) * kBlock); ++i) {
        if (spans_[i].end > point) {
          spans_[i].end = 0;
          take(spans_[i].operation);
        }
      }
      latest_[k] = latest_of(begin);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    visit(2 * k, begin, middle, stop, point, take);
    visit(2 * k + 1, middle, end, stop, point, take);
    latest_[k] = std::max(latest_[2 * k], latest_[2 * k + 1]);
  }

  LargeVector<std::uint32_t> begin_;  // by point: how many operations begin before it
  LargeVector<Span> spans_;           // by first point
  std::uint32_t blocks_ = 1;
  LargeVector<std::uint32_t> latest_;  // the greatest end of any span below
};

class StackMonitor {
 public:
  StackMonitor(const Items& items, Pulse& pulse) : items_(items), all_(items.items()), pulse_(pulse) {}

  Ruling rule() {
    place_operations();
    LargeVector<std::pair<std::uint32_t, std::uint32_t>> covered(all_.size());
    for (std::uint32_t v = 0; v < all_.size(); ++v) covered[v] = {last_[push(v)] + 1, first_[pop(v)]};
    PointTree points(points_, covered);
    OverlapTree operations(points_, first_, last_);
    LargeVector<std::uint8_t> done(all_.size(), 0);            // of the two operations
    LargeVector<std::uint32_t> waiting(all_.size(), kNobody);  // the last point that waits for the value
    LargeVector<std::uint32_t> waits_too(points_, kNobody);    // and the one that waited before it
    std::size_t gone = 0;
    while (const std::optional<PointTree::Least> least = points.least()) {
      if (!pulse_.beat()) return Ruling::stopped();
      if (least->count >= 2) break;
      points.remove(least->point);
      if (least->count == 1) {
        waits_too[least->point] = std::exchange(waiting[least->value], least->point);
        continue;
      }
      operations.take_at(least->point, [&](std::uint32_t operation) {
        const std::uint32_t v = operation / 2;
        if (++done[v] < 2) return;
        ++gone;
        points.uncover(covered[v], v);
        for (std::uint32_t point = waiting[v]; point != kNobody; point = waits_too[point]) points.put_back(point);
      });
    }
    return gone == all_.size() ? Ruling::yes() : refusal();
  }

 private:
  static std::uint32_t push(std::uint32_t item) { return 2 * item; }
  static std::uint32_t pop(std::uint32_t item) { return 2 * item + 1; }

  /// The points that each operation overlaps with. Only gaps between a call and a return are told apart: in the
  /// others fewer operations overlap, and no fewer values cover them.
  void place_operations() {
    EventRanks ranks;
    ranks.reserve(2 * all_.size());
    items_.in_order([&](std::uint32_t operation, std::uint32_t v, bool puts) {
      const Item& item = all_[v];
      if (puts) {
        ranks.add_call(items_.trace().call[operation], push(v));
        const std::int64_t end = items_.put_return(item);
        ranks.add_return(item.taken() ? std::min(end, items_.take_return(item)) : end, push(v));
      } else {
        ranks.add_call(std::max(items_.trace().call[operation], items_.put_call(item)), pop(v));
        ranks.add_return(items_.take_return(item), pop(v));
      }
    });
    first_.resize(2 * all_.size());
    last_.resize(2 * all_.size());
    bool after_call = false;
    ranks.in_order([&](std::uint32_t number, bool is_return) {
      if (!is_return) {
        first_[number] = points_;
        after_call = true;
        return;
      }
      if (after_call) ++points_;
      after_call = false;
      last_[number] = points_ - 1;
    });
    if (after_call) ++points_;
    for (std::uint32_t v = 0; v < all_.size(); ++v) {
      if (!all_[v].taken()) first_[pop(v)] = last_[pop(v)] = points_;
    }
    ++points_;
  }

  /// Says it by two values where it can be said so.
  [[nodiscard]] Ruling refusal() const {
    if (const auto pair = popped_from_under_another()) return wrong_order(*pair->first, *pair->second);
    return Ruling::no({},
                      "however the operations that overlap are ordered, some value is popped from under another one");
  }

  /// A value and one that was pushed on top of it and not popped before it: the pair of which the lower one's pop
  /// returned first.
  [[nodiscard]] std::optional<std::pair<const Item*, const Item*>> popped_from_under_another() const {
    const LargeVector<std::uint32_t> by_return = items_.by_return();
    LastTaken above(items_, by_return);
    std::optional<std::pair<const Item*, const Item*>> found;
    std::size_t next = all_.size();
    for (std::size_t lower = all_.size(); lower-- > 0;) {
      const Item& a = all_[by_return[lower]];
      for (; next > 0 && items_.put_call(all_[next - 1]) > items_.put_return(a); --next) above.add(next - 1);
      if (!a.taken() || (found && items_.take_return(*found->first) <= items_.take_return(a))) continue;
      if (const Item* const b = above.overtaken_by(a)) found = {&a, b};
    }
    return found;
  }
  [[nodiscard]] Ruling wrong_order(const Item& a, const Item& b) const {
    std::string why =
        items_.described(b.put) + " had put " + items_.shown(b) + " on top of " + items_.shown(a) + ", and ";
    why += b.taken() ? items_.described(b.take) + " was called after " + items_.described(a.take) + " had returned"
                     : "nobody popped it";
    return Ruling::no(items_.core_with({a.put, a.take}, b), std::move(why), a.take);
  }

  const Items& items_;
  const LargeVector<Item>& all_;
  Pulse& pulse_;
  std::uint32_t points_ = 0;
  // By operation, the first and the last point that it overlaps with.
  LargeVector<std::uint32_t> first_;
  LargeVector<std::uint32_t> last_;
};

}  // namespace

Ruling rule_stack(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  Items items(trace, numbers, pulse);
  if (std::optional<Ruling> ruling = items.read()) return *std::move(ruling);
  return rule_with_doubtful_takes(items, [&] {
    std::optional<Ruling> of_empties = Coverage(items).refute_empties();
    if (of_empties && of_empties->answer == Answer::no) return *std::move(of_empties);
    Ruling of_order = StackMonitor(items, pulse).rule();
    return of_empties && of_order.answer == Answer::yes ? *std::move(of_empties) : of_order;
  });
}

}  // namespace porpentine::detail
