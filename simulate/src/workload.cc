#include <porpentine/simulate/workload.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "random.h"
#include "simulation.h"

namespace porpentine::simulate {
namespace {

constexpr std::int64_t kMeanDuration = 1000;

std::unique_ptr<Simulation> make_simulation(const WorkloadOptions& options, Random& random) {
  switch (options.object) {
    case Object::multi_register:
      return simulate_multi_register(options, random);
    case Object::log:
      return simulate_logs(options, random);
    case Object::queue:
    case Object::stack:
    case Object::bag:
    case Object::priority_queue:
      return simulate_containers(options, random);
    case Object::set:
      return simulate_sets(options, random);
    case Object::counter:
      return simulate_counters(options, random);
    case Object::bank:
      return simulate_banks(options, random);
    case Object::s2:
      return simulate_streams(options, random);
    default:
      return simulate_registers(options, random);
  }
}

// Runs the clients by a queue of events, each at its moment.
class Generator {
 public:
  Generator(const WorkloadOptions& options, const std::function<void(const WorkloadOperation&)>& take)
      : options_(options), take_(take), random_(options.seed), simulation_(make_simulation(options, random_)) {}

  bool run() {
    for (std::uint32_t i = 0; i < options_.indeterminate_start; ++i) call_early_write(i);
    for (std::uint32_t client = 0; client < options_.clients; ++client) {
      processes_.push_back(client);
      schedule(options_.rounds ? random_.below(kMeanDuration) : random_.exponential(kMeanDuration / 2), Kind::call,
               client);
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    release_firsts();
    return options_.fault == Fault::none || fault_done_;
  }

 private:
  static constexpr std::uint32_t kFarBehind = 16;  // operations a client

  // Where times tie, calls come first: whatever is concurrent with an operation was called when it returns.
  enum class Kind : std::uint8_t { call, apply, finish };

  struct Event {
    std::int64_t time;
    Kind kind;
    std::uint64_t order;    // of scheduling
    std::uint32_t subject;  // a client for calls, a slot otherwise

    bool operator<(const Event& other) const {  // the earliest is the greatest
      return std::tie(other.time, other.kind, other.order) < std::tie(time, kind, order);
    }
  };

  void schedule(std::int64_t time, Kind kind, std::uint32_t subject) {
    events_.push({time, kind, scheduled_++, subject});
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case Kind::call:
        if (called_ < options_.operations) call(event.subject, event.time);
        break;
      case Kind::apply:
        simulation_->apply(slots_[event.subject]);
        if (slots_[event.subject].operation.indeterminate) free_slots_.push_back(event.subject);
        break;
      case Kind::finish:
        finish(event.subject);
        break;
    }
  }

  void call(std::uint32_t client, std::int64_t now) {
    const auto [apply, ret] = draw_times(now);
    const bool reads = simulation_->draw_reads();
    const bool indeterminate = (!reads || simulation_->reads_change()) && random_.chance(doubt(reads));
    const std::uint32_t slot = start(processes_[client], now, reads, indeterminate);
    ++called_;
    schedule(next_call(ret), Kind::call, client);
    if (indeterminate) {
      processes_[client] += options_.clients;  // as Jepsen's clients go on
      settle_indeterminate(slot, now + 4 * (apply - now));
    } else {
      slots_[slot].operation.ret = ret;
      schedule(apply, Kind::apply, slot);
      schedule(ret, Kind::finish, slot);
    }
  }

  [[nodiscard]] double doubt(bool reads) const {
    return reads ? options_.indeterminate_takes.value_or(options_.indeterminate) : options_.indeterminate;
  }

  /// When an operation called now takes effect, and when it returns.
  std::pair<std::int64_t, std::int64_t> draw_times(std::int64_t now) {
    if (options_.rounds) {
      const std::int64_t start = now / (3 * kMeanDuration) * (3 * kMeanDuration);
      return {start + kMeanDuration + random_.below(kMeanDuration),
              start + 2 * kMeanDuration + random_.below(kMeanDuration)};
    }
    const std::int64_t duration = random_.exponential(kMeanDuration);
    return {now + random_.below(duration + 1), now + duration};
  }

