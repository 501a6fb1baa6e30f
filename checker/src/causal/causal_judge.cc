// O(senders) an event: instead of sets of ancestors each record has, of every chain, how many of its first records
// precede it (knowledge.h). Of each chain an actor remembers how far it has looked for records that it misses: what is
// on a channel that it ever subscribed to, at or above its baseline there, and was not delivered before another one
// that it precedes. So all records of a chain are looked at once by each actor that gets to know of them, and nothing
// else is looked at but what is missing already.
#include <porpentine/checker/causal.h>

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include <porpentine/history/causal_rules.h>
#include <porpentine/history/large_vector.h>

#include "causal_result.h"
#include "knowledge.h"
#include "ranked_set.h"

namespace porpentine {

using detail::Knowledge;
using detail::KnowledgeStore;
using detail::Snapshot;

namespace {

enum class Fate : std::uint8_t { open, committed, aborted };

struct Record {
  std::uint32_t chain = 0;
  std::uint32_t index = 0;  ///< on the chain
  std::uint32_t channel = 0;
  std::uint32_t sequence = 0;  ///< on the channel, in order of sends
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  Snapshot ancestors;
  std::uint32_t learned = 0;  ///< what its sender had learned: entries of its log, or of the aborted step's
  std::uint32_t aborted_step = kNoIndex;
  Fate fate = Fate::open;
};

/// From which records an actor learned, in order; from one loss of its memory to the next.
struct LearningLog {
  struct Checkpoint {
    std::uint32_t size;  // entries by then
    Snapshot known;
  };
  LargeVector<std::uint32_t> records;
  LargeVector<std::uint64_t> lines;  // of the deliveries and observations
  std::vector<Checkpoint> checkpoints;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(records.size()); }
};

/// What an aborted step had learned, behind the first `base` entries of its actor's log.
struct AbortedStep {
  std::uint32_t base = 0;
  std::vector<std::uint32_t> records;
  std::vector<std::uint64_t> lines;
};

struct Chain {
  struct Link {
    std::uint32_t record;
    std::uint32_t channel;
  };
  std::uint32_t log = 0;  ///< of its sender
  LargeVector<Link> records;
};

/// What an actor has to do with a channel.
struct View {
  bool consumed = false;
  bool has_baseline = false;
  bool has_last = false;
  std::uint64_t baseline = 0;
  std::uint64_t last = 0;      ///< the highest offset that was delivered
  std::uint64_t position = 0;  ///< what is read next
};

struct Consumer : View {
  std::vector<std::uint64_t> delivered;  ///< a bit each record, by sequence

  [[nodiscard]] bool has(std::uint32_t sequence) const {
    const std::size_t word = sequence / 64;
    return word < delivered.size() && (delivered[word] >> (sequence % 64) & 1U) != 0;
  }
  void set(std::uint32_t sequence) {
    const std::size_t word = sequence / 64;
    if (word >= delivered.size()) delivered.resize(word + 1, 0);
    delivered[word] |= std::uint64_t{1} << (sequence % 64);
  }
  void reset(std::uint32_t sequence) { delivered[sequence / 64] &= ~(std::uint64_t{1} << (sequence % 64)); }
};

/// One thing to take back when a step is aborted: the view of a channel, and a delivery.
struct Undo {
  std::uint32_t channel;
  View view;
  std::uint32_t record;  // kNoIndex: none
};

struct Step {
  bool open = false;
  Knowledge::Saved known;
  std::uint32_t learned = 0;
  std::vector<Undo> undo;
  std::vector<std::uint32_t> sent;
};

struct Actor {
  explicit Actor(KnowledgeStore& store) : known(store) {}

