#include "search_part.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace porpentine::detail {

namespace {

constexpr std::uint64_t kStepsAtFirst = 1'000'000;
constexpr std::uint64_t kStepsOfTrial = 200'000;
constexpr std::uint64_t kBytesAConfiguration = 160;
constexpr std::uint64_t kBytesAnOperation = 160;

/// Whether `a` used no more than `b` of each kind.
bool uses_no_more(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.size() > b.size()) return false;
  return std::equal(a.begin(), a.end(), b.begin(), [](std::uint32_t x, std::uint32_t y) { return x <= y; });
}

std::size_t total(const std::vector<std::uint32_t>& used) {
  return std::accumulate(used.begin(), used.end(), std::size_t{0});
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t element) {
  return std::binary_search(sorted.begin(), sorted.end(), element);
}

void insert(std::vector<std::uint32_t>& sorted, std::uint32_t element) {
  sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), element), element);
}

void erase(std::vector<std::uint32_t>& sorted, std::uint32_t element) {
  sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), element));
}

}  // namespace

/// Configurations on the way to the return of one operation, those that used the fewest indeterminate ones first.
struct SearchPart::Closure {
  Slot returning = kNobody;
  std::size_t fewest = 0;                           // indeterminate operations that any configuration used at first
  std::vector<std::vector<Configuration>> pending;  // by how many more were used
  Seen seen;
  std::uint64_t count = 0;
  Seen survivors;

  /// False where nothing is gained by the configuration.
  static bool add(Seen& seen, const Configuration& configuration) {
    Uses& uses = seen[{configuration.state, configuration.placed}];
    for (const auto& used : uses) {
      if (uses_no_more(used, configuration.used)) return false;
    }
    std::erase_if(uses, [&](const auto& used) { return uses_no_more(configuration.used, used); });
    uses.push_back(configuration.used);
    return true;
  }
};

SearchPart::SearchPart(Window& window, const StreamBudget& budget)
    : window_(window), budget_(budget), replay_(window.model().replay(window.history())), most_steps_(kStepsAtFirst) {
  std::string bytes;
  StateArchive archive(bytes);
  replay_->transfer(archive);
  frontier_.push_back({intern(std::move(bytes)), {}, {}});
}

SearchPart::Slot SearchPart::add_slot() {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<Slot>(operations_.size()));
    operations_.emplace_back();
  }
  const Slot slot = free_slots_.back();
  free_slots_.pop_back();
  operations_[slot] = {};
  return slot;
}

void SearchPart::free_row(std::uint32_t row) {
  if (!is_trial_) window_.release(row);
}

void SearchPart::call(std::uint32_t row, std::uint64_t number, std::uint64_t process, std::int64_t time) {
  if (is_over()) return;
  const Slot slot = add_slot();
  Operation& operation = operations_[slot];
  operation.row = row;
  operation.number = number;
  operation.process = process;
  const auto last = last_ok_.find(process);
  if (last != last_ok_.end() && last->second.first == time) operation.predecessor = last->second.second;
  now_ = time;
  running_[row] = slot;
  events_.push_back({time, false, slot});
  most_steps_ += budget_.steps_an_operation;
}

/// The slot of the operation in the row; kNobody where nothing is left to be done.
SearchPart::Slot SearchPart::end(std::uint32_t row, Ended ended) {
  const auto place = running_.find(row);
  if (place == running_.end()) {  // the part is over
    free_row(row);
    return kNobody;
  }
  const Slot slot = place->second;
  running_.erase(place);
  Operation& operation = operations_[slot];
  if (operation.ended == Ended::given_up) {
    end_given_up(slot, ended);
    return kNobody;
  }
  operation.ended = ended;
  if (operation.entered) --waiting_;
  return slot;
}

void SearchPart::end_given_up(Slot slot, Ended ended) {
  const std::uint32_t row = operations_[slot].row;
  const bool stands_for_kind =
      std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) { return kind.row == row; });
  std::string reason =
      window_.history().describe(row) + " was taken for indeterminate, so much waited for it, and ended";
  free_slots_.push_back(slot);
  if (!stands_for_kind) free_row(row);
  if (ended != Ended::info) doubt(Limit::memory, std::move(reason));
}

void SearchPart::ok(std::uint32_t row, std::int64_t time) {
  const Slot slot = end(row, Ended::ok);
  if (slot == kNobody) return;
  operations_[slot].reads_only = replay_->reads_only({row, false});
  last_ok_[operations_[slot].process] = {time, slot};
  events_.push_back({time, true, slot});
  now_ = time;
  run();
}

