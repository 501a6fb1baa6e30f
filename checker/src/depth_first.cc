// Depth first (Wing and Gong 1993, with Lowe's memory of configurations), over just-in-time configurations.
//
// One configuration at a time: at a return, first the returning operation itself, then the other running ones.
// What failed is remembered when it is left for good; the graph has no cycles, so nothing that is still being
// looked at can be met again. A configuration fails, too, where one failed that had used a subset of its
// indeterminate operations.
//
// Memory: 52 bytes a choice on the way, 45 bytes a configuration that failed, where masks are one word.

#include <algorithm>
#include <utility>

#include "configurations.h"
#include "moment.h"

namespace porpentine::detail {
namespace {

template <unsigned Words>
class DepthFirst final : public Search {
 public:
  DepthFirst(const Timeline& timeline, Machine& machine, Meter& meter)
      : moment_(timeline, machine, meter),
        mask_(moment_.words()),
        hiding_(moment_.words()),
        path_(moment_.words()),
        failed_(moment_.words()) {
    current_.state = machine.initial();
    order_.reserve(std::min(timeline.operation.size(), kRoomAtFirst));
    frames_.reserve(std::min(timeline.operation.size(), kRoomAtFirst));
    options_.reserve(kRoomAtFirst);
  }

  Status run(std::uint64_t budget) override {
    const std::uint64_t end = moment_.meter().steps() + budget;
    while (true) {
      if (!moment_.meter().step([this] { return memory(); })) return Status::stopped;
      if (arriving_) {
        arriving_ = false;
        const Arrival arrival = arrive();
        if (arrival == Arrival::end) return Status::valid;
        if (arrival == Arrival::full) return Status::stopped;
        if (arrival == Arrival::failed && !back()) return Status::invalid;
      }
      if (moment_.meter().steps() >= end) return Status::undecided;
      const Choice choice = choose();
      if (choice == Choice::stopped) return Status::stopped;
      if (choice == Choice::none) {
        if (!remember()) return Status::stopped;
        pop();
        if (!back()) return Status::invalid;
      }
    }
  }

  [[nodiscard]] std::uint32_t reached() const override { return reached_; }
  [[nodiscard]] std::uint32_t blamed() const override { return blamed_; }
  [[nodiscard]] std::uint64_t configurations() const override { return configurations_; }
  [[nodiscard]] std::vector<std::uint32_t> linearization() const override { return order_; }

 private:
  enum class Arrival : std::uint8_t { open, end, failed, full };
  enum class Choice : std::uint8_t { made, none, stopped };

  /// Where a configuration on the path stands. Its choices are made one after the other: the returning operation,
  /// the other running ones by slot, the indeterminate ones all at once.
  struct Frame {
    std::uint32_t index;    ///< the return it stands at
    std::uint32_t order;    ///< length of the order up to it
    std::uint32_t tried;    ///< 0: nothing yet, 1 + slot: up to there, kNone: everything
    std::uint32_t options;  ///< where its options begin in options_
  };
  /// A completed operation, or an element of a group of indeterminate ones, leading to a state.
  struct Option {
    std::uint32_t operation;  ///< number of a completed operation; kNone for an indeterminate one
    std::uint32_t element;
    StateId state;
    std::uint32_t hidden;  ///< how many others are hidden under it
  };

  /// Goes on from a configuration that was just entered until it has to choose.
  Arrival arrive() {
    if (!entered_) {
      if (moment_.at_end()) return Arrival::end;
      if (!enter()) return Arrival::failed;
    }
    while (moment_.has(mask_.data(), slot_of(moment_.returning()))) {
      moment_.drop(mask_.data(), slot_of(moment_.returning()));
      current_.pending = kRefused;
      moment_.leave();
      entered_ = false;
      if (moment_.at_end()) return Arrival::end;
      if (!enter()) return Arrival::failed;
    }
    if (has_failed()) return Arrival::failed;
    ++configurations_;
    if (!path_.add(current_, mask_.data(), moment_.meter())) return Arrival::full;
    frames_.push_back(
        {moment_.index(), static_cast<std::uint32_t>(order_.size()), 0, static_cast<std::uint32_t>(options_.size())});
    return Arrival::open;
  }

  /// Starts the calls before the return that the moment has come to; false where one of them has no hope.
  bool enter() {
    const auto calls = moment_.enter();
    entered_ = true;
    for (std::uint32_t op = calls.first; op < calls.last; ++op) {
      if (moment_.traits(moment_.timeline().label[op]).read_only && moment_.matches(op, current_.state, mask_.data())) {
        moment_.put(mask_.data(), slot_of(op));
        order_.push_back(moment_.timeline().operation[op]);
      } else if (moment_.hopeless_call(op, current_.state)) {
        note_reach();
        return false;
      }
    }
    note_reach();
    return true;
  }
  void note_reach() {
    if (moment_.index() < reached_) return;
    reached_ = moment_.index();
    blamed_ = moment_.blamed();
  }