  Knowledge known;
  bool down = false;
  std::uint32_t chain = kNoIndex;
  std::uint32_t log = kNoIndex;
  std::uint32_t learned_at_checkpoint = 0;
  LargeVector<std::uint32_t> looked;  ///< by chain: how many of its records were looked at
  std::vector<bool> has_baseline;     ///< by channel
  absl::flat_hash_map<std::uint32_t, Consumer> channels;
  /// By chain, if there are any: the indices of records in scope, on channels that it consumes, that it looked at and
  /// that are not delivered.
  absl::btree_map<std::uint32_t, detail::RankedSet> skipped;
  Step step;
};

struct Channel {
  LargeVector<std::uint32_t> records;  // by sequence
  bool rising = true;                  // whether so are their offsets
};

/// A delivery of a record of a step that had not ended.
struct EarlyDelivery {
  std::uint64_t line;
  std::uint32_t actor;
};

}  // namespace

class CausalJudge::Impl {
 public:
  Impl(const CausalNames& names, std::uint64_t memory_limit, CausalDetail detail)
      : names_(names), memory_limit_(memory_limit), detail_(detail), rules_(names) {}

  std::optional<Error> take(const CausalEvent& event) {
    const Result<std::uint32_t> record = rules_.take(event);
    if (!record) return record.error();
    note_open_steps(event, *record);
    if (!waiting_.empty() || is_unresolved(event)) {
      wait(event, *record);
    } else {
      judge(event, *record);
    }
    if (++events_ % kBetweenLooks == 0) look_at_memory();
    if (is_full_) {
      return Error{ErrorCode::limit, "memory limit reached", {}, 0};
    }
    return std::nullopt;
  }