void SearchPart::fail(std::uint32_t row) {
  if (end(row, Ended::fail) != kNobody) run();
}

void SearchPart::info(std::uint32_t row) {
  if (end(row, Ended::info) != kNobody) run();
}

void SearchPart::settle(std::int64_t now) {
  if (is_over()) return;
  last_ok_.clear();
  now_ = now;
  run();
  if (is_over() || waiting_ == 0) {
    next_trial_ = kFirstTrial;
    return;
  }
  const std::size_t backlog = events_.size() + returns_.size();
  if (backlog >= budget_.most_waiting) {
    give_up_waiting();
    run();
  } else if (backlog >= next_trial_) {
    next_trial_ *= 2;
    try_ending();
  }
}

/// Comes to all returns of the past whose outputs are known.
void SearchPart::run() {
  while (!is_over()) {
    if (!returns_.empty()) {
      if (waiting_ > 0) return;
      const Slot slot = returns_.front();
      returns_.pop_front();
      process_return(slot);
    } else if (!events_.empty() && events_.front().time < now_) {
      take_group();
    } else {
      return;
    }
  }
}

/// Comes to all events of one time: calls first.
void SearchPart::take_group() {
  const std::int64_t time = events_.front().time;
  for (; !events_.empty() && events_.front().time == time; events_.pop_front()) {
    const Event& event = events_.front();
    if (event.is_return) {
      returns_.push_back(event.slot);
      continue;
    }
    operations_[event.slot].entered = true;
    entered_.push_back(event.slot);
    if (operations_[event.slot].ended == Ended::not_yet) ++waiting_;
  }
}

void SearchPart::give_up_waiting() {
  for (const Slot slot : entered_) {
    if (operations_[slot].ended == Ended::not_yet) operations_[slot].ended = Ended::given_up;
  }
  waiting_ = 0;
  has_given_up_ = true;
}

/// A fault that holds whatever is still to come is one now.
void SearchPart::try_ending() {
  auto fault = fault_if_ended();
  if (!fault) return;
  fault_ = std::move(fault);
  forget();
}

std::optional<StreamFault> SearchPart::fault_if_ended() {
  if (is_over()) return fault_;
  SearchPart trial(*this);
  trial.is_trial_ = true;
  trial.most_steps_ = steps_ + kStepsOfTrial;
  trial.finish();
  return trial.fault_;
}

void SearchPart::finish() {
  if (is_over()) return;
  for (const auto& [row, slot] : running_) {
    if (operations_[slot].ended == Ended::not_yet) operations_[slot].ended = Ended::info;
  }
  running_.clear();
  waiting_ = 0;
  while (!is_over() && !(events_.empty() && returns_.empty())) {
    if (returns_.empty()) take_group();
    run();
  }
}

/// What was called takes part in the search now that all of it has ended.
void SearchPart::admit() {
  for (const Slot slot : entered_) {
    const Operation& operation = operations_[slot];
    if (operation.ended == Ended::ok) {
      active_.push_back(slot);
      continue;
    }
    const bool used = operation.ended != Ended::fail && !replay_->reads_only({operation.row, true});
    if (used) {
      admit_indeterminate(operation);
    } else if (operation.ended != Ended::given_up) {
      free_row(operation.row);
    }
    if (operation.ended != Ended::given_up) free_slots_.push_back(slot);
  }
  entered_.clear();
}

void SearchPart::admit_indeterminate(const Operation& operation) {
  const History& history = window_.history();
  const std::uint32_t row = operation.row;
  const std::uint64_t process = replay_->tells_processes() ? std::uint64_t{history.process[row]} + 1 : 0;
  // One that has to wait for its process is of a kind of its own.
  const std::uint64_t tie = operation.predecessor == kNobody ? 0 : operation.number + 1;
  const auto [kind, is_new] =
      kind_of_.try_emplace({history.function[row], history.key[row], history.input[row], process, tie},
                           static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) {
    kinds_.push_back({row, 1, operation.predecessor});
    return;
  }
  ++kinds_[kind->second].count;
  if (operation.ended != Ended::given_up) free_row(row);
}

