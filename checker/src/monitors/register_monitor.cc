// A register whose written values are distinct: reads, writes and compare-and-sets that succeeded. O(n log n), O(n) but
// for sorting what is nearly sorted.
//
// Gibbons and Korach, "Testing shared memories", SIAM J. Computing 1997, section 4.2, extended to compare-and-set. The
// operations that write or see one value are its **cluster**, and in every order they stand together, the write first.
// A compare-and-set from v to w ends the cluster of v and begins that of w, so their clusters stand next to each other:
// they form a **chain**. What the register holds at first is a chain that nobody began.
//
// With f the earliest return and s the latest call in a chain, its **zone** is [f, s]: forward where f is before s, so
// that the chain surely lasts over that time; else backward, [s, f], and the chain can be over at any moment of that
// time. An order exists exactly if
// - every chain alone can be ordered: no operation returned before one of an earlier rank was called;
// - no two forward zones overlap, and no backward zone lies inside a forward one.
//
// An indeterminate operation counts only where somebody saw its value, and has no return then; the others never
// happened. A compare-and-set that was seen to fail tells that the value was *another*: that is no cluster, and the
// search's.

#include <algorithm>
#include <optional>
#include <utility>

#include <porpentine/history/nearly_sorted.h>
#include "monitor.h"

namespace porpentine::detail {
namespace {

class RegisterMonitor {
 public:
  RegisterMonitor(const Trace& trace, ValueNumbers& numbers, Pulse& pulse)
      : trace_(trace), values_(trace.history.values), numbers_(numbers), pulse_(pulse) {}

  Ruling rule() {
    numbers_.add(trace_.vocabulary.initial);
    clusters_.reserve(trace_.operations.size() / 2 + 1);
    clusters_.emplace_back();
    for (const BoundOperation& bound : trace_.operations) {
      if (!pulse_.beat()) return Ruling::stopped();
      if (!take(bound)) return std::move(ruling_);
    }
    if (!link() || !make_chains() || !order_chains()) return std::move(ruling_);
    return Ruling::yes();
  }

 private:
  static constexpr std::uint32_t kInitial = 0;  // the number of the value held at first

  /// The operations that write or see one value.
  struct Cluster {
    std::uint32_t writer = kNobody;  // a write, or a cas to this value
    // Of the reads.
    std::uint32_t first_to_return = kNobody;
    std::uint32_t last_called = kNobody;
    bool doubtful = false;  // the writer is indeterminate
    bool seen = false;      // an operation that happened saw the value
    bool chained = false;
  };
  /// What a cas makes of two values, by their numbers.
  struct Link {
    std::uint32_t source = kNobody;    // of the value that the writer replaces, where it is a cas
    std::uint32_t consumer = kNobody;  // of the value that a cas replaces this one by
    std::uint32_t seen_by = kNobody;   // of a value to which a cas that saw this one led
  };
  struct Chain {
    std::uint32_t root;  // number of its first value
    std::uint32_t first_to_return = kNobody;
    std::uint32_t last_called = kNobody;
  };

  [[nodiscard]] std::int64_t first_return(const Chain& chain) const { return trace_.ret[chain.first_to_return]; }
  [[nodiscard]] std::int64_t last_call(const Chain& chain) const { return trace_.call[chain.last_called]; }
  /// Where its zone begins.
  [[nodiscard]] std::int64_t begin(const Chain& chain) const { return std::min(first_return(chain), last_call(chain)); }
  [[nodiscard]] bool forward(const Chain& chain) const { return first_return(chain) < last_call(chain); }

  Cluster& cluster(ValueId value) {
    const std::uint32_t number = numbers_.add(value);
    if (number == clusters_.size()) clusters_.emplace_back();
    return clusters_[number];
  }

  bool take(const BoundOperation& bound) {
    const std::uint32_t i = bound.operation;
    const ValueId input = trace_.history.input[i];
    const ValueId output = trace_.history.output[i];
    switch (trace_.word(i)) {
      case static_cast<std::uint8_t>(RegisterWord::read):
        if (bound.indeterminate || (output == kNull && trace_.vocabulary.nil_read_any)) return true;
        return see(i, output);
      case static_cast<std::uint8_t>(RegisterWord::write):
        return write(bound, input, kNobody);
      case static_cast<std::uint8_t>(RegisterWord::cas): {
        const auto pair = values_.elements(input);
        if (!bound.indeterminate && output == kFalse) return declined();
        if (pair[0] == pair[1]) return bound.indeterminate || see(i, pair[0]);
        cluster(pair[0]);
        return write(bound, pair[1], numbers_.find(pair[0]));
      }
      default:
        return declined();
    }
  }