  std::optional<Error> finish() {
    while (!waiting_.empty()) judge_front();
    detail::sort_by_place(violations_);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<CausalViolation>& violations() { return violations_; }
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr std::uint64_t kBetweenLooks = 4096;      // events
  static constexpr std::uint64_t kBetweenFinds = 16 << 20;  // bytes
  static constexpr std::uint64_t kFewMissing = 64;          // of them all are looked at, whatever is kept

  /// Bytes of what is reported.
  [[nodiscard]] std::uint64_t found_bytes() const {
    constexpr std::uint64_t kAllocation = 16;
    return violations_.capacity() * sizeof(CausalViolation) + missing_ * (sizeof(MissingAncestor) + kAllocation) +
           chain_lines_ * sizeof(std::uint64_t);
  }
  [[nodiscard]] bool has_found_much() const { return found_bytes() > found_at_last_look_ + kBetweenFinds; }
  void look_at_memory() {
    found_at_last_look_ = found_bytes();
    if (memory_limit_ != 0 && memory() > memory_limit_) is_full_ = true;
  }

  // Commits of unknown outcome: what follows one waits until it is known.

  struct Waiting {
    CausalEvent event;
    std::uint32_t record;
    std::uint32_t commit;  // of a commit of unknown outcome: its number
  };

  void note_open_steps(const CausalEvent& event, std::uint32_t record) {
    if (event.type == CausalEventType::marker && record != kNoIndex) resolve(record, false);
    if (event.actor == kNoIndex) return;
    if (event.actor >= sent_in_step_.size()) sent_in_step_.resize(event.actor + 1);
    std::vector<std::uint32_t>& sent = sent_in_step_[event.actor];
    in_step_.resize(sent_in_step_.size(), false);
    switch (event.type) {
      case CausalEventType::begin:
        in_step_[event.actor] = true;
        break;
      case CausalEventType::send:
        if (in_step_[event.actor]) sent.push_back(record);
        break;
      case CausalEventType::abort:
      case CausalEventType::crash:
        sent.clear();
        in_step_[event.actor] = false;
        break;
      case CausalEventType::commit:
        if (event.flag) {
          for (const std::uint32_t one : sent) commit_of_[one] = static_cast<std::uint32_t>(was_committed_.size());
          was_committed_.push_back(sent.empty() ? std::optional(false) : std::nullopt);
        }
        sent.clear();
        in_step_[event.actor] = false;
        break;
      case CausalEventType::deliver:
      case CausalEventType::observe:
        if (record != kNoIndex && !commit_of_.empty()) {
          resolve(record, true);
        }
        break;
      default:
        break;
    }
  }
  /// The first that says something of a commit's outcome counts.
  void resolve(std::uint32_t record, bool committed) {
    const auto found = commit_of_.find(record);
    if (found != commit_of_.end() && !was_committed_[found->second]) was_committed_[found->second] = committed;
  }
  [[nodiscard]] bool is_unresolved(const CausalEvent& event) const {
    return event.type == CausalEventType::commit && event.flag && !was_committed_.back();
  }
  void wait(const CausalEvent& event, std::uint32_t record) {
    const bool unknown = event.type == CausalEventType::commit && event.flag;
    waiting_.push_back({event, record, unknown ? static_cast<std::uint32_t>(was_committed_.size() - 1) : kNoIndex});
    while (!waiting_.empty()) {
      const std::uint32_t commit = waiting_.front().commit;
      if (commit != kNoIndex && !was_committed_[commit]) return;
      judge_front();
    }
  }
  void judge_front() {
    const Waiting front = waiting_.front();
    waiting_.pop_front();
    if (front.commit == kNoIndex) {
      judge(front.event, front.record);
    } else {
      end_step(front.event.actor, was_committed_[front.commit].value_or(false));
    }
  }

  // The model.

  void judge(const CausalEvent& event, std::uint32_t record) {
    switch (event.type) {
      case CausalEventType::subscribe:
        return subscribe(event);
      case CausalEventType::unsubscribe:
        return unsubscribe(event);
      case CausalEventType::begin:
        return begin(actor(event.actor));
      case CausalEventType::commit:
        return end_step(event.actor, !event.flag || was_committed_.back().value_or(false));
      case CausalEventType::abort:
        return end_step(event.actor, false);
      case CausalEventType::send:
        return send(event, record);
      case CausalEventType::deliver:
        return deliver(event, record);
      case CausalEventType::observe:
        if (record != kNoIndex) learn(actor(event.actor), record, event.line);
        return;
      case CausalEventType::crash:
        return crash(event);
      case CausalEventType::restart:
        actor(event.actor).down = false;
        return;
      case CausalEventType::truncate:
        return truncate(event);
      case CausalEventType::drain:
        return drain(event);
      case CausalEventType::end:
        if (!event.flag) violations_.push_back({.kind = CausalViolationKind::not_drained, .line = event.line});
        return;
      case CausalEventType::marker:
      case CausalEventType::note:
        return;
    }
  }

  Actor& actor(std::uint32_t index) {
    while (actors_.size() <= index) actors_.emplace_back(store_);
    return actors_[index];
  }
  Channel& channel(std::uint32_t index) {
    if (index >= channels_.size()) channels_.resize(index + 1);
    return channels_[index];
  }
  LearningLog& log_of(Actor& who) {
    if (who.log == kNoIndex) {
      who.log = static_cast<std::uint32_t>(logs_.size());
      logs_.emplace_back();
      who.learned_at_checkpoint = 0;
    }
    return logs_[who.log];
  }
  static void note_undo(Actor& who, std::uint32_t channel, const Consumer& consumer, std::uint32_t record) {
    if (who.step.open) who.step.undo.push_back({channel, consumer, record});
  }

  void subscribe(const CausalEvent& event) {
    Actor& who = actor(event.actor);
    Consumer& consumer = who.channels[event.channel];
    note_undo(who, event.channel, consumer, kNoIndex);
    const bool consumed = std::exchange(consumer.consumed, true);
    consumer.position = event.offset;
    if (!consumer.has_baseline) {
      set_baseline(who, event.channel, consumer, true);
      consumer.baseline = event.offset;
    } else if (consumed) {
      return;
    }
    look_again(who, event.channel, consumer);
  }

  /// After a change of what the actor has to deliver of a channel.
  void look_again(Actor& who, std::uint32_t index, const Consumer& consumer) {
    for (auto& [chain, skipped] : who.skipped) {
      skipped.erase_if([&, &on = chains_[chain]](std::uint32_t k) { return on.records[k].channel == index; });
    }
    if (!consumer.consumed || !consumer.has_baseline) return;  // else none of them
    for_records_from(channel(index), consumer.baseline, [&](std::uint32_t number) {
      const Record& record = records_[number];
      if (is_missed(who, consumer, record)) who.skipped[record.chain].insert(record.index);
    });
  }
  static void do_not_miss(Actor& who, const Record& record) {
    const auto found = who.skipped.find(record.chain);
    if (found == who.skipped.end()) return;
    found->second.erase(record.index);
  }

  static void set_baseline(Actor& who, std::uint32_t channel, Consumer& consumer, bool has) {
    consumer.has_baseline = has;
    if (channel >= who.has_baseline.size()) who.has_baseline.resize(channel + 1, false);
    who.has_baseline[channel] = has;
  }

  void unsubscribe(const CausalEvent& event) {
    Actor& who = actor(event.actor);
    Consumer& consumer = who.channels[event.channel];
    note_undo(who, event.channel, consumer, kNoIndex);
    if (std::exchange(consumer.consumed, false)) look_again(who, event.channel, consumer);
  }

  void begin(Actor& who) {
    who.step.open = true;
    who.known.save(who.step.known);
    who.step.learned = log_of(who).size();
  }

  void end_step(std::uint32_t index, bool committed) {
    Actor& who = actor(index);
    Step& step = who.step;
    if (!step.open) return;
    for (const std::uint32_t record : step.sent) records_[record].fate = committed ? Fate::committed : Fate::aborted;
    for (const std::uint32_t record : step.sent) settle_early_deliveries(record, committed);
    if (!committed) {
      for (const std::uint32_t record : step.sent) {
        for (Actor& other : actors_) do_not_miss(other, records_[record]);
      }
      roll_back(who);
    }
    step.open = false;
    step.undo.clear();
    step.sent.clear();
  }

  void settle_early_deliveries(std::uint32_t number, bool committed) {
    const auto found = early_.find(number);
    if (found == early_.end()) return;
    if (!committed) {
      for (const EarlyDelivery& delivery : found->second) {
        report(CausalViolationKind::aborted_delivery, delivery.line, delivery.actor, records_[number]);
      }
    }
    early_.erase(found);
  }

  void roll_back(Actor& who) {
    who.known.restore(who.step.known);
    LearningLog& log = log_of(who);
    const std::uint32_t base = who.step.learned;
    if (!who.step.sent.empty() && log.size() > base) {
      AbortedStep aborted{
          base, {log.records.begin() + base, log.records.end()}, {log.lines.begin() + base, log.lines.end()}};
      for (const std::uint32_t record : who.step.sent) {
        records_[record].aborted_step = static_cast<std::uint32_t>(aborted_steps_.size());
      }
      aborted_steps_.push_back(std::move(aborted));
    }
    log.records.resize(base);
    log.lines.resize(base);
    while (!log.checkpoints.empty() && log.checkpoints.back().size > base) log.checkpoints.pop_back();
    who.learned_at_checkpoint = log.checkpoints.empty() ? 0 : log.checkpoints.back().size;
    for (auto undo = who.step.undo.rbegin(); undo != who.step.undo.rend(); ++undo) {
      Consumer& consumer = who.channels[undo->channel];
      const bool other_scope =
          consumer.consumed != undo->view.consumed || consumer.has_baseline != undo->view.has_baseline;
      static_cast<View&>(consumer) = undo->view;
      set_baseline(who, undo->channel, consumer, consumer.has_baseline);
      if (undo->record != kNoIndex) {
        const Record& record = records_[undo->record];
        consumer.reset(record.sequence);
        if (is_missed(who, consumer, record)) who.skipped[record.chain].insert(record.index);
      }
      if (other_scope) look_again(who, undo->channel, consumer);
    }
  }

  void crash(const CausalEvent& event) {
    end_step(event.actor, false);
    Actor& who = actor(event.actor);
    who.down = true;
    if (!event.flag) return;
    who.known.clear();
    who.chain = kNoIndex;
    who.log = kNoIndex;
    who.looked.clear();
    who.skipped.clear();
    for (auto& [number, consumer] : who.channels) {
      consumer.delivered.clear();
      consumer.has_last = false;
      consumer.position = consumer.baseline;
    }
  }

  void send(const CausalEvent& event, std::uint32_t number) {
    Actor& who = actor(event.actor);
    LearningLog& log = log_of(who);
    if (who.chain == kNoIndex) {
      who.chain = static_cast<std::uint32_t>(chains_.size());
      chains_.push_back({who.log, {}});
    }
    Chain& chain = chains_[who.chain];
    Channel& on = channel(event.channel);
    Record record;
    record.chain = who.chain;
    record.index = static_cast<std::uint32_t>(chain.records.size());
    record.channel = event.channel;
    record.sequence = static_cast<std::uint32_t>(on.records.size());
    record.offset = event.offset;
    record.line = event.line;
    record.ancestors = who.known.snapshot();
    record.learned = log.size();
    record.fate = who.step.open ? Fate::open : Fate::committed;
    if (log.size() > who.learned_at_checkpoint) checkpoint(who, log, record.ancestors);
    on.rising = on.rising && (on.records.empty() || records_[on.records.back()].offset < event.offset);
    on.records.push_back(number);
    chain.records.push_back({number, event.channel});
    if (who.step.open) who.step.sent.push_back(number);
    records_.push_back(record);
    who.known.set(who.chain, record.index + 1);
  }

  static void checkpoint(Actor& who, LearningLog& log, Snapshot known) {
    log.checkpoints.push_back({log.size(), known});
    who.learned_at_checkpoint = log.size();
  }

  /// K gains the record and its ancestors.
  void learn(Actor& who, std::uint32_t number, std::uint64_t line) {
    const Record& record = records_[number];
    // Who knows it knows its ancestors, unless the record was in an aborted step.
    bool learned = who.known.merge(record.ancestors);
    if (who.known.count(record.chain) <= record.index) {
      who.known.set(record.chain, record.index + 1);
      learned = true;
    }
    if (!learned) return;
    LearningLog& log = log_of(who);
    log.records.push_back(number);
    log.lines.push_back(line);
    constexpr std::uint32_t kBetweenCheckpoints = 64;
    if (log.size() - who.learned_at_checkpoint >= kBetweenCheckpoints) checkpoint(who, log, who.known.snapshot());
  }

  void deliver(const CausalEvent& event, std::uint32_t number) {
    if (number == kNoIndex) {
      violations_.push_back({.kind = CausalViolationKind::unknown_record,
                             .line = event.line,
                             .actor = event.actor,
                             .channel = event.channel,
                             .offset = event.offset});
      return;
    }
    Actor& who = actor(event.actor);
    const Record& record = records_[number];
    Consumer& consumer = who.channels[record.channel];
    if (record.fate == Fate::aborted) {
      report(CausalViolationKind::aborted_delivery, event.line, event.actor, record);
    } else if (record.fate == Fate::open) {
      early_[number].push_back({event.line, event.actor});
    }
    const bool duplicate = consumer.has(record.sequence);
    if (duplicate) {
      report(CausalViolationKind::duplicate, event.line, event.actor, record);
    } else if (consumer.has_last && consumer.last >= record.offset) {
      report(CausalViolationKind::fifo, event.line, event.actor, record);
    }
    report_missing(event, who, record);

    note_undo(who, record.channel, consumer, duplicate ? kNoIndex : number);
    consumer.set(record.sequence);
    do_not_miss(who, record);
    consumer.last = consumer.has_last ? std::max(consumer.last, record.offset) : record.offset;
    consumer.has_last = true;
    consumer.position = std::max(record.offset, record.offset + 1);  // there is none behind the last one
    learn(who, number, event.line);
  }

  CausalViolation& report(CausalViolationKind kind, std::uint64_t line, std::uint32_t who, const Record& record) {
    violations_.push_back({.kind = kind,
                           .line = line,
                           .actor = who,
                           .channel = record.channel,
                           .offset = record.offset,
                           .sent = record.line});
    if (has_found_much()) look_at_memory();
    return violations_.back();
  }

  /// Whether the actor, which knows of the record, has to deliver it.
  static bool is_missed(const Actor& who, const Consumer& consumer, const Record& record) {
    return record.fate != Fate::aborted && consumer.consumed && consumer.has_baseline &&
           record.offset >= consumer.baseline && has_looked_at(who, record) && !consumer.has(record.sequence);
  }
  static bool has_looked_at(const Actor& who, const Record& record) {
    return record.chain < who.looked.size() && record.index < who.looked[record.chain];
  }

  /// Looks at the ancestors of the record that the actor has not looked at yet.
  void look_at_ancestors(Actor& who, const Record& record) {
    const auto leaves = store_.leaves(record.ancestors);
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      if (leaves[k] == KnowledgeStore::kZero) continue;
      const detail::Leaf& counts = store_.leaf(leaves[k]);
      const std::size_t first = k * counts.size();
      if (who.looked.size() < first + counts.size()) who.looked.resize(first + counts.size(), 0);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > who.looked[first + i]) look_at(who, static_cast<std::uint32_t>(first + i), counts[i]);
      }
    }
  }
  void look_at(Actor& who, std::uint32_t chain, std::uint32_t end) {
    const std::uint32_t begin = std::exchange(who.looked[chain], end);
    for (std::uint32_t k = begin; k < end; ++k) {
      const Chain::Link link = chains_[chain].records[k];
      if (link.channel >= who.has_baseline.size() || !who.has_baseline[link.channel]) continue;
      if (is_missed(who, who.channels[link.channel], records_[link.record])) who.skipped[chain].insert(k);
    }
  }

  void report_missing(const CausalEvent& event, Actor& who, const Record& record) {
    look_at_ancestors(who, record);
    std::uint64_t count = 0;
    for (const auto& [chain, skipped] : who.skipped) {
      if (!skipped.empty()) count += skipped.count_below(store_.count(record.ancestors, chain));
    }
    if (count == 0) return;
    CausalViolation& violation = report(CausalViolationKind::causal, event.line, event.actor, record);
    violation.missing_in_all = count;
    if (detailed_++ >= detail_.violations) return;
    for (const std::uint32_t other : some_missing(who, record, count <= kFewMissing ? count : detail_.missing)) {
      if (violation.missing.size() == detail_.missing || is_full_) return;
      violation.missing.push_back(
          {records_[other].channel, records_[other].offset, chain_between(records_[other], record)});
      chain_lines_ += violation.missing.back().because.size();
      ++missing_;
      if (has_found_much()) look_at_memory();
    }
  }

  /// The ancestors of a record that the actor has not delivered, in order of channels and offsets. Where there are
  /// more than `most`, those that each sender sent first.
  [[nodiscard]] std::vector<std::uint32_t> some_missing(const Actor& who, const Record& record,
                                                        std::uint64_t most) const {
    std::vector<std::uint32_t> missing;
    for (const auto& [chain, skipped] : who.skipped) {
      skipped.for_first_below(store_.count(record.ancestors, chain), most,
                              [&, &on = chains_[chain]](std::uint32_t k) { missing.push_back(on.records[k].record); });
    }
    std::sort(missing.begin(), missing.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(records_[a].channel, records_[a].offset) < std::tuple(records_[b].channel, records_[b].offset);
    });
    return missing;
  }

  [[nodiscard]] bool precedes(const Record& first, const Record& second) const {
    return store_.count(second.ancestors, first.chain) > first.index;
  }
  [[nodiscard]] bool is_known(const Record& record, std::uint32_t other) const {
    const Record& from = records_[other];
    return &from == &record || (from.chain == record.chain && from.index > record.index) || precedes(record, from);
  }

  /// MissingAncestor::because, from a record to another one that it precedes.
  [[nodiscard]] std::vector<std::uint64_t> chain_between(const Record& first, const Record& last) const {
    std::vector<std::uint64_t> lines{last.line};
    const Record* link = &last;
    while (link->chain != first.chain) {
      const auto [record, line] = learned_from(first, *link);
      lines.push_back(line);
      link = &records_[record];
      if (link == &first) break;
      lines.push_back(link->line);
    }
    lines.push_back(first.line);
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

  /// The first record from which the sender of `later` learned of `earlier`, and the line at which it did.
  [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> learned_from(const Record& earlier, const Record& later) const {
    const LearningLog& log = logs_[chains_[later.chain].log];
    const bool in_aborted = later.aborted_step != kNoIndex;
    const std::uint32_t end =
        in_aborted ? std::min(aborted_steps_[later.aborted_step].base, later.learned) : later.learned;
    const auto first_that_knows = std::partition_point(
        log.checkpoints.begin(), log.checkpoints.end(), [&](const LearningLog::Checkpoint& checkpoint) {
          return store_.count(checkpoint.known, earlier.chain) <= earlier.index;
        });
    std::uint32_t k = first_that_knows == log.checkpoints.begin() ? 0 : (first_that_knows - 1)->size;
    for (; k < end; ++k) {
      if (is_known(earlier, log.records[k])) return {log.records[k], log.lines[k]};
    }
    const AbortedStep& step = aborted_steps_[later.aborted_step];
    k = 0;
    while (!is_known(earlier, step.records[k])) ++k;
    return {step.records[k], step.lines[k]};
  }

  /// take(number) for the records of the channel from that offset on, in order of sends.
  template <typename Take>
  void for_records_from(const Channel& from, std::uint64_t offset, Take take) const {
    auto record = from.records.begin();
    if (from.rising) {
      record = std::lower_bound(record, from.records.end(), offset, [&](std::uint32_t number, std::uint64_t bound) {
        return records_[number].offset < bound;
      });
    }
    for (; record != from.records.end(); ++record) {
      if (records_[*record].offset >= offset) take(*record);
    }
  }

  void truncate(const CausalEvent& event) {
    const Channel& on = channel(event.channel);
    for (std::uint32_t index = 0; index < actors_.size(); ++index) {
      const Actor& who = actors_[index];
      const auto found = who.channels.find(event.channel);
      if (who.down || found == who.channels.end() || !found->second.consumed) continue;
      std::uint64_t lost = event.offset;
      const Record* first = nullptr;
      const Consumer& consumer = found->second;
      if (consumer.position >= event.offset) continue;
      for_records_from(on, consumer.position, [&](std::uint32_t number) {
        const Record& record = records_[number];
        if (record.offset >= lost || record.fate == Fate::aborted || consumer.has(record.sequence)) return;
        lost = record.offset;
        first = &record;
      });
      if (first != nullptr) report(CausalViolationKind::truncated_too_far, event.line, index, *first);
    }
  }

  void drain(const CausalEvent& event) {
    if (event.detail != kNoIndex) {
      std::vector<std::uint32_t> listed = names_.lists[event.detail];
      std::sort(listed.begin(), listed.end());
      listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
      for (const std::uint32_t index : listed) drain_actor(event.line, index);
    } else {
      for (std::uint32_t index = 0; index < actors_.size(); ++index) drain_actor(event.line, index);
    }
  }

  void drain_actor(std::uint64_t line, std::uint32_t index) {
    if (index >= actors_.size()) return;
    std::vector<std::uint32_t> undelivered;
    for (const auto& [number, consumer] : actors_[index].channels) {
      if (!consumer.consumed || !consumer.has_baseline || number >= channels_.size()) continue;
      for_records_from(channels_[number], consumer.baseline, [&, &has = consumer](std::uint32_t record) {
        if (records_[record].fate == Fate::committed && !has.has(records_[record].sequence))
          undelivered.push_back(record);
      });
    }
    std::sort(undelivered.begin(), undelivered.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(records_[a].channel, records_[a].offset) < std::tuple(records_[b].channel, records_[b].offset);
    });
    for (const std::uint32_t record : undelivered) {
      if (is_full_) return;
      report(CausalViolationKind::incomplete, line, index, records_[record]);
    }
  }

  const CausalNames& names_;
  const std::uint64_t memory_limit_;
  const CausalDetail detail_;
  CausalRules rules_;
  std::uint64_t events_ = 0;

  std::vector<std::vector<std::uint32_t>> sent_in_step_;  // by actor, of what has arrived
  std::vector<bool> in_step_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> commit_of_;  // records of commits of unknown outcome: its number
  std::vector<std::optional<bool>> was_committed_;               // by that number; nothing: not known yet
  std::deque<Waiting> waiting_;

  KnowledgeStore store_;
  LargeVector<Record> records_;
  std::deque<Actor> actors_;
  std::vector<Channel> channels_;
  std::vector<Chain> chains_;
  std::deque<LearningLog> logs_;
  std::vector<AbortedStep> aborted_steps_;
  absl::flat_hash_map<std::uint32_t, std::vector<EarlyDelivery>> early_;  // by record
  std::vector<CausalViolation> violations_;
  std::size_t detailed_ = 0;              // causal violations
  std::uint64_t missing_ = 0;             // that are kept of all violations
  std::uint64_t chain_lines_ = 0;         // and the lines of their chains
  std::uint64_t found_at_last_look_ = 0;  // bytes
  bool is_full_ = false;                  // the memory limit is reached
};