  /// Takes the next choice of the last configuration of the path.
  Choice choose() {
    while (true) {
      while (options_.size() > frames_.back().options) {
        const Option option = options_.back();
        options_.pop_back();
        if (take(option)) return Choice::made;
        restore();
      }
      if (frames_.back().tried == kNone) return Choice::none;
      if (!list_options()) return Choice::stopped;
    }
  }

  /// Lists what the next thing to try leads to.
  bool list_options() {
    std::uint32_t& tried = frames_.back().tried;
    const std::uint32_t returning = moment_.returning();
    if (tried == 0) {
      tried = 1;
      return moment_.traits(moment_.timeline().label[returning]).read_only || list_completed(returning);
    }
    const std::uint32_t slot = next_candidate(tried - 1);
    if (slot != kNone) {
      tried = slot + 2;
      return moment_.operation_in(slot) == returning || list_completed(moment_.operation_in(slot));
    }
    tried = kNone;
    return moment_.for_each_group(mask_.data(), current_.used, [&](std::uint32_t group, std::uint32_t element) {
      const Label label = moment_.timeline().groups[group].label;
      return each_successor(label, [&](StateId next) { list_hidings({kNone, element, next, 0}, label); });
    });
  }
  bool list_completed(std::uint32_t op) {
    if (!moment_.unlocked(moment_.timeline().predecessor_of(op), mask_.data())) return true;
    const Label label = moment_.timeline().label[op];
    return each_successor(label, [&](StateId next) { list_hidings({op, kNone, next, 0}, label); });
  }
  /// Lists an option with each set of operations that can be hidden under it, the fewest to be tried first.
  void list_hidings(Option option, Label label) {
    const bool overwrites = moment_.traits(label).overwrites;
    const std::size_t first = options_.size();
    hiding_ = mask_;
    option.hidden = overwrites ? moment_.least_hidden(option.operation, mask_.data()) : 0;
    moment_.hide(option.operation, option.hidden, hiding_.data(), [](std::uint32_t) {});
    while (true) {
      const bool pointless = option.operation == kNone ? option.hidden == 0 && option.state == current_.state
                                                       : moment_.has_earlier_twin(option.operation, hiding_.data());
      if (!pointless) options_.push_back(option);
      ++option.hidden;
      if (!overwrites || moment_.hide(option.operation, 1, hiding_.data(), [](std::uint32_t) {}) == 0) break;
    }
    std::reverse(options_.begin() + static_cast<std::ptrdiff_t>(first), options_.end());
  }

  [[nodiscard]] std::uint32_t next_candidate(std::uint32_t slot) const {
    for (std::size_t w = slot / 64; w < moment_.words(); ++w) {
      std::uint64_t bits = moment_.candidates()[w] & ~mask_[w];
      if (w == slot / 64) bits &= ~std::uint64_t{0} << (slot % 64);
      if (bits != 0) return static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(std::countr_zero(bits)));
    }
    return kNone;
  }

  template <typename Go>
  bool each_successor(Label label, const Go& go) {
    if (!moment_.meter().step([this] { return memory(); })) return false;
    const auto noticed = [&](StateId next) {
      if (moment_.notices(current_.pending, label, next)) go(next);
    };
    const StateId next = moment_.machine().step(current_.state, label);
    if (next == kRefused) return true;
    if (next != kSeveral) {
      noticed(next);
      return true;
    }
    const auto several = moment_.machine().successors(current_.state, label);
    for (const StateId successor : std::vector<StateId>(several.begin(), several.end())) noticed(successor);
    return true;
  }

  /// Enters the configuration that the choice leads to; false where there is no hope for it.
  bool take(const Option& option) {
    const StateId from = current_.state;
    current_.state = option.state;
    moment_.hide(option.operation, option.hidden, mask_.data(),
                 [&](std::uint32_t op) { order_.push_back(moment_.timeline().operation[op]); });
    if (option.operation != kNone) {
      current_.pending = moment_.pending_after(option.operation);
      moment_.put(mask_.data(), slot_of(option.operation));
      order_.push_back(moment_.timeline().operation[option.operation]);
    } else {
      current_.pending = option.hidden > 0 ? kOverwritten : from;
      current_.used = moment_.sets().with(current_.used, option.element);
      order_.push_back(moment_.timeline().element_operation[option.element]);
    }
    moment_.normalise(current_.state, mask_.data(), [&](std::uint32_t op) {
      current_.pending = kRefused;  // noticed
      order_.push_back(moment_.timeline().operation[op]);
    });
    if (current_.state != from && moment_.hopeless(from, current_.state, mask_.data(), current_.used)) {
      note_reach();
      return false;
    }
    arriving_ = true;
    return true;
  }