  bool see(std::uint32_t i, ValueId value) {
    Cluster& seen = cluster(value);
    seen.seen = true;
    if (seen.first_to_return == kNobody || trace_.ret[i] < trace_.ret[seen.first_to_return]) seen.first_to_return = i;
    seen.last_called = i;  // they come in order of call
    return true;
  }

  bool write(const BoundOperation& bound, ValueId value, std::uint32_t source) {
    Cluster& written = cluster(value);
    if (&written == &clusters_[kInitial] || written.writer != kNobody) return declined();
    written.writer = bound.operation;
    written.doubtful = bound.indeterminate;
    if (source != kNobody) replacements_.emplace_back(source, numbers_.find(value));
    return true;
  }

  /// What happened: an indeterminate cas whose value was seen saw its source.
  void see_sources() {
    if (replacements_.empty()) return;
    links_.resize(clusters_.size());
    for (const auto& [source, number] : replacements_) {
      links_[number].source = source;
      if (!clusters_[number].doubtful) see_by(source, number);
    }
    for (const auto& replacement : replacements_) {
      // Each step marks a cluster for the first time, so all of them together are linear.
      for (std::uint32_t v = replacement.second; clusters_[v].seen && clusters_[v].doubtful;) {
        const std::uint32_t source = links_[v].source;
        if (source == kNobody || clusters_[source].seen) break;
        see_by(source, std::exchange(v, source));
      }
    }
  }

  void see_by(std::uint32_t number, std::uint32_t by) {
    clusters_[number].seen = true;
    links_[number].seen_by = by;
  }

  bool link() {
    see_sources();
    for (std::uint32_t number = 1; number < clusters_.size(); ++number) {
      if (clusters_[number].seen && clusters_[number].writer == kNobody) return never_written(number);
    }
    for (const auto& [source, number] : replacements_) {
      if (!happened(clusters_[number])) continue;
      std::uint32_t& consumer = links_[source].consumer;
      if (consumer != kNobody) {
        const std::uint32_t writer = clusters_[consumer].writer;
        return refused({evidence(consumer), evidence(number), writer, clusters_[number].writer},
                       described(writer) + " replaced the same value");
      }
      consumer = number;
    }
    return true;
  }

  [[nodiscard]] static bool happened(const Cluster& written) { return !written.doubtful || written.seen; }

  bool never_written(std::uint32_t number) {
    return refused({evidence(number)}, "nobody wrote " + json_with_type(values_, numbers_[number]));
  }

  /// A completed operation that shows that the value was written.
  [[nodiscard]] std::uint32_t evidence(std::uint32_t number) const {
    while (true) {  // a cas was seen before what it replaced was seen by it, so this ends
      const Cluster& written = clusters_[number];
      if (!written.doubtful && written.writer != kNobody) return written.writer;
      if (written.first_to_return != kNobody) return written.first_to_return;
      number = links_[number].seen_by;
    }
  }

  [[nodiscard]] std::uint32_t source_of(std::uint32_t number) const {
    return links_.empty() ? kNobody : links_[number].source;
  }
  [[nodiscard]] std::uint32_t consumer_of(std::uint32_t number) const {
    return links_.empty() ? kNobody : links_[number].consumer;
  }

  bool make_chains() {
    chains_.reserve(clusters_.size());
    for (std::uint32_t root = 0; root < clusters_.size(); ++root) {
      const bool begins = source_of(root) == kNobody && (root == kInitial || happened(clusters_[root]));
      if (begins && !make_chain(root)) return false;
    }
    for (const auto& replacement : replacements_) {
      const Cluster& written = clusters_[replacement.second];
      if (happened(written) && !written.chained) return refuse_cycle(replacement.second);
    }
    return true;
  }

  /// The members of a chain from its beginning on: no one may have returned before one of an earlier rank was called.
  bool make_chain(std::uint32_t root) {
    Chain chain{root};
    for (std::uint32_t number = root; number != kNobody; number = consumer_of(number)) {
      Cluster& member = clusters_[number];
      member.chained = true;
      if (member.writer != kNobody && !extend(chain, member.writer, member.doubtful, member.writer)) return false;
      if (member.first_to_return == kNobody) continue;
      if (!extend(chain, member.first_to_return, false, member.last_called)) return false;
    }
    if (root == kInitial) {
      initial_ = chain;
    } else if (chain.last_called != kNobody) {  // a value that only a cas that never happened asked for has no members
      chains_.push_back(chain);
    }
    return true;
  }

