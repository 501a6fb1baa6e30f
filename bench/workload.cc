#include "workload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace porpentine::bench {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNothing = -1;  // the value of a register that was never written
constexpr std::int64_t kMeanDuration = 1000;

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to bound - 1; the bias is far below what a benchmark could notice.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>((bits() >> 1) % static_cast<std::uint64_t>(bound));
  }
  bool chance(double probability) { return static_cast<double>(bits() >> 11) < probability * 0x1p53; }
  /// At least 1, about `mean` on average: the exponential distribution, drawn as straight lines between the points
  /// where it halves.
  std::int64_t exponential(std::int64_t mean) {
    const std::uint64_t draw = bits();
    const auto halvings = static_cast<std::int64_t>(std::countl_zero(draw | 1));
    const auto fraction = static_cast<std::int64_t>(draw & 0xffff);
    return 1 + mean * 2 * (halvings * 0x10000 + fraction) / (3 * 0x10000);
  }

 private:
  std::uint64_t state_;
};

// One register of a transaction, with the value that is written or was read.
struct Access {
  std::int64_t key = 0;
  std::int64_t value = kNothing;
};

// An operation on its way.
struct Running {
  WorkloadOperation operation;
  std::uint64_t index = 0;
  bool reads = false;
  std::int64_t key = 0;
  std::int64_t value = kNothing;       // that is written
  std::int64_t expected = kNothing;    // by a cas
  std::int64_t position = 0;           // in a log
  std::vector<Access> accesses;        // of a transaction
  std::vector<std::uint64_t> records;  // their hashes, of an append to a stream
};

std::string json(std::int64_t value) { return value == kNothing ? "null" : std::to_string(value); }

// The object that the clients work on, and what it knows of the recent past to make a fault certain.
class Simulation {
 public:
  Simulation(const WorkloadOptions& options, Random& random) : options_(options), random_(random) {}
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;  // it refers to the generator's random numbers
  Simulation& operator=(const Simulation&) = delete;

  /// Fills in f, key and input.
  virtual void call(Running& running) = 0;
  /// The operation takes effect now; fills in the output.
  virtual void apply(Running& running) = 0;
  /// The operation returns now.
  virtual void finish(const Running& running) = 0;
  /// Changes the output of a read that returns now to one that is certainly wrong; false where it can't.
  virtual bool corrupt(Running& running) = 0;

 protected:
  std::int64_t next_value() {
    if (options_.values == 0) return ++written_;
    return 1 + random_.below(static_cast<std::int64_t>(options_.values));
  }

  const WorkloadOptions& options_;
  Random& random_;

 private:
  std::int64_t written_ = 0;
};

// Which values one register can certainly not hold any more.
//
// A read called at c is certainly wrong to return v where some write of another value returned before c and was
// called after every write of v that was ever called had returned: whatever the order, v was overwritten and
// not written again. So a write of v that still runs, or whose outcome is not known, rules v out.
class Overwritten {
 public:
  void call(std::int64_t value, bool indeterminate) {
    if (indeterminate) {
      unsettled_.insert(value);
    } else {
      running_.push_back(value);
    }
  }

  void finish(std::int64_t value, const WorkloadOperation& write, bool took_effect) {
    running_.erase(std::find(running_.begin(), running_.end(), value));
    if (!took_effect) return;
    recent_.push_back({value, write.call, write.ret});
    if (recent_.size() > kRemembered) recent_.pop_front();
  }

  /// A value that a read called at `call` can't see, or nothing.
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t call) const {
    for (auto candidate = recent_.rbegin(); candidate != recent_.rend(); ++candidate) {
      if (is_gone(candidate->value, last_return(candidate->value), call)) return candidate->value;
    }
    return std::nullopt;
  }

 private:
  struct Write {
    std::int64_t value, call, ret;
  };
  static constexpr std::size_t kRemembered = 256;

  // Writes are remembered in order of their returns, so the last one that is remembered is the last there was.
  [[nodiscard]] std::int64_t last_return(std::int64_t value) const {
    return std::find_if(recent_.rbegin(), recent_.rend(), [&](const Write& w) { return w.value == value; })->ret;
  }
  [[nodiscard]] bool is_gone(std::int64_t value, std::int64_t last_return, std::int64_t call) const {
    if (std::find(running_.begin(), running_.end(), value) != running_.end()) return false;
    if (unsettled_.count(value) > 0) return false;
    return std::any_of(recent_.begin(), recent_.end(), [&](const Write& w) {
      return w.value != value && w.call > last_return && w.ret < call;
    });
  }

  std::vector<std::int64_t> running_;
  std::set<std::int64_t> unsettled_;
  std::deque<Write> recent_;
};