  /// Goes back to the last configuration of the path; false where the path is empty.
  bool back() {
    if (frames_.empty()) return false;
    restore();
    return true;
  }
  void restore() {
    const Frame& frame = frames_.back();
    const std::size_t last = path_.size() - 1;
    current_ = path_[last];
    std::copy_n(path_.mask(last), moment_.words(), mask_.data());
    order_.resize(frame.order);
    while (moment_.index() > frame.index) {
      if (entered_) moment_.undo_enter();
      moment_.undo_leave();
      entered_ = true;
    }
  }
  void pop() {
    options_.resize(frames_.back().options);
    frames_.pop_back();
    path_.truncate(path_.size() - 1);
  }

  // ---- the memory of what failed

  [[nodiscard]] std::uint64_t hash(std::uint32_t index, StateId state, const std::uint64_t* mask) const {
    std::uint64_t sum = mix((std::uint64_t{index} << 32 | state) + 1);
    for (std::size_t w = 0; w < moment_.words(); ++w) sum = mix(sum ^ mask[w]);
    return sum;
  }
  /// A failed configuration keeps its return index where a live one keeps its trail.
  Index::Slot* find(std::uint32_t index, StateId state, const std::uint64_t* mask) {
    const auto same = [&](std::uint32_t other) {
      return failed_[other].trail == index && failed_[other].state == state &&
             std::equal(mask, mask + moment_.words(), failed_.mask(other));
    };
    const auto hash_of = [&](std::uint32_t other) {
      return hash(failed_[other].trail, failed_[other].state, failed_.mask(other));
    };
    return index_.find(hash(index, state, mask), same, hash_of, moment_.meter());
  }

  bool has_failed() {
    if (failed_.empty()) return false;
    const Index::Slot* const slot = find(moment_.index(), current_.state, mask_.data());
    for (std::uint32_t f = slot == nullptr ? kNone : slot->record; f != kNone; f = failed_[f].next) {
      const Record& failed = failed_[f];
      // One after which not everything may be done next was not tried with everything.
      const bool alike = failed.pending == current_.pending && failed.used == current_.used;
      if (failed.pending != kRefused && !alike) continue;
      if (moment_.sets().subset(failed.used, current_.used)) return true;
    }
    return false;
  }

  /// Remembers that the last configuration of the path failed.
  bool remember() {
    const std::size_t last = path_.size() - 1;
    Index::Slot* const slot = find(frames_.back().index, path_[last].state, path_.mask(last));
    if (slot == nullptr) return false;
    Record failed = path_[last];
    failed.trail = frames_.back().index;
    failed.next = slot->record;
    index_.put(*slot, static_cast<std::uint32_t>(failed_.size()));
    return failed_.add(failed, path_.mask(last), moment_.meter());
  }

  [[nodiscard]] std::uint32_t slot_of(std::uint32_t op) const { return moment_.timeline().slot[op]; }
  [[nodiscard]] std::size_t memory() const {
    return moment_.memory() + path_.memory() + failed_.memory() + index_.memory() + frames_.capacity() * sizeof(Frame) +
           options_.capacity() * sizeof(Option) + order_.capacity() * sizeof(std::uint32_t);
  }

  static constexpr std::size_t kRoomAtFirst = 128;  // spares short histories what growing costs

  Moment<Words> moment_;
  Record current_;
  Mask<Words> mask_;
  Mask<Words> hiding_;
  bool arriving_ = true;
  bool entered_ = false;  ///< the calls before the moment's return have been started
  Configurations path_;
  std::vector<Frame> frames_;
  std::vector<Option> options_;
  std::vector<std::uint32_t> order_;
  Configurations failed_;
  Index index_;
  std::uint32_t reached_ = 0;
  std::uint32_t blamed_ = kNone;
  std::uint64_t configurations_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_depth_first(const Timeline& timeline, Machine& machine, Meter& meter) {
  if (timeline.slots <= 64) return std::make_unique<DepthFirst<1>>(timeline, machine, meter);
  return std::make_unique<DepthFirst<0>>(timeline, machine, meter);
}

}  // namespace porpentine::detail