/// The operation is placed in every configuration.
void SearchPart::retire(Slot slot) {
  active_.erase(std::find(active_.begin(), active_.end(), slot));
  for (const Slot other : active_) {
    if (operations_[other].predecessor == slot) operations_[other].predecessor = kNobody;
  }
  for (Kind& kind : kinds_) {
    if (kind.predecessor == slot) kind.predecessor = kNobody;
  }
  free_row(operations_[slot].row);
  free_slots_.push_back(slot);
  ++returned_;
}

bool SearchPart::is_available(Slot predecessor, const Configuration& configuration) const {
  return predecessor == kNobody || contains(configuration.placed, predecessor);
}

/// Places what only reads and is accepted, as far as it goes.
void SearchPart::place_reads(Configuration& configuration) {
  bool placed = true;
  while (placed) {
    placed = false;
    for (const Slot slot : active_) {
      const Operation& operation = operations_[slot];
      if (!operation.reads_only || contains(configuration.placed, slot)) continue;
      if (!is_available(operation.predecessor, configuration)) continue;
      if (step(configuration.state, operation.row, false) == kRefusal) continue;
      insert(configuration.placed, slot);
      placed = true;
    }
  }
}

void SearchPart::push(Configuration configuration, Closure& closure) {
  place_reads(configuration);
  if (contains(configuration.placed, closure.returning)) {
    erase(configuration.placed, closure.returning);
    Closure::add(closure.survivors, configuration);
    return;
  }
  if (!Closure::add(closure.seen, configuration)) return;
  const std::size_t uses = total(configuration.used) - closure.fewest;
  if (closure.pending.size() <= uses) closure.pending.resize(uses + 1);
  closure.pending[uses].push_back(std::move(configuration));
  ++closure.count;
}

void SearchPart::process_return(Slot slot) {
  admit();
  steps_known_.clear();
  Closure closure;
  closure.returning = slot;
  if (!has_budget(closure)) return;
  closure.fewest = total(frontier_.front().used);
  for (const Configuration& configuration : frontier_) {
    closure.fewest = std::min(closure.fewest, total(configuration.used));
  }
  for (const Configuration& configuration : frontier_) push(configuration, closure);
  for (std::size_t uses = 0; uses < closure.pending.size(); ++uses) {
    while (!closure.pending[uses].empty()) {
      if (!has_budget(closure)) return;
      const Configuration configuration = std::move(closure.pending[uses].back());
      closure.pending[uses].pop_back();
      // One that used less may have come since.
      const Uses& best = closure.seen[{configuration.state, configuration.placed}];
      if (std::find(best.begin(), best.end(), configuration.used) != best.end()) expand(configuration, closure);
    }
  }
  if (closure.survivors.empty()) return refuse(slot);
  frontier_.clear();
  for (const auto& [place, all_uses] : closure.survivors) {
    for (const auto& used : all_uses) frontier_.push_back({place.first, place.second, used});
  }
  retire(slot);
  collect_states();
}

void SearchPart::expand(const Configuration& configuration, Closure& closure) {
  for (const Slot slot : active_) {
    const Operation& operation = operations_[slot];
    if (operation.reads_only || contains(configuration.placed, slot)) continue;
    if (!is_available(operation.predecessor, configuration)) continue;
    const StateNumber next = step(configuration.state, operation.row, false);
    if (next == kRefusal) continue;
    Configuration after = configuration;
    after.state = next;
    insert(after.placed, slot);
    push(std::move(after), closure);
  }
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const std::uint32_t used = k < configuration.used.size() ? configuration.used[k] : 0;
    if (used == kind.count || !is_available(kind.predecessor, configuration)) continue;
    const StateNumber next = step(configuration.state, kind.row, true);
    if (next == kRefusal || next == configuration.state) continue;
    Configuration after = configuration;
    after.state = next;
    if (after.used.size() <= k) after.used.resize(k + 1, 0);
    ++after.used[k];
    push(std::move(after), closure);
  }
}

bool SearchPart::has_budget(const Closure& closure) {
  constexpr std::uint64_t kBetween = 256;
  if (steps_ > most_steps_) {
    doubt(Limit::steps, "the search took too many steps");
  } else if (closure.count % kBetween == 0) {
    if (!fits(budget_, closure.count * kBytesAConfiguration)) {
      doubt(Limit::memory, "the search took too much memory");
    } else if (budget_.is_cancelled()) {
      doubt(Limit::cancelled, "the search was cancelled");
    }
  }
  return !is_over();
}

