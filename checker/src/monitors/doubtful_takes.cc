#include "doubtful_takes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace porpentine::detail {
namespace {

/// A take that shows that values are gone.
struct Witness {
  std::int64_t after = 0;    ///< those that were put in wholly before
  std::uint32_t rank = 0;    ///< and whose ranks are greater
  std::int64_t gone_by = 0;  ///< its return
  std::uint32_t take = kNobody;
};

/// A value that nobody is known to have taken.
struct Missing {
  std::int64_t put_return = 0;
  std::uint32_t rank = 0;
  std::uint32_t item = 0;
};

struct Deadline {
  std::int64_t time;
  std::uint32_t item;
  std::uint32_t take;  ///< the witness
};

/// The earliest witness of those with a rank below a given one: a Fenwick tree.
class Earliest {
 public:
  explicit Earliest(std::size_t ranks) : witnesses_(ranks + 1) {}

  void add(const Witness& witness) {
    for (std::size_t k = witness.rank + 1; k < witnesses_.size(); k += k & (0 - k)) improve(witnesses_[k], witness);
  }
  [[nodiscard]] Witness below(std::uint32_t rank) const {
    Witness best;
    for (std::size_t k = rank; k > 0; k &= k - 1) improve(best, witnesses_[k]);
    return best;
  }

 private:
  static void improve(Witness& best, const Witness& other) {
    if (best.take == kNobody || (other.take != kNobody && other.gone_by < best.gone_by)) best = other;
  }

  LargeVector<Witness> witnesses_;
};

class DoubtfulTakes {
 public:
  explicit DoubtfulTakes(Items& items) : items_(items), all_(items.items()), object_(items.trace().vocabulary.object) {}

  std::optional<Ruling> assign() {
    const auto& takes = items_.doubtful_takes();
    if (takes.empty()) return std::nullopt;
    LargeVector<Deadline> deadlines = find_deadlines();
    std::sort(deadlines.begin(), deadlines.end(), [](const Deadline& a, const Deadline& b) { return a.time < b.time; });
    for (std::size_t k = 0; k < deadlines.size(); ++k) {
      if (k == takes.size() || items_.trace().call[takes[k]] > deadlines[k].time) return refusal(deadlines[k], k);
    }
    for (const Deadline& deadline : deadlines) items_.assign_next_doubtful_take(deadline.item);
    return std::nullopt;
  }

 private:
  LargeVector<Deadline> find_deadlines() {
    rank();
    std::sort(missing_.begin(), missing_.end(),
              [](const Missing& a, const Missing& b) { return a.put_return > b.put_return; });
    std::sort(witnesses_.begin(), witnesses_.end(),
              [](const Witness& a, const Witness& b) { return a.after > b.after; });
    Earliest earliest(all_.size() + 1);
    LargeVector<Deadline> deadlines;
    std::size_t next = 0;
    for (const Missing& missing : missing_) {
      for (; next < witnesses_.size() && witnesses_[next].after > missing.put_return; ++next) {
        earliest.add(witnesses_[next]);
      }
      const Witness witness = earliest.below(missing.rank);
      if (witness.take != kNobody) deadlines.push_back({witness.gone_by, missing.item, witness.take});
    }
    return deadlines;
  }

  /// Ranks are such that a take shows what has a greater rank to be gone. Takes that found nothing have rank 0.
  void rank() {
    for (const std::uint32_t empty : items_.empties()) add_witness(items_.trace().call[empty], 0, empty);
    if (object_ == ObjectKind::stack) return rank_by_put();
    LargeVector<std::uint32_t> ranks(all_.size(), 0);
    if (object_ == ObjectKind::priority_queue) ranks = ranks_from_the_greatest();
    for (std::uint32_t k = 0; k < all_.size(); ++k) {
      const Item& item = all_[k];
      if (!item.taken()) {
        missing_.push_back({items_.put_return(item), ranks[k] + 1, k});
      } else if (object_ == ObjectKind::queue) {
        add_witness(items_.put_call(item), 0, item.take);
      } else if (object_ == ObjectKind::priority_queue) {
        add_witness(items_.take_call(item), ranks[k], item.take);
      }
    }
  }

  /// A take on a stack shows that what was put in wholly later is gone.
  void rank_by_put() {
    const LargeVector<std::uint32_t> by_return = items_.by_return();
    std::uint32_t returned = 0;
    for (std::uint32_t k = 0; k < all_.size(); ++k) {  // in order of the puts' calls
      for (; returned < by_return.size(); ++returned) {
        const Item& before = all_[by_return[returned]];
        if (items_.put_return(before) >= items_.put_call(all_[k])) break;
        if (before.taken()) add_witness(items_.take_call(before), returned + 1, before.take);
      }
      if (!all_[k].taken()) missing_.push_back({items_.put_return(all_[k]), returned + 1, k});
    }
  }

  [[nodiscard]] LargeVector<std::uint32_t> ranks_from_the_greatest() const {
    LargeVector<std::uint32_t> ranks(all_.size());
    auto rank = static_cast<std::uint32_t>(all_.size());
    for (const std::uint32_t k : items_.by_priority()) ranks[k] = --rank;
    return ranks;
  }

  void add_witness(std::int64_t after, std::uint32_t rank, std::uint32_t take) {
    witnesses_.push_back({after, rank, items_.trace().ret[take], take});
  }

  [[nodiscard]] Ruling refusal(const Deadline& deadline, std::size_t in_time) const {
    const Item& item = all_[deadline.item];
    std::string why =
        items_.shown(item) + ", which " + items_.described(item.put) + " had put in, must have been taken";
    why += " by then, but ";
    if (in_time == 0) {
      why += "nobody took it";
    } else {
      why += "of " + std::to_string(in_time + 1) + " such values others can have taken only " + std::to_string(in_time);
    }
    return Ruling::no({}, std::move(why), deadline.take);
  }

  Items& items_;
  const LargeVector<Item>& all_;
  const ObjectKind object_;
  LargeVector<Witness> witnesses_;
  LargeVector<Missing> missing_;
};

}  // namespace

std::optional<Ruling> assign_doubtful_takes(Items& items) { return DoubtfulTakes(items).assign(); }

}  // namespace porpentine::detail