std::size_t CausalJudge::Impl::memory() const {
  std::size_t bytes = rules_.memory() + store_.memory() + records_.capacity() * sizeof(Record) +
                      waiting_.size() * sizeof(Waiting) + found_bytes();
  for (const Actor& who : actors_) {
    bytes += sizeof(Actor) + who.looked.capacity() * sizeof(std::uint32_t);
    for (const auto& [number, consumer] : who.channels) {
      bytes += sizeof(Consumer) + consumer.delivered.capacity() * sizeof(std::uint64_t);
    }
    for (const auto& [chain, skipped] : who.skipped) bytes += skipped.memory();
  }
  for (const Channel& one : channels_) bytes += one.records.capacity() * sizeof(std::uint32_t);
  for (const Chain& one : chains_) bytes += one.records.capacity() * sizeof(Chain::Link);
  for (const LearningLog& log : logs_) {
    bytes += log.records.capacity() * (sizeof(std::uint32_t) + sizeof(std::uint64_t)) +
             log.checkpoints.capacity() * sizeof(LearningLog::Checkpoint);
  }
  return bytes;
}

CausalJudge::CausalJudge(const CausalNames& names, std::uint64_t memory_limit, CausalDetail detail)
    : impl_(std::make_unique<Impl>(names, memory_limit, detail)) {}
CausalJudge::~CausalJudge() = default;
CausalJudge::CausalJudge(CausalJudge&&) noexcept = default;
CausalJudge& CausalJudge::operator=(CausalJudge&&) noexcept = default;
std::optional<Error> CausalJudge::take(const CausalEvent& event) { return impl_->take(event); }
std::optional<Error> CausalJudge::finish() { return impl_->finish(); }
const std::vector<CausalViolation>& CausalJudge::violations() const& { return impl_->violations(); }
std::vector<CausalViolation> CausalJudge::violations() && { return std::move(impl_->violations()); }
std::size_t CausalJudge::memory() const { return impl_->memory(); }

}  // namespace porpentine
