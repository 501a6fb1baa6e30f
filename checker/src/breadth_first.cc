// Breadth first by returns (Lowe, CCPE 2017; Knossos calls it "linear").
//
// The frontier is the set of all configurations in which everything that has returned is linearized. At each return
// it is closed under linearizing running operations; the configurations that contain the returning operation
// are the next frontier. An empty one means that no order exists. Inside the closure configurations are visited by
// the number of indeterminate operations that they used, fewest first, so that dominated ones are met after
// those that dominate them.
//
// Memory follows the frontier, not the length of the history (4 bytes an operation more where the order is kept).

#include <algorithm>
#include <utility>

#include "configurations.h"
#include "moment.h"

namespace porpentine::detail {
namespace {

/// The orders that led to the configurations, as a tree that shares what they have in common.
class Trails {
 public:
  explicit Trails(bool kept) : kept_(kept) {}

  /// The trail that goes on from `trail` with `step`.
  std::uint32_t extend(std::uint32_t trail, std::uint32_t step) {
    if (!kept_) return kNone;
    nodes_.push_back({trail, step});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  [[nodiscard]] std::vector<std::uint32_t> steps(std::uint32_t trail) const {
    std::vector<std::uint32_t> steps;
    for (; trail != kNone; trail = nodes_[trail].parent) steps.push_back(nodes_[trail].step);
    return {steps.rbegin(), steps.rend()};
  }
  [[nodiscard]] bool worth_collecting() const { return nodes_.size() > collect_at_; }
  /// Keeps only what the trails of `frontier` need.
  void collect(Configurations& frontier) {
    std::vector<std::uint32_t> moved(nodes_.size(), kNone);
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      for (std::uint32_t t = frontier[i].trail; t != kNone && moved[t] == kNone; t = nodes_[t].parent) moved[t] = 0;
    }
    std::uint32_t kept = 0;
    for (std::size_t t = 0; t < nodes_.size(); ++t) {  // parents stand before children
      if (moved[t] == kNone) continue;
      const Node node = nodes_[t];
      moved[t] = kept;
      nodes_[kept++] = {node.parent == kNone ? kNone : moved[node.parent], node.step};
    }
    nodes_.resize(kept);
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      if (frontier[i].trail != kNone) frontier[i].trail = moved[frontier[i].trail];
    }
    collect_at_ = 2 * nodes_.size() + 65536;
  }
  [[nodiscard]] std::size_t memory() const { return nodes_.capacity() * sizeof(Node); }

 private:
  struct Node {
    std::uint32_t parent;
    std::uint32_t step;
  };
  bool kept_;
  std::vector<Node> nodes_;
  std::size_t collect_at_ = 65536;
};

template <unsigned Words>
class BreadthFirst final : public Search {
 public:
  BreadthFirst(const Timeline& timeline, Machine& machine, Meter& meter, bool record)
      : moment_(timeline, machine, meter),
        frontier_(moment_.words()),
        closure_(moment_.words()),
        scratch_(moment_.words()),
        visited_mask_(moment_.words()),
        trails_(record) {
    Record first;
    first.state = machine.initial();
    full_ = !frontier_.add(first, scratch_.data(), meter);
  }

  Status run(std::uint64_t budget) override {
    const std::uint64_t end = moment_.meter().steps() + budget;
    while (!full_) {
      if (moment_.at_end()) return Status::valid;
      if (!in_closure_) {
        if (!moment_.meter().step([this] { return memory(); }) || !open_closure()) break;
        if (frontier_.empty() && closure_.empty()) return Status::invalid;
      }
      while (!level_done()) {
        if (moment_.meter().steps() >= end) return Status::undecided;
        if (!visit(next_in_level())) return Status::stopped;
      }
      if (!close_closure()) break;
      if (frontier_.empty()) return Status::invalid;
      moment_.leave();
    }
    return Status::stopped;
  }

  [[nodiscard]] std::uint32_t reached() const override { return moment_.index(); }
  [[nodiscard]] std::uint32_t blamed() const override { return moment_.blamed(); }
  [[nodiscard]] std::uint64_t configurations() const override { return configurations_; }
  [[nodiscard]] std::vector<std::uint32_t> linearization() const override {
    return frontier_.empty() ? std::vector<std::uint32_t>{} : trails_.steps(frontier_[0].trail);
  }

 private:
  static constexpr std::size_t kMostThinned = 8192;  // beyond it comparing each with each costs too much
  static constexpr std::size_t kWorthAsking = 64;    // comparisons at least between two looks at the limits
  static constexpr std::uint32_t kDominated = kNone - 1;