  std::int64_t next_call(std::int64_t ret) {
    if (options_.rounds) return (ret / (3 * kMeanDuration) + 1) * (3 * kMeanDuration) + random_.below(kMeanDuration);
    const double gap = static_cast<double>(kMeanDuration) * (1 - options_.load) / options_.load;
    return ret + random_.exponential(static_cast<std::int64_t>(gap));
  }

  void call_early_write(std::uint32_t number) {
    const std::uint64_t process = (std::uint64_t{1} << 32) + number;
    const std::uint32_t slot = start(process, 0, false, true);
    const auto turns = static_cast<std::int64_t>(options_.operations / options_.clients);
    settle_indeterminate(slot, random_.below(turns * kMeanDuration + 1));
  }

  /// Half of the indeterminate operations never take effect.
  void settle_indeterminate(std::uint32_t slot, std::int64_t moment) {
    emit(slots_[slot].index, slots_[slot].operation);
    if (random_.chance(0.5)) {
      schedule(moment, Kind::apply, slot);
    } else {
      free_slots_.push_back(slot);
    }
  }

  std::uint32_t start(std::uint64_t process, std::int64_t now, bool reads, bool indeterminate) {
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    Running& running = slots_[slot] = Running{};
    running.index = first_waiting_ + waiting_.size();
    waiting_.emplace_back();
    running.reads = reads;
    running.operation.process = process;
    running.operation.call = running.operation.ret = now;
    running.operation.indeterminate = indeterminate;
    simulation_->call(running);
    return slot;
  }

  void finish(std::uint32_t slot) {
    Running& running = slots_[slot];
    free_slots_.push_back(slot);
    const bool paired = simulation_->has_paired_fault();
    if (!paired && is_fault_due(running)) fault_done_ = simulation_->corrupt(running);
    simulation_->finish(running);
    if (paired && is_fault_due(running) && running.operation.output != "null") {
      corrupt_paired(running);
    } else {
      emit(running.index, std::move(running.operation));
    }
  }

  /// Operations that may be the first of two stay back until a second is found, or they are far behind.
  void corrupt_paired(Running& running) {
    const std::uint64_t far = std::uint64_t{kFarBehind} * options_.clients;
    while (!firsts_.empty() && firsts_.front().index + far < running.index) release_first();
    fault_done_ = std::any_of(firsts_.begin(), firsts_.end(),
                              [&](Running& first) { return simulation_->corrupt_pair(first, running); });
    firsts_.push_back(std::move(running));
    if (fault_done_) release_firsts();
  }

  void release_first() {
    emit(firsts_.front().index, std::move(firsts_.front().operation));
    firsts_.pop_front();
  }
  void release_firsts() {
    while (!firsts_.empty()) release_first();
  }

  [[nodiscard]] bool is_fault_due(const Running& running) const {
    const bool concerns_reads = options_.fault != Fault::lost;
    return options_.fault != Fault::none && !fault_done_ && running.reads == concerns_reads &&
           static_cast<double>(running.index) >= options_.fault_at * static_cast<double>(options_.operations);
  }

  void emit(std::uint64_t index, WorkloadOperation operation) {
    waiting_[index - first_waiting_] = std::move(operation);
    while (!waiting_.empty() && waiting_.front()) {
      take_(*waiting_.front());
      waiting_.pop_front();
      ++first_waiting_;
    }
  }

