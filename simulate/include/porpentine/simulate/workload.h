// Histories of a simulated system, for benchmarks and tests: correct by construction, or with one certain fault.
//
// Each operation takes effect at one random moment between its call and its return, and answers what the
// simulated object holds at that moment; so the order of these moments is a linearization. A fault changes the
// answers of one operation, or of two, to what no linearization explains. Operations are handed on in order of their
// calls, each as soon as its answer is known, so memory follows the number of clients and of indeterminate writes and
// what the object holds, and not the length.
//
// All arithmetic is on integers: equal options give equal histories on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <porpentine/history/result.h>

namespace porpentine::simulate {

/// What the simulated clients work on.
enum class Object : std::uint8_t {
  reg,             ///< `register`: read, write, cas
  kv,              ///< `kv`: get, put, cas
  log,             ///< `log`: append, read, tail
  multi_register,  ///< `multi-register`: txn
  queue,           ///< `queue`: enqueue, dequeue
  stack,           ///< `stack`: push, pop
  bag,             ///< `bag`: enqueue, dequeue
  priority_queue,  ///< `priority-queue`: insert, pop-min
  set,             ///< `set`: add, remove, contains
  counter,         ///< `counter`: add, read
  bank,            ///< `bank`, of eight accounts: transfer, read
  s2,              ///< `s2`: append, read, check-tail
};

/// Queues, stacks, bags and priority queues are containers.
enum class Fault : std::uint8_t {
  none,
  /// One read answers from a state that was gone before the read was called: a value that had been
  /// overwritten (register, kv, multi-register), nothing where a record had been appended (log, s2) or a value put in
  /// (container), the other of in and out (set), less than had been added (counter).
  stale_read,
  wrong_record,  ///< one read answers with another record's value (log), or another hash (s2)
  lost,          ///< one append is told the offset of another (log)
  duplicate,     ///< two takes have one value (container)
  reordered,     ///< two takes have each other's value (queue, stack, priority queue)
  wrong_sum,     ///< one read shows balances of another sum than that which transfers keep (bank)
};

struct WorkloadOptions {
  Object object = Object::reg;
  std::uint64_t operations = 1000;
  std::uint32_t clients = 16;
  std::uint32_t keys = 1;    ///< one: the operations have no key (multi-register: registers, at least 2)
  double read_share = 0.5;   ///< of the operations; a quarter of a log's ask for its tail
  double cas_share = 0;      ///< of the operations that write; register and kv
  double indeterminate = 0;  ///< the share of the writes, and of the takes, whose outcome nobody knows
  std::optional<double> indeterminate_takes = {};  ///< that of the takes, where it differs
  std::uint32_t indeterminate_start = 0;  ///< indeterminate writes called before everything else, on top of operations
  /// Values are drawn from 1 to this; 0: each is written once. Elements of a set, amounts added or transferred; 0: 100
  /// elements, amounts up to 10.
  std::uint64_t values = 0;
  std::uint64_t min_held = 0;    ///< clients put where the containers hold fewer values than this together,
  std::uint64_t max_held = 256;  ///< and take where they hold as many as this
  double load = 0.95;            ///< the share of its time that a client waits for an answer
  /// All clients call, then all return, and again: every operation of a round overlaps all others.
  bool rounds = false;
  Fault fault = Fault::none;
  double fault_at = 0.99;  ///< the fault is in the first suitable operation after this share of all
  std::uint64_t seed = 1;
};

/// One operation; input and output are JSON, the key is -1 where there is none.
struct WorkloadOperation {
  std::uint64_t process = 0;
  const char* f = "";
  std::int64_t key = -1;
  std::string input = "null";
  std::string output = "null";
  std::int64_t call = 0;
  std::int64_t ret = 0;
  bool indeterminate = false;
};

/// "register", "kv", ... : the model's name without options; an Error that lists them otherwise.
Result<Object> parse_object(std::string_view name);
/// "none", "stale-read", "wrong-record", "lost", "duplicate", "reordered", "wrong-sum"; an Error that lists them
/// otherwise.
Result<Fault> parse_fault(std::string_view name);

/// The model that judges the object's histories, with its options.
std::string model_name(Object object);

/// Whether histories with these options can have the fault. A container's values have to be written once.
bool is_possible(Fault fault, const WorkloadOptions& options);

/// Gives every operation to `take`, in order of the calls. False where a fault was asked for and nothing after
/// fault_at could be made certain to be wrong; the history is valid then.
bool generate(const WorkloadOptions& options, const std::function<void(const WorkloadOperation&)>& take);

/// The first line of a file: which model judges it.
std::string header_line(Object object);

/// Appends the operation as one line of JSON.
void append_json_line(const WorkloadOperation& operation, std::string& out);

/// The whole history as JSON Lines with a header. A fault that was asked for must be possible.
std::string generate_text(const WorkloadOptions& options);

}  // namespace porpentine::simulate