class Registers : public Simulation {
 public:
  Registers(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), held_(options.keys, kNothing), past_(options.keys) {}

  void call(Running& running) override {
    running.key = random_.below(options_.keys);
    if (options_.keys > 1) running.operation.key = running.key;
    const bool kv = options_.object == Object::kv;
    if (running.reads) {
      running.operation.f = kv ? "get" : "read";
      return;
    }
    running.value = next_value();
    past(running).call(running.value, running.operation.indeterminate);
    if (!random_.chance(options_.cas_share)) {
      running.operation.f = kv ? "put" : "write";
      running.operation.input = json(running.value);
      return;
    }
    running.operation.f = "cas";
    running.expected = options_.values == 0 ? held(running) : next_value();
    running.operation.input = "[" + json(running.expected) + "," + json(running.value) + "]";
  }

  void apply(Running& running) override {
    if (running.reads) {
      running.operation.output = json(held(running));
    } else if (running.operation.f == std::string_view("cas")) {
      const bool matches = held(running) == running.expected;
      running.operation.output = matches ? "true" : "false";
      if (matches) held(running) = running.value;
    } else {
      held(running) = running.value;
    }
  }

  void finish(const Running& running) override {
    if (!running.reads) past(running).finish(running.value, running.operation, running.operation.output != "false");
  }

  bool corrupt(Running& running) override {
    const std::optional<std::int64_t> gone = past(running).find(running.operation.call);
    if (gone) running.operation.output = json(*gone);
    return gone.has_value();
  }

 private:
  std::int64_t& held(const Running& running) { return held_[static_cast<std::size_t>(running.key)]; }
  Overwritten& past(const Running& running) { return past_[static_cast<std::size_t>(running.key)]; }

  std::vector<std::int64_t> held_;
  std::vector<Overwritten> past_;
};

// Transactions of two registers: both are read, or both are written.
class MultiRegister : public Simulation {
 public:
  MultiRegister(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), held_(options.keys, kNothing), past_(options.keys) {}

  void call(Running& running) override {
    const std::int64_t first = random_.below(options_.keys);
    const std::int64_t second = (first + 1 + random_.below(options_.keys - 1)) % options_.keys;
    running.accesses = {{first, kNothing}, {second, kNothing}};
    running.operation.f = "txn";
    if (!running.reads) {
      for (Access& access : running.accesses) {
        access.value = next_value();
        past(access).call(access.value, running.operation.indeterminate);
      }
    }
    running.operation.input = text(running);
  }

  void apply(Running& running) override {
    for (Access& access : running.accesses) {
      std::int64_t& held = held_[static_cast<std::size_t>(access.key)];
      if (running.reads) {
        access.value = held;
      } else {
        held = access.value;
      }
    }
    running.operation.output = text(running);
  }

  void finish(const Running& running) override {
    if (running.reads) return;
    for (const Access& access : running.accesses) past(access).finish(access.value, running.operation, true);
  }

  bool corrupt(Running& running) override {
    const std::optional<std::int64_t> gone = past(running.accesses.front()).find(running.operation.call);
    if (!gone) return false;
    running.accesses.front().value = *gone;
    running.operation.output = text(running);
    return true;
  }

 private:
  Overwritten& past(const Access& access) { return past_[static_cast<std::size_t>(access.key)]; }

  static std::string text(const Running& running) {
    std::string out;
    for (const Access& access : running.accesses) {
      out += out.empty() ? "[" : ",";
      out += running.reads ? "[\"r\",\"k" : "[\"w\",\"k";
      out += std::to_string(access.key) + "\"," + json(access.value) + "]";
    }
    return out + "]";
  }

  std::vector<std::int64_t> held_;
  std::vector<Overwritten> past_;
};