  // ---- a return: calls, closure, survivors

  /// Starts what is called before the next return and puts the frontier into its closure.
  bool open_closure() {
    start_calls();
    closure_.clear();
    index_.clear();
    levels_.clear();
    level_ = 0;
    lowest_ = ~std::uint32_t{0};
    for (std::size_t i = 0; i < frontier_.size(); ++i) lowest_ = std::min(lowest_, frontier_[i].used_count);
    const std::uint32_t slot = moment_.timeline().slot[moment_.returning()];
    bool all_have_it = true;
    for (std::size_t i = 0; i < frontier_.size(); ++i) all_have_it &= moment_.has(frontier_.mask(i), slot);
    if (all_have_it) {  // nothing to close
      for (std::size_t i = 0; i < frontier_.size(); ++i) moment_.drop(frontier_.mask(i), slot);
      in_closure_ = true;
      trivial_ = true;
      return true;
    }
    trivial_ = false;
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      if (!insert(frontier_[i], frontier_.mask(i))) return false;
    }
    in_closure_ = true;
    return true;
  }

  void start_calls() {
    const auto calls = moment_.enter();
    for (std::uint32_t op = calls.first; op < calls.last; ++op) {
      const LabelTraits& traits = moment_.traits(moment_.timeline().label[op]);
      if (!traits.read_only && !traits.bounded) continue;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < frontier_.size(); ++i) {
        Record& record = frontier_[i];
        if (traits.read_only && moment_.matches(op, record.state, frontier_.mask(i))) {
          moment_.put(frontier_.mask(i), moment_.timeline().slot[op]);
          record.trail = trails_.extend(record.trail, moment_.timeline().operation[op]);
        } else if (moment_.hopeless_call(op, record.state)) {
          continue;
        }
        frontier_.move_record(i, kept++);
      }
      frontier_.truncate(kept);
    }
  }

  /// What contains the returning operation is the next frontier.
  bool close_closure() {
    in_closure_ = false;
    if (!trivial_) {
      const std::uint32_t slot = moment_.timeline().slot[moment_.returning()];
      frontier_.clear();
      for (std::size_t i = 0; i < closure_.size(); ++i) {
        if (dominated(i) || !moment_.has(closure_.mask(i), slot)) continue;
        moment_.drop(closure_.mask(i), slot);
        closure_[i].pending = kRefused;
        closure_[i].next = kNone;
        if (!frontier_.add(closure_[i], closure_.mask(i), moment_.meter())) return false;
      }
    }
    if (!thin_frontier()) return false;
    if (moment_.index() % 256 == 255) {
      moment_.close_groups([this](const Timeline::Group& group) {
        for (std::size_t i = 0; i < frontier_.size(); ++i) {
          if (moment_.sets().first_missing(frontier_[i].used, group.begin, group.end) != group.end) return false;
        }
        return true;
      });
    }
    if (trails_.worth_collecting()) trails_.collect(frontier_);
    return true;
  }

  /// Leaves out configurations of the frontier that others of the same state dominate: those have all its read-only
  /// operations placed, and of the others only such as may as well not be. False where a limit is reached.
  bool thin_frontier() {
    const std::size_t size = frontier_.size();
    if (size < 2 || size > kMostThinned) return true;
    const std::size_t words = moment_.words();
    by_state_.resize(size);
    removable_.resize(size * words);
    for (std::size_t i = 0; i < size; ++i) {
      by_state_[i] = static_cast<std::uint32_t>(i);
      moment_.find_removable(frontier_.mask(i), removable_.data() + i * words);
    }
    std::sort(by_state_.begin(), by_state_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return frontier_[a].state < frontier_[b].state; });
    const auto dominates = [&](std::uint32_t a, std::uint32_t b) {
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t reads = moment_.read_only()[w];
        const std::uint64_t only_a = frontier_.mask(a)[w] & ~frontier_.mask(b)[w];
        const std::uint64_t only_b = frontier_.mask(b)[w] & ~frontier_.mask(a)[w];
        if ((only_a & ~reads) != 0 || (only_b & ~removable_[b * words + w]) != 0) return false;
      }
      return moment_.sets().subset(frontier_[a].used, frontier_[b].used);
    };
    std::size_t group = 0;
    for (std::size_t end = 1; end <= size; ++end) {
      if (end < size && frontier_[by_state_[end]].state == frontier_[by_state_[group]].state) continue;
      for (std::size_t i = group; i < end; ++i) {
        if (end - group > kWorthAsking && !moment_.meter().poll(memory())) return false;
        for (std::size_t j = group; j < end && frontier_[by_state_[i]].next != kDominated; ++j) {
          const bool alive = frontier_[by_state_[j]].next != kDominated;
          if (i != j && alive && dominates(by_state_[j], by_state_[i])) frontier_[by_state_[i]].next = kDominated;
        }
      }
      group = end;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (frontier_[i].next != kDominated) frontier_.move_record(i, kept++);
    }
    frontier_.truncate(kept);
    return true;
  }

  // ---- the worklist: one level for each number of indeterminate operations used

  [[nodiscard]] bool level_done() {
    while (level_ < levels_.size() && levels_[level_].empty()) ++level_;
    return level_ == levels_.size();
  }
  std::uint32_t next_in_level() {
    const std::uint32_t record = levels_[level_].back();
    levels_[level_].pop_back();
    return record;
  }
  void enqueue(std::uint32_t record) {
    const std::size_t level = closure_[record].used_count - lowest_;
    if (levels_.size() <= level) levels_.resize(level + 1);
    levels_[level].push_back(record);
  }
  [[nodiscard]] bool dominated(std::size_t record) const { return closure_[record].next == kDominated; }
  void set_dominated(std::uint32_t record) { closure_[record].next = kDominated; }

  // ---- expansion

  bool visit(std::uint32_t i) {
    const std::uint32_t slot = moment_.timeline().slot[moment_.returning()];
    if (dominated(i) || moment_.has(closure_.mask(i), slot)) return true;
    bool going = true;
    for (std::size_t w = 0; w < moment_.words() && going; ++w) {
      // Read anew each time: the closure moves when it grows.
      for (std::uint64_t bits = moment_.candidates()[w] & ~closure_.mask(i)[w]; bits != 0 && going; bits &= bits - 1) {
        going = take(i, moment_.operation_in(w * 64 + static_cast<unsigned>(std::countr_zero(bits))));
      }
    }
    return going &&
           moment_.for_each_group(mask_of(i), closure_[i].used,
                                  [&](std::uint32_t group, std::uint32_t element) { return use(i, group, element); });
  }

  /// A copy of the mask that stays where it is while the closure grows.
  const std::uint64_t* mask_of(std::uint32_t i) {
    visited_mask_.copy_from(closure_.mask(i));
    return visited_mask_.data();
  }

  /// Linearizes a completed operation.
  bool take(std::uint32_t i, std::uint32_t op) {
    const Timeline& timeline = moment_.timeline();
    if (!moment_.unlocked(timeline.predecessor_of(op), closure_.mask(i))) return true;
    return each_successor(i, timeline.label[op], [&](StateId next) {
      return each_hiding(i, op, timeline.label[op], [&](Record to, std::uint32_t) {
        if (moment_.has_earlier_twin(op, scratch_.data())) return true;
        moment_.put(scratch_.data(), timeline.slot[op]);
        to.state = next;
        to.pending = moment_.pending_after(op);
        to.trail = trails_.extend(to.trail, timeline.operation[op]);
        return arrive(closure_[i].state, to);
      });
    });
  }

  /// Uses an indeterminate operation, which the next step has to notice unless something hides under it.
  bool use(std::uint32_t i, std::uint32_t group, std::uint32_t element) {
    const Label label = moment_.timeline().groups[group].label;
    return each_successor(i, label, [&](StateId next) {
      return each_hiding(i, kNone, label, [&](Record to, std::uint32_t hidden) {
        if (hidden == 0 && next == closure_[i].state) return true;
        to.pending = hidden > 0 ? kOverwritten : closure_[i].state;
        to.state = next;
        to.used = moment_.sets().with(to.used, element);
        ++to.used_count;
        to.trail = trails_.extend(to.trail, moment_.timeline().element_operation[element]);
        return arrive(closure_[i].state, to);
      });
    });
  }

  /// Calls `go(record, count)` for each set of operations that can be hidden under a step with `label`, with the record
  /// and the mask (in scratch_) of the configuration after they were.
  template <typename Go>
  bool each_hiding(std::uint32_t i, std::uint32_t op, Label label, const Go& go) {
    const bool overwrites = moment_.traits(label).overwrites;
    for (std::uint32_t count = overwrites ? moment_.least_hidden(op, closure_.mask(i)) : 0;; ++count) {
      scratch_.copy_from(closure_.mask(i));
      Record to = closure_[i];
      const std::uint32_t hidden = moment_.hide(op, count, scratch_.data(), [&](std::uint32_t other) {
        to.trail = trails_.extend(to.trail, moment_.timeline().operation[other]);
      });
      if (hidden < count) return true;
      if (!go(to, count)) return false;
      if (!overwrites) return true;
    }
  }

  template <typename Go>
  bool each_successor(std::uint32_t i, Label label, const Go& go) {
    if (!moment_.meter().step([this] { return memory(); })) return false;
    const StateId next = moment_.machine().step(closure_[i].state, label);
    if (next == kRefused || !moment_.notices(closure_[i].pending, label, next)) return true;
    if (next != kSeveral) return go(next);
    const auto several = moment_.machine().successors(closure_[i].state, label);
    for (const StateId successor : std::vector<StateId>(several.begin(), several.end())) {
      if (!go(successor)) return false;
    }
    return true;
  }

  /// Makes the configuration of `to` and scratch_ normal and keeps it, unless there is no hope for it.
  bool arrive(StateId from, Record to) {
    if (to.state != from || moment_.has_predecessors()) {
      moment_.normalise(to.state, scratch_.data(), [&](std::uint32_t op) {
        to.pending = kRefused;  // noticed
        to.trail = trails_.extend(to.trail, moment_.timeline().operation[op]);
      });
    }
    if (to.state != from && moment_.hopeless(from, to.state, scratch_.data(), to.used)) return true;
    return insert(to, scratch_.data());
  }

  /// Keeps a configuration of the closure, unless one that dominates it is there.
  bool insert(const Record& record, const std::uint64_t* mask) {
    const auto same = [&](std::uint32_t other) {
      return closure_[other].state == record.state && std::equal(mask, mask + moment_.words(), closure_.mask(other));
    };
    const auto hash_of = [&](std::uint32_t other) { return hash(closure_[other].state, closure_.mask(other)); };
    Index::Slot* const slot = index_.find(hash(record.state, mask), same, hash_of, moment_.meter());
    if (slot == nullptr) return false;
    std::uint32_t* link = &slot->record;
    while (*link != kNone) {
      const std::uint32_t other = *link;
      Record& there = closure_[other];
      if (there.used == record.used) {
        if (loosen(there, record)) enqueue(other);
        return true;
      }
      if (is_free(there) && moment_.sets().subset(there.used, record.used)) return true;
      if (is_free(record) && moment_.sets().subset(record.used, there.used)) {
        *link = there.next;
        set_dominated(other);
      } else {
        link = &there.next;
      }
    }
    const auto added = static_cast<std::uint32_t>(closure_.size());
    Record kept = record;
    kept.next = slot->record;
    index_.put(*slot, added);
    if (!closure_.add(kept, mask, moment_.meter())) return false;
    ++configurations_;
    enqueue(added);
    return true;
  }

  /// Whether everything may be done next.
  static bool is_free(const Record& record) { return record.pending == kRefused; }
  /// Two ways led to one configuration: what one of them forbids to do next the other may allow.
  static bool loosen(Record& there, const Record& record) {
    if (is_free(there) || there.pending == record.pending) return false;
    there.pending = kRefused;
    return true;
  }

  [[nodiscard]] std::uint64_t hash(StateId state, const std::uint64_t* mask) const {
    std::uint64_t sum = mix(state + 1);
    for (std::size_t w = 0; w < moment_.words(); ++w) sum = mix(sum ^ mask[w]);
    return sum;
  }

  [[nodiscard]] std::size_t memory() const {
    return moment_.memory() + frontier_.memory() + closure_.memory() + index_.memory() + trails_.memory() +
           levels_.capacity() * sizeof(std::vector<std::uint32_t>) + closure_.size() * sizeof(std::uint32_t);
  }

  Moment<Words> moment_;
  Configurations frontier_;
  Configurations closure_;
  Index index_;
  std::vector<std::vector<std::uint32_t>> levels_;
  std::size_t level_ = 0;
  std::uint32_t lowest_ = 0;
  bool in_closure_ = false;
  bool trivial_ = false;
  bool full_ = false;
  std::uint64_t configurations_ = 0;
  Mask<Words> scratch_;
  Mask<Words> visited_mask_;
  std::vector<std::uint32_t> by_state_;
  std::vector<std::uint64_t> removable_;
  Trails trails_;
};

}  // namespace

std::unique_ptr<Search> make_breadth_first(const Timeline& timeline, Machine& machine, Meter& meter, bool record) {
  if (timeline.slots <= 64) return std::make_unique<BreadthFirst<1>>(timeline, machine, meter, record);
  return std::make_unique<BreadthFirst<0>>(timeline, machine, meter, record);
}

}  // namespace porpentine::detail
