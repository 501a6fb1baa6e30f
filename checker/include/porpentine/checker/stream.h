// Is a history that is still going on linearizable so far? Operations arrive in order of time, the verdict is at hand
// at any moment, and memory follows what is running.
//
//     porpentine::Stream stream = porpentine::Stream::open("register").value();
//     stream.call("0", "write", "null", "1", 10);   // process, f, key, input, time: values are JSON
//     stream.ok("0", "null", 20);                   // process, output, time
//     stream.call("1", "read", "null", "null", 30);
//     stream.ok("1", "7", 40);
//     stream.advance(41);                           // nothing more will come at 40 or before
//     if (stream.verdict() == porpentine::Verdict::invalid) std::cerr << stream.failure()->message;
//
// Meaning: that of check(). Intervals are closed, so a return is judged when a later time has been told; a process
// orders its own operations also where their times tie; indeterminate operations stay available, failed ones are
// forgotten. A violation is told as soon as everything that was called by the return at fault has ended, and mostly
// before; it stays.
//
// The log has an exact monitor: O(1) amortized an event, and memory for the distinct records, about 4 bytes and the
// JSON text of each. All other models are searched breadth first by returns (Lowe, "Testing for linearizability", CCPE
// 2017, section 5), a key at a time: memory for the running operations, for the configurations that survive, and for
// those indeterminate operations that are not equal to others. checker/README.md tells both.
//
// Thread safety: none; different streams are independent.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <porpentine/checker/result.h>
#include <porpentine/history/result.h>

namespace porpentine {

struct StreamOptions {
  /// Bytes that the stream may hold; beyond it what needs the memory becomes unknown. Default: no limit.
  std::optional<std::uint64_t> memory_limit = {};
  /// Set it to true from any thread, or from a signal handler, and searches that are under way end in unknown.
  const std::atomic<bool>* cancel = nullptr;
  /// Where one operation goes on while so many events of its key wait for its output, it is taken for indeterminate.
  /// If it returns after all, its key is unknown from there on; a violation that was found holds whatever it returns.
  std::uint64_t most_waiting = 100'000;
  /// Steps of the model, for each operation of a key on average, beyond which the key becomes unknown.
  std::uint64_t steps_an_operation = 1'000;
};

/// The first violation.
struct StreamFailure {
  std::string key;                   ///< JSON; "null" where there is none
  std::uint64_t operation = 0;       ///< counted from 0 in order of the calls
  std::uint64_t line = 0;            ///< as it was told with the call
  std::uint64_t longest_prefix = 0;  ///< operations of its key that returned before it and can be placed
  std::string message;               ///< one line
};

struct StreamCounts {
  std::uint64_t operations = 0;
  std::uint64_t ok = 0;
  std::uint64_t fail = 0;
  std::uint64_t info = 0;  ///< without those that still run
  std::uint64_t keys = 0;
  std::uint64_t partitions = 0;
  std::uint64_t unknown_partitions = 0;
  /// Pairs of ok operations of different processes whose closed intervals overlap.
  std::uint64_t overlapping_pairs = 0;
};

class Stream {
 public:
  /// `model` with its options, as for make_specification.
  static Result<Stream> open(std::string_view model, const StreamOptions& options = {});
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;  // it may hold as much as its memory limit allows
  Stream& operator=(const Stream&) = delete;

  // What happens, in order of time. `process`, `key`, `input` and `output` are JSON texts, `key` "null" where there is
  // none, `f` is the bare name. An Error where this can't be: a second call of a process that is busy, a return without
  // a call, a time before one that was told, an `f` or a value that the model doesn't know. Nothing has changed then.

  /// `line` is where the call stands, for messages; 0: nowhere.
  std::optional<Error> call(std::string_view process, std::string_view f, std::string_view key, std::string_view input,
                            std::int64_t time, std::uint64_t line = 0);
  std::optional<Error> ok(std::string_view process, std::string_view output, std::int64_t time);
  /// It is known not to have taken effect.
  std::optional<Error> fail(std::string_view process);
  /// Nobody knows whether it took effect, or will.
  std::optional<Error> info(std::string_view process);
  /// Whatever comes next comes at `time` or later.
  std::optional<Error> advance(std::int64_t time);

  /// Of all that is decided so far; unknown where a limit keeps some key from being decided.
  [[nodiscard]] Verdict verdict() const;
  /// Whether the verdict at the end can't be unknown, as far as can be told.
  [[nodiscard]] bool is_certain() const;
  /// Where the verdict is unknown: which limit, and what it was about.
  [[nodiscard]] Limit limit() const;
  [[nodiscard]] const std::string& reason() const;
  /// Where the verdict is invalid.
  [[nodiscard]] const std::optional<StreamFailure>& failure() const;

  /// Invalid where it would be so if nothing more came, as far as that can be found out soon; else verdict(). Costs
  /// about as much as judging all that waits.
  [[nodiscard]] Verdict verdict_if_ended();
  /// Nothing more comes: what still runs is indeterminate.
  Verdict finish();

  [[nodiscard]] const StreamCounts& counts() const;
  /// Whether monitors judge, and not a search.
  [[nodiscard]] bool by_monitor() const;
  /// Bytes that the stream holds, estimated.
  [[nodiscard]] std::uint64_t memory() const;

 private:
  class Impl;
  explicit Stream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace porpentine