// Reads ask for one of the last records, or for one of the two positions after them.
class Logs : public Simulation {
 public:
  Logs(const WorkloadOptions& options, Random& random)
      : Simulation(options, random), logs_(options.keys, Log(kRememberedPerClient * options.clients)) {}

  void call(Running& running) override {
    running.key = random_.below(options_.keys);
    if (options_.keys > 1) running.operation.key = running.key;
    if (!running.reads) {
      running.operation.f = "append";
      running.value = next_value();
      running.operation.input = json(running.value);
    } else if (random_.chance(kTailShare)) {
      running.operation.f = "tail";
    } else {
      running.operation.f = "read";
      running.position = std::max<std::int64_t>(0, log(running).length + 1 - random_.below(kReadable));
      running.operation.input = json(running.position);
    }
  }

  void apply(Running& running) override {
    Log& log = this->log(running);
    if (!running.reads) {
      running.position = log.length++;
      log.record(running.position) = {running.value, kNever};
      running.operation.output = json(running.position);
    } else if (is_tail(running)) {
      running.operation.output = json(log.length);
    } else if (running.position < log.length) {
      if (!log.holds(running.position)) throw std::length_error("the log ran away from one of its reads");
      running.operation.output = json(log.record(running.position).value);
    }
  }

  void finish(const Running& running) override {
    Log& log = this->log(running);
    if (!running.reads && log.holds(running.position)) log.record(running.position).returned = running.operation.ret;
  }

  // An append that returned its offset says for certain what is there from its return on.
  bool corrupt(Running& running) override {
    Log& log = this->log(running);
    if (is_tail(running) || !log.holds(running.position)) return false;
    const Record& record = log.record(running.position);
    if (record.returned >= running.operation.call) return false;
    if (options_.fault == Fault::stale_read) {
      running.operation.output = "null";
      return true;
    }
    const std::int64_t other = log.record(std::max<std::int64_t>(0, running.position - 1)).value;
    running.operation.output = json(other);
    return other != record.value;
  }

 private:
  static constexpr std::int64_t kReadable = 32;
  // No operation lasts longer than 45 of average length, so no read meets more appends than this by far.
  static constexpr std::size_t kRememberedPerClient = 256;
  static constexpr double kTailShare = 0.25;

  struct Record {
    std::int64_t value = kNothing;
    std::int64_t returned = kNever;  // when its append did
  };
  class Log {
   public:
    explicit Log(std::size_t remembered) : recent_(remembered) {}

    std::int64_t length = 0;

    Record& record(std::int64_t position) { return recent_[static_cast<std::size_t>(position) % recent_.size()]; }
    [[nodiscard]] bool holds(std::int64_t position) const {
      return position < length && position >= length - static_cast<std::int64_t>(recent_.size());
    }

   private:
    std::vector<Record> recent_;  // the last ones, around a ring
  };

  static bool is_tail(const Running& running) { return running.operation.f == std::string_view("tail"); }
  Log& log(const Running& running) { return logs_[static_cast<std::size_t>(running.key)]; }

  std::vector<Log> logs_;
};

// Reads show the hash of all records. Appends add one to three, and demand the tail that they were called at where
// their outcome is unknown, every other time.
class Streams : public Simulation {
 public:
  Streams(const WorkloadOptions& options, Random& random) : Simulation(options, random), streams_(options.keys) {}

  void call(Running& running) override {
    running.key = random_.below(options_.keys);
    if (options_.keys > 1) running.operation.key = running.key;
    if (running.reads) {
      running.operation.f = random_.chance(kTailShare) ? "check-tail" : "read";
      return;
    }
    running.operation.f = "append";
    std::string hashes;
    for (std::int64_t count = 1 + random_.below(kMostRecords); count > 0; --count) {
      const std::uint64_t hash = hash_of(static_cast<std::uint64_t>(next_value()), 0);
      running.records.push_back(hash);
      hashes += (hashes.empty() ? "" : ",") + decimal(hash);
    }
    running.operation.input = R"({"record_hashes":[)" + hashes + "]";
    if (running.operation.indeterminate && random_.chance(0.5)) {
      running.expected = stream(running).tail;
      running.operation.input += R"(,"match_seq_num":)" + json(running.expected);
    }
    running.operation.input += "}";
  }

