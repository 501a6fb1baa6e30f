#include <porpentine/checker/stream.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include <porpentine/history/json.h>

#include "log_part.h"
#include "part.h"
#include "search_part.h"
#include "window.h"

namespace porpentine {

using detail::LogPart;
using detail::SearchPart;
using detail::StreamPart;
using detail::Window;

namespace {

/// Looks texts up without making a string of them.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

template <typename T>
using ByText = absl::flat_hash_map<std::string, T, TextHash, std::equal_to<>>;

}  // namespace

class Stream::Impl {
 public:
  Impl(std::unique_ptr<Window> window, const StreamOptions& options)
      : window_(std::move(window)), is_log_(window_->model().vocabulary(window_->history()).object == ObjectKind::log) {
    budget_.limit = options.memory_limit.value_or(std::numeric_limits<std::int64_t>::max());
    budget_.cancel = options.cancel;
    budget_.most_waiting = options.most_waiting;
    budget_.steps_an_operation = options.steps_an_operation;
  }

  std::optional<Error> call(std::string_view name, std::string_view f, std::string_view key, std::string_view input,
                            std::int64_t time, std::uint64_t line) {
    renew_if_stale();
    History& history = window_->history();
    if (auto error = come_to(time)) return error;
    if (const auto known = processes_.find(name); known != processes_.end() && known->second.part != nullptr) {
      return order_error("second call of process " + std::string(name) + " while " +
                         history.describe(known->second.row) + " is still running");
    }
    const Result<ValueId> process_id = intern_json(name, history.values);
    if (!process_id) return process_id.error();
    const Result<ValueId> key_id = intern_json(key, history.values);
    if (!key_id) return key_id.error();
    const Result<ValueId> input_id = intern_json(input, history.values);
    if (!input_id) return input_id.error();

    const std::uint32_t row = window_->add(*process_id, f);
    history.key[row] = *key_id;
    history.input[row] = *input_id;
    history.call[row] = history.ret[row] = time;
    history.line[row] = line;
    if (auto error = window_->model().validate(history, row)) {
      window_->release(row);
      return error;
    }
    begin(name, row, time);
    return std::nullopt;
  }

  std::optional<Error> ok(std::string_view name, std::string_view output, std::int64_t time) {
    renew_if_stale();
    if (auto error = come_to(time)) return error;
    const auto process = processes_.find(name);
    if (process == processes_.end() || process->second.part == nullptr) return no_call(name);
    History& history = window_->history();
    const Result<ValueId> output_id = intern_json(output, history.values);
    if (!output_id) return output_id.error();
    const std::uint32_t row = process->second.row;
    history.output[row] = *output_id;
    history.outcome[row] = Outcome::ok;
    if (auto error = window_->model().validate(history, row)) {
      history.output[row] = kNull;
      history.outcome[row] = Outcome::open;
      return error;
    }
    history.ret[row] = time;
    count_ok(process->second, time);
    StreamPart& part = *std::exchange(process->second.part, nullptr);
    idle_.emplace_back(name);
    part.ok(row, time);
    touch(part);
    return std::nullopt;
  }

  /// `indeterminate`, or it is known not to have happened.
  std::optional<Error> end(std::string_view name, bool indeterminate) {
    const auto process = processes_.find(name);
    if (process == processes_.end() || process->second.part == nullptr) return no_call(name);
    StreamPart& part = *std::exchange(process->second.part, nullptr);
    const std::uint32_t row = process->second.row;
    idle_.emplace_back(name);
    ++(indeterminate ? counts_.info : counts_.fail);
    indeterminate ? part.info(row) : part.fail(row);
    touch(part);
    return std::nullopt;
  }

  std::optional<Error> come_to(std::int64_t time) {
    if (time < now_) {
      return order_error("the time " + std::to_string(time) + " is before " + std::to_string(now_) +
                         ", which was told before");
    }
    if (time == now_) return std::nullopt;
    now_ = time;
    returned_before_ = counts_.ok;
    for (const std::string& name : std::exchange(idle_, {})) {
      const auto process = processes_.find(name);
      if (process != processes_.end() && process->second.part == nullptr) processes_.erase(process);
    }
    for (StreamPart* const part : std::exchange(touched_, {})) {
      part->touched = false;
      part->settle(time);
      look_at(*part);
    }
    return std::nullopt;
  }

  [[nodiscard]] Verdict verdict() const {
    if (failure_) return Verdict::invalid;
    return counts_.unknown_partitions > 0 ? Verdict::unknown : Verdict::valid;
  }

  Verdict verdict_if_ended() {
    for (const auto& [key, part] : parts_) {
      if (failure_) break;
      if (const auto fault = part->fault_if_ended()) fail(key, *fault);
    }
    return verdict();
  }

  Verdict finish() {
    for (const auto& [key, part] : parts_) {
      part->finish();
      look_at(*part);
    }
    return verdict();
  }

  [[nodiscard]] bool is_certain() const { return is_certain_; }
  [[nodiscard]] Limit limit() const { return doubt_.reason.empty() ? Limit::none : doubt_.limit; }
  [[nodiscard]] const std::string& reason() const { return doubt_.reason; }
  [[nodiscard]] const std::optional<StreamFailure>& failure() const { return failure_; }
  [[nodiscard]] const StreamCounts& counts() const { return counts_; }
  [[nodiscard]] bool by_monitor() const { return is_log_; }
  [[nodiscard]] std::uint64_t memory() const { return budget_.held + window_->memory() + processes_.size() * 96; }