  const WorkloadOptions& options_;
  const std::function<void(const WorkloadOperation&)>& take_;
  Random random_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::uint64_t> processes_;  // of the clients
  std::priority_queue<Event> events_;
  std::uint64_t scheduled_ = 0;
  std::uint64_t called_ = 0;
  std::vector<Running> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::deque<std::optional<WorkloadOperation>> waiting_;  // for their answers, and for those called before
  std::uint64_t first_waiting_ = 0;
  std::deque<Running> firsts_;  // that may be the first of two to be made wrong together
  bool fault_done_ = false;
};

template <typename Choice>
struct Named {
  std::string_view name;
  Choice choice;
};

constexpr std::array<Named<Object>, 12> kObjects = {{{"register", Object::reg},
                                                     {"kv", Object::kv},
                                                     {"log", Object::log},
                                                     {"multi-register", Object::multi_register},
                                                     {"queue", Object::queue},
                                                     {"stack", Object::stack},
                                                     {"bag", Object::bag},
                                                     {"priority-queue", Object::priority_queue},
                                                     {"set", Object::set},
                                                     {"counter", Object::counter},
                                                     {"bank", Object::bank},
                                                     {"s2", Object::s2}}};
constexpr std::array<Named<Fault>, 7> kFaults = {{{"none", Fault::none},
                                                  {"stale-read", Fault::stale_read},
                                                  {"wrong-record", Fault::wrong_record},
                                                  {"lost", Fault::lost},
                                                  {"duplicate", Fault::duplicate},
                                                  {"reordered", Fault::reordered},
                                                  {"wrong-sum", Fault::wrong_sum}}};

template <typename Choice, std::size_t Count>
Result<Choice> parse(std::string_view name, const char* what, const std::array<Named<Choice>, Count>& all) {
  std::string names;
  for (const Named<Choice>& named : all) {
    if (named.name == name) return named.choice;
    names += (names.empty() ? "" : ", ") + std::string(named.name);
  }
  return Error{ErrorCode::usage,
               "there is no " + std::string(what) + " \"" + std::string(name) + "\" (there are " + names + ")"};
}

bool is_container(Object object) {
  return object == Object::queue || object == Object::stack || object == Object::bag ||
         object == Object::priority_queue;
}

std::string bank_name() {
  std::string accounts;
  for (std::int64_t account = 0; account < kBankAccounts; ++account) {
    accounts += (accounts.empty() ? "{\"" : ",\"") + std::to_string(account) + "\":" + std::to_string(kBankBalance);
  }
  return "bank:accounts=" + accounts + "}";
}

}  // namespace

Result<Object> parse_object(std::string_view name) { return parse(name, "simulated object", kObjects); }
Result<Fault> parse_fault(std::string_view name) { return parse(name, "fault", kFaults); }

std::string model_name(Object object) {
  if (object == Object::bank) return bank_name();
  const auto* const named = std::find_if(kObjects.begin(), kObjects.end(),
                                         [&](const Named<Object>& known) { return known.choice == object; });
  return std::string(named->name);
}

bool is_possible(Fault fault, const WorkloadOptions& options) {
  const Object object = options.object;
  const bool container = is_container(object);
  if (container && options.values != 0) return fault == Fault::none;
  switch (fault) {
    case Fault::none:
      return true;
    case Fault::stale_read:
      return object != Object::bank;
    case Fault::wrong_record:
      return object == Object::log || object == Object::s2;
    case Fault::lost:
      return object == Object::log;
    case Fault::duplicate:
      return container;
    case Fault::reordered:
      return container && object != Object::bag;
    case Fault::wrong_sum:
      return object == Object::bank;
  }
  return false;
}

bool generate(const WorkloadOptions& options, const std::function<void(const WorkloadOperation&)>& take) {
  return Generator(options, take).run();
}

void append_json_line(const WorkloadOperation& operation, std::string& out) {
  out += "{\"process\":" + std::to_string(operation.process) + ",\"f\":\"" + operation.f + '"';
  if (operation.key >= 0) out += ",\"key\":\"k" + std::to_string(operation.key) + '"';
  out += ",\"input\":" + operation.input;
  if (operation.indeterminate) {
    out += ",\"type\":\"info\",\"call\":" + std::to_string(operation.call) + "}\n";
    return;
  }
  out += ",\"output\":" + operation.output + ",\"call\":" + std::to_string(operation.call) +
         ",\"return\":" + std::to_string(operation.ret) + "}\n";
}

std::string header_line(Object object) {
  std::string quoted;
  for (const char c : model_name(object)) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  return R"({"porpentine":1,"model":")" + quoted + "\",\"time-unit\":\"ns\"}\n";
}

std::string generate_text(const WorkloadOptions& options) {
  std::string text = header_line(options.object);
  const bool done = generate(options, [&](const WorkloadOperation& operation) { append_json_line(operation, text); });
  if (!done) throw std::invalid_argument("no operation could be made certain to be wrong");
  return text;
}

}  // namespace porpentine::simulate