  void apply(Running& running) override {
    Stream& stream = this->stream(running);
    if (running.reads) {
      running.operation.output = shown(running, stream);
      return;
    }
    if (running.expected != kNothing && running.expected != stream.tail) return;
    for (const std::uint64_t record : running.records) stream.hash = hash_of(record, stream.hash);
    stream.tail += static_cast<std::int64_t>(running.records.size());
    running.operation.output = json(stream.tail);
  }

  void finish(const Running& running) override {
    Stream& stream = this->stream(running);
    if (!running.reads) stream.first_returned = std::min(stream.first_returned, running.operation.ret);
  }

  // A stream that an append to it has returned from isn't empty; and that two streams have one hash nobody will see.
  bool corrupt(Running& running) override {
    const bool is_read = running.operation.f == std::string_view("read");
    Stream& stream = this->stream(running);
    if (options_.fault == Fault::stale_read) {
      if (stream.first_returned >= running.operation.call) return false;
      running.operation.output = shown(running, Stream{});
      return true;
    }
    if (!is_read) return false;
    running.operation.output = shown(running, Stream{stream.tail, ~stream.hash});
    return true;
  }

 private:
  static constexpr std::int64_t kMostRecords = 3;
  static constexpr double kTailShare = 0.25;

  struct Stream {
    std::int64_t tail = 0;
    std::uint64_t hash = 0;
    std::int64_t first_returned = kNever;  // of its appends
  };

  /// XXH3 of the eight bytes of `number`, the lowest first.
  static std::uint64_t hash_of(std::uint64_t number, std::uint64_t seed) {
    std::array<unsigned char, sizeof number> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(number >> (8 * i));
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
  }
  static std::string decimal(std::uint64_t hash) { return '"' + std::to_string(hash) + '"'; }
  static std::string shown(const Running& running, const Stream& stream) {
    if (running.operation.f == std::string_view("check-tail")) return json(stream.tail);
    return R"({"tail":)" + json(stream.tail) + R"(,"stream_hash":)" + decimal(stream.hash) + "}";
  }
  Stream& stream(const Running& running) { return streams_[static_cast<std::size_t>(running.key)]; }

  std::vector<Stream> streams_;
};

std::unique_ptr<Simulation> make_simulation(const WorkloadOptions& options, Random& random) {
  switch (options.object) {
    case Object::multi_register:
      return std::make_unique<MultiRegister>(options, random);
    case Object::log:
      return std::make_unique<Logs>(options, random);
    case Object::s2:
      return std::make_unique<Streams>(options, random);
    default:
      return std::make_unique<Registers>(options, random);
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
    return options_.fault == Fault::none || fault_done_;
  }

 private:
  // Where times tie, calls come first: whatever is concurrent with an operation was called when it returns.
  enum class Kind : std::uint8_t { call, apply, finish };

  struct Event {
    std::int64_t time;
    Kind kind;
    std::uint64_t order;  // of scheduling
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
    const bool reads = random_.chance(options_.read_share);
    const bool indeterminate = !reads && random_.chance(options_.indeterminate);
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
    simulation_->finish(running);
    if (is_fault_due(running)) fault_done_ = simulation_->corrupt(running);
    emit(running.index, std::move(running.operation));
    free_slots_.push_back(slot);
  }

  [[nodiscard]] bool is_fault_due(const Running& running) const {
    return options_.fault != Fault::none && !fault_done_ && running.reads &&
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
  bool fault_done_ = false;
};

}  // namespace

const char* model_name(Object object) {
  switch (object) {
    case Object::kv:
      return "kv";
    case Object::log:
      return "log";
    case Object::multi_register:
      return "multi-register";
    case Object::s2:
      return "s2";
    default:
      return "register";
  }
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
  return std::string(R"({"porpentine":1,"model":")") + model_name(object) + "\",\"time-unit\":\"ns\"}\n";
}

std::string generate_text(const WorkloadOptions& options) {
  std::string text = header_line(options.object);
  const bool done = generate(options, [&](const WorkloadOperation& operation) { append_json_line(operation, text); });
  if (!done) throw std::invalid_argument("no read could be made certain to be wrong");
  return text;
}

}  // namespace porpentine::bench