 private:
  struct Process {
    std::uint64_t id = 0;
    std::uint32_t row = 0;
    StreamPart* part = nullptr;                ///< null where it is idle
    std::uint64_t returned_before = 0;         ///< the call: ok operations
    std::optional<std::int64_t> last_ok = {};  ///< when it last returned
    bool follows = false;                      ///< an operation of the process that returned at the time of the call
    bool was_instant = false;                  ///< that operation was called at that time as well
    std::uint64_t chain = 0;                   ///< how many of the process before it share that time
  };

  static Error order_error(std::string message) { return {ErrorCode::order, std::move(message)}; }
  static Error no_call(std::string_view name) {
    return order_error("return without a call by process " + std::string(name));
  }

  void begin(std::string_view name, std::uint32_t row, std::int64_t time) {
    const auto [place, is_new] = processes_.try_emplace(name);
    Process& process = place->second;
    if (is_new) process.id = next_process_++;
    process.follows = process.last_ok == time;
    process.row = row;
    process.part = &part_of(window_->history().key[row]);
    process.returned_before = returned_before_;
    process.part->call(row, counts_.operations, process.id, time);
    ++counts_.operations;
    touch(*process.part);
  }

  StreamPart& part_of(ValueId key) {
    const bool split = window_->model().splits_keys();
    key_.clear();
    window_->history().values.append_json(split ? key : kNull, key_);
    const auto [place, is_new] = parts_.try_emplace(key_);
    if (is_new) {
      if (is_log_) {
        place->second = std::make_unique<LogPart>(*window_, budget_);
      } else {
        place->second = std::make_unique<SearchPart>(*window_, budget_);
      }
      place->second->key = place->first;
      ++counts_.partitions;
      if (split && key != kNull) ++counts_.keys;
    }
    return *place->second;
  }

  void touch(StreamPart& part) {
    if (!part.touched) touched_.push_back(&part);
    part.touched = true;
    look_at(part);
  }

  /// Takes over what a part has found.
  void look_at(StreamPart& part) {
    const std::uint64_t memory = part.memory();
    budget_.held += memory - part.counted_memory;
    part.counted_memory = memory;
    if (part.fault() && !failure_) fail(part.key, *part.fault());
    if (!part.is_certain()) is_certain_ = false;
    if (!part.doubt() || part.counted_doubt) return;
    part.counted_doubt = true;
    ++counts_.unknown_partitions;
    if (!doubt_.reason.empty()) return;
    doubt_ = *part.doubt();
    if (part.key != "null") doubt_.reason = "key " + part.key + ": " + doubt_.reason;
  }

  void fail(const std::string& key, const detail::StreamFault& fault) {
    failure_ = StreamFailure{key, fault.operation, fault.line, fault.longest_prefix, fault.message};
  }

  /// Pairs that overlap are all pairs but those that one of the two begins after the other, by time or in its process.
  void count_ok(Process& process, std::int64_t time) {
    const bool is_instant = window_->history().call[process.row] == time;
    process.chain = !process.follows ? 0 : process.was_instant ? process.chain + 1 : 1;
    counts_.overlapping_pairs += counts_.ok - process.returned_before - process.chain;
    ++counts_.ok;
    process.was_instant = is_instant;
    process.last_ok = time;
  }

  void renew_if_stale() {
    if (!window_->is_stale()) return;
    window_->renew([&](const StateArchive::Translation& translation) {
      for (const auto& [key, part] : parts_) part->translate(translation);
    });
  }

  std::unique_ptr<Window> window_;
  bool is_log_;
  detail::StreamBudget budget_;
  std::int64_t now_ = std::numeric_limits<std::int64_t>::min();
  ByText<Process> processes_;  ///< those that run, or returned at the present time
  std::vector<std::string> idle_;
  std::uint64_t next_process_ = 0;
  ByText<std::unique_ptr<StreamPart>> parts_;  ///< by key, as JSON
  std::string key_;                            ///< scratch
  std::vector<StreamPart*> touched_;
  std::uint64_t returned_before_ = 0;  ///< the present time: ok operations
  StreamCounts counts_;
  std::optional<StreamFailure> failure_;
  detail::Doubt doubt_;
  bool is_certain_ = true;
};

Stream::Stream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

Result<Stream> Stream::open(std::string_view model, const StreamOptions& options) {
  auto window = Window::open(model);
  if (!window) return std::move(window).error();
  return Stream(std::make_unique<Impl>(std::move(*window), options));
}

std::optional<Error> Stream::call(std::string_view process, std::string_view f, std::string_view key,
                                  std::string_view input, std::int64_t time, std::uint64_t line) {
  return impl_->call(process, f, key, input, time, line);
}

std::optional<Error> Stream::ok(std::string_view process, std::string_view output, std::int64_t time) {
  return impl_->ok(process, output, time);
}

std::optional<Error> Stream::fail(std::string_view process) { return impl_->end(process, false); }

std::optional<Error> Stream::info(std::string_view process) { return impl_->end(process, true); }

std::optional<Error> Stream::advance(std::int64_t time) { return impl_->come_to(time); }

Verdict Stream::verdict() const { return impl_->verdict(); }

bool Stream::is_certain() const { return impl_->is_certain(); }

Limit Stream::limit() const { return impl_->limit(); }

const std::string& Stream::reason() const { return impl_->reason(); }

const std::optional<StreamFailure>& Stream::failure() const { return impl_->failure(); }

Verdict Stream::verdict_if_ended() { return impl_->verdict_if_ended(); }

Verdict Stream::finish() { return impl_->finish(); }

const StreamCounts& Stream::counts() const { return impl_->counts(); }

bool Stream::by_monitor() const { return impl_->by_monitor(); }

std::uint64_t Stream::memory() const { return impl_->memory(); }

}  // namespace porpentine