SearchPart::StateNumber SearchPart::step(StateNumber state, std::uint32_t row, bool indeterminate) {
  ++steps_;
  const auto [known, is_new] =
      steps_known_.try_emplace({state, std::uint64_t{row} << 1 | (indeterminate ? 1 : 0)}, kRefusal);
  if (!is_new) return known->second;
  StateArchive reader(std::string_view{states_[state]});
  replay_->transfer(reader);
  if (replay_->apply({row, indeterminate})) return kRefusal;
  std::string bytes;
  StateArchive writer(bytes);
  replay_->transfer(writer);
  const StateNumber next = intern(std::move(bytes));
  known->second = next;
  return next;
}

SearchPart::StateNumber SearchPart::intern(std::string bytes) {
  const auto [entry, is_new] = number_of_.try_emplace(bytes, static_cast<StateNumber>(states_.size()));
  if (is_new) {
    state_bytes_ += 2 * bytes.size() + 96;
    states_.push_back(std::move(bytes));
  }
  return entry->second;
}

/// Forgets states that no configuration is in, once that is worth the while.
void SearchPart::collect_states() {
  if (states_.size() <= 2 * frontier_.size() + 64) return;
  std::vector<std::string> old = std::exchange(states_, {});
  number_of_.clear();
  state_bytes_ = 0;
  std::vector<StateNumber> moved(old.size(), kRefusal);
  for (Configuration& configuration : frontier_) {
    StateNumber& to = moved[configuration.state];
    if (to == kRefusal) to = intern(std::move(old[configuration.state]));
    configuration.state = to;
  }
}

void SearchPart::translate(const StateArchive::Translation& translation) {
  replay_ = window_.model().replay(window_.history());
  if (is_over()) return;
  steps_known_.clear();
  number_of_.clear();
  for (StateNumber state = 0; state < states_.size(); ++state) {
    StateArchive reader(std::string_view{states_[state]}, &translation);
    replay_->transfer(reader);
    states_[state].clear();
    StateArchive writer(states_[state]);
    replay_->transfer(writer);
    number_of_[states_[state]] = state;
  }
  const auto old_kinds = std::exchange(kind_of_, {});
  const History& history = window_.history();
  for (const auto& [old, kind] : old_kinds) {
    const std::uint32_t row = kinds_[kind].row;
    const std::uint64_t process = replay_->tells_processes() ? std::uint64_t{history.process[row]} + 1 : 0;
    kind_of_[{history.function[row], history.key[row], history.input[row], process, old.back()}] = kind;
  }
}

/// Says why the operation that returns can't be placed.
void SearchPart::refuse(Slot slot) {
  const Operation& operation = operations_[slot];
  const History& history = window_.history();
  std::string message = history.describe(operation.row) + " can't be placed";
  StateArchive reader(std::string_view{states_[frontier_.front().state]});
  replay_->transfer(reader);
  if (const auto why = replay_->apply({operation.row, false})) message += " where " + *why;
  fault_ = StreamFault{operation.number, history.line[operation.row], returned_, std::move(message)};
  forget();
}

void SearchPart::doubt(Limit limit, std::string reason) {
  doubt_ = Doubt{limit, std::move(reason)};
  forget();
}

/// Rows of what still runs are released when it ends.
void SearchPart::forget() {
  if (!is_trial_) {
    absl::flat_hash_map<std::uint32_t, bool> rows;
    for (const auto& event : events_) rows[operations_[event.slot].row] = true;
    for (const Slot slot : entered_) rows[operations_[slot].row] = true;
    for (const Slot slot : active_) rows[operations_[slot].row] = true;
    for (const Kind& kind : kinds_) rows[kind.row] = true;
    for (const auto& [row, slot] : running_) rows.erase(row);
    for (const auto& [row, known] : rows) window_.release(row);
  }
  running_.clear();
  last_ok_.clear();
  events_.clear();
  events_.shrink_to_fit();
  returns_.clear();
  entered_.clear();
  active_.clear();
  kinds_.clear();
  kind_of_.clear();
  operations_ = {};
  free_slots_ = {};
  states_ = {};
  number_of_ = {};
  steps_known_ = {};
  frontier_ = {};
  state_bytes_ = 0;
  waiting_ = 0;
}

std::uint64_t SearchPart::memory() const {
  return sizeof(*this) + operations_.size() * kBytesAnOperation + events_.size() * sizeof(Event) +
         kinds_.size() * kBytesAnOperation + state_bytes_ + frontier_.size() * kBytesAConfiguration +
         steps_known_.size() * 32;
}

}  // namespace porpentine::detail