  /// Adds a rank by the operation of it that returned first, unless that never did, and the one that was called last.
  bool extend(Chain& chain, std::uint32_t returned, bool never, std::uint32_t called) {
    if (!never) {
      if (chain.last_called != kNobody && trace_.ret[returned] < last_call(chain)) {
        return refused({returned, chain.last_called},
                       described(returned) + " had returned before " + described(chain.last_called) + " was called");
      }
      if (chain.first_to_return == kNobody || trace_.ret[returned] < first_return(chain)) {
        chain.first_to_return = returned;
      }
    }
    if (chain.last_called == kNobody || trace_.call[called] > last_call(chain)) chain.last_called = called;
    return true;
  }

  bool order_chains() {
    if (initial_.last_called != kNobody) {
      for (const Chain& chain : chains_) {
        if (first_return(chain) < last_call(initial_)) return refuse_initial(chain);
      }
    }
    // Of zones that begin at one moment the backward ones are first: that moment is a call, which comes before a
    // return.
    sort_nearly_sorted(chains_, [&](const Chain& a, const Chain& b) {
      const std::int64_t low_a = begin(a);
      const std::int64_t low_b = begin(b);
      return low_a != low_b ? low_a < low_b : forward(a) < forward(b);
    });
    const Chain* last = nullptr;  // the forward one that ends last
    for (const Chain& chain : chains_) {
      if (last != nullptr && first_return(chain) < last_call(*last)) return refuse_overlap(*last, chain);
      if (forward(chain)) last = &chain;
    }
    return true;
  }

  bool refuse_initial(const Chain& chain) {
    std::string why = described(initial_.last_called) + " was called after " + described(chain.first_to_return) +
                      " had returned, and " + values_.to_json(numbers_[kInitial]) + " was never written";
    return refused({chain.first_to_return, initial_.last_called}, std::move(why));
  }

  bool refuse_overlap(const Chain& a, const Chain& b) {
    std::string why = name(a) + " and " + name(b) + " each come before the other: " + described(a.first_to_return) +
                      " had returned before " + described(b.last_called) + " was called, and " +
                      described(b.first_to_return) + " before " + described(a.last_called);
    return refused({a.first_to_return, b.last_called, b.first_to_return, a.last_called}, std::move(why));
  }

  bool refuse_cycle(std::uint32_t number) {
    std::vector<std::uint32_t> core;
    std::string why = "each of the values ";
    std::uint32_t value = number;
    do {
      core.push_back(evidence(value));
      why += (value == number ? "" : ", ") + values_.to_json(numbers_[value]);
      value = source_of(value);
    } while (value != number);
    return refused(std::move(core), why + " was put in the place of another of them, and none was there before");
  }

  [[nodiscard]] std::string name(const Chain& chain) const {
    const std::string value = values_.to_json(numbers_[chain.root]);
    return consumer_of(chain.root) == kNobody ? value : value + " with what replaced it";
  }
  [[nodiscard]] std::string described(std::uint32_t i) const { return trace_.history.describe(i); }

  bool refused(std::vector<std::uint32_t> core, std::string why) {
    // An indeterminate write counts because its value was seen.
    for (std::size_t k = 0, known = core.size(); k < known; ++k) {
      for (std::uint32_t number = 0; number < clusters_.size(); ++number) {
        if (clusters_[number].doubtful && clusters_[number].writer == core[k]) core.push_back(evidence(number));
      }
    }
    ruling_ = Ruling::no(std::move(core), std::move(why));
    return false;
  }
  bool declined() {
    ruling_ = {};
    return false;
  }

  const Trace& trace_;
  const ValueTable& values_;
  ValueNumbers& numbers_;
  Pulse& pulse_;
  Ruling ruling_;
  LargeVector<Cluster> clusters_;                                      // by number
  LargeVector<std::pair<std::uint32_t, std::uint32_t>> replacements_;  // by cas: numbers of a value and of the next one
  LargeVector<Link> links_;                                            // by number; empty where there is no cas
  LargeVector<Chain> chains_;
  Chain initial_{kInitial};
};

}  // namespace

Ruling rule_register(const Trace& trace, ValueNumbers& numbers, Pulse& pulse) {
  return RegisterMonitor(trace, numbers, pulse).rule();
}

}  // namespace porpentine::detail
