#include "follow.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include <porpentine/history/event_reader.h>

namespace porpentine::cli {
namespace {

/// Text of a history that is kept, so that the check can have it after all.
constexpr std::uint64_t kMostKept = std::uint64_t{64} << 20;
/// After so long a pause, nothing more is expected at the time of the last event.
constexpr int kPauseMs = 500;

Error no_history() { return {ErrorCode::limit, "the history was not kept"}; }

class Follower {
 public:
  Follower(const std::string& file, const FollowOptions& options, ProgressLine& progress)
      : file_(file), options_(options), progress_(progress) {}

  Followed run() {
    ReadOptions reading = options_.reading;
    reading.progress = [this](std::uint64_t done, std::uint64_t total) {
      if (!stream_) return options_.reading.progress(done, total);
      progress_.following(file_, stream_->counts().operations);
      return !options_.cancel.load();
    };
    auto reader = EventReader::open(file_, reading);
    if (!reader) return {std::move(reader).error(), std::nullopt};
    reader_ = std::move(*reader);
    if (reader_->is_causal_trace()) {
      return {Error{ErrorCode::usage, "a causal trace in a pipe is judged with --model causal-delivery", file_},
              std::nullopt};
    }
    if (!reader_->has_events()) return {reader_->read_whole(), std::nullopt};
    text_.reserve(std::min(kMostKept, most_kept()));
    while (true) {
      if (!await_line()) return stopped(Limit::cancelled);
      if (failed()) return violated();
      const Result<bool> more = reader_->next(event_);
      if (!more && more.error().code == ErrorCode::limit) {
        return stopped(options_.cancel.load() ? Limit::cancelled : Limit::memory);
      }
      if (more && !*more) return finished();
      keep();
      if (!more) return refused(more.error());
      if (!stream_ && event_.type != ArrivingEvent::Type::nothing && !open_stream()) return whole();
      if (stream_ && event_.type != ArrivingEvent::Type::nothing) {
        if (event_.time < last_time_) return unordered();
        last_time_ = event_.time;
        if (const auto error = tell()) return refused(*error);
        if (failed()) return violated();
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t most_kept() const { return options_.memory_limit / 4; }
  [[nodiscard]] bool failed() const { return stream_ && stream_->verdict() == Verdict::invalid; }

  /// Waits until there is a line, or the end. After a pause it is asked what has happened so far; false: cancelled.
  bool await_line() {
    bool asked = false;
    while (!reader_->has_line()) {
      pollfd input = {STDIN_FILENO, POLLIN, 0};
      const int ready = ::poll(&input, 1, kPauseMs);
      if (options_.cancel.load()) return false;
      if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
      if (ready == 0 && stream_ && !std::exchange(asked, true) && stream_->verdict_if_ended() == Verdict::invalid) {
        return true;
      }
    }
    return true;
  }

  /// False where the check has to say why not.
  bool open_stream() {
    const std::string& model = options_.model.empty() ? reader_->model() : options_.model;
    if (model.empty()) return false;
    StreamOptions options;
    options.memory_limit = options_.memory_limit / 2;
    options.cancel = &options_.cancel;
    Result<Stream> stream = Stream::open(model, options);
    if (!stream) return false;
    model_ = model;
    stream_.emplace(std::move(*stream));
    return true;
  }

  std::optional<Error> tell() {
    std::optional<Error> error;
    switch (event_.type) {
      case ArrivingEvent::Type::call:
        error = stream_->call(event_.process, event_.f, event_.key, event_.value, event_.time, event_.line);
        break;
      case ArrivingEvent::Type::ok:
        error = stream_->ok(event_.process, event_.value, event_.time);
        break;
      case ArrivingEvent::Type::fail:
      case ArrivingEvent::Type::info:
        error = stream_->advance(event_.time);
        if (error) break;
        error =
            event_.type == ArrivingEvent::Type::fail ? stream_->fail(event_.process) : stream_->info(event_.process);
        break;
      case ArrivingEvent::Type::nothing:
        break;
    }
    // Positions differ: nothing else comes at this one.
    if (!error && !reader_->has_times()) error = stream_->advance(event_.time + 1);
    if (!error) return error;
    error->file = file_;
    error->line = event_.line;
    return error;
  }

  /// Keeps the line as long as the text is short, or the stream may need the check in the end.
  void keep() {
    if (!is_kept_) return;
    const bool wanted = !stream_ || !stream_->is_certain();
    const std::uint64_t most = wanted ? most_kept() : std::min(kMostKept, most_kept());
    if (text_.size() + event_.text.size() >= most) {
      is_kept_ = false;
      text_ = std::string();
      return;
    }
    text_.append(event_.text).push_back('\n');
  }

  [[nodiscard]] Result<History> kept_history() {
    if (!is_kept_) return no_history();
    const std::string text = std::move(text_);
    return read_history_text(text, options_.reading, file_);
  }

  Following following(Verdict verdict, Limit limit) {
    Following following;
    following.model = model_;
    following.verdict = verdict;
    following.limit = limit;
    following.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (!stream_) return following;
    following.reason = stream_->reason();
    following.failure = stream_->failure();
    following.counts = stream_->counts();
    const StreamCounts& counts = following.counts;
    following.running = counts.operations - counts.ok - counts.fail - counts.info;
    following.by_monitor = stream_->by_monitor();
    return following;
  }

  Followed violated() { return {kept_history(), following(Verdict::invalid, Limit::none)}; }
  Followed stopped(Limit limit) { return {no_history(), following(Verdict::unknown, limit)}; }

  Followed finished() {
    if (!stream_) return {kept_history(), std::nullopt};
    const Verdict verdict = stream_->finish();
    const Limit limit = verdict == Verdict::unknown ? stream_->limit() : Limit::none;
    return {kept_history(), following(verdict, limit)};
  }

  /// What is wrong is said by the reader and the check, if they still can.
  Followed refused(const Error& error) {
    Result<History> history = kept_history();
    const bool says_more = history ? error.code == ErrorCode::vocabulary : history.error().code != ErrorCode::limit;
    if (!says_more) return {error, std::nullopt};
    return {std::move(history), std::nullopt};
  }

  /// All of it, to be judged when it is there.
  Followed whole() {
    std::string_view line;
    while (true) {
      const Result<bool> more = reader_->next_text(line);
      if (!more) return {more.error(), std::nullopt};
      if (!*more) return {kept_history(), std::nullopt};
      if (text_.size() + line.size() >= options_.memory_limit / 2) {
        return {Error{ErrorCode::limit, "memory limit reached"}, std::nullopt};
      }
      text_.append(line).push_back('\n');
    }
  }

  Followed unordered() {
    if (is_kept_) return whole();
    return {Error{ErrorCode::order,
                  "the time " + std::to_string(event_.time) +
                      " is before that of an earlier line: so long a history is "
                      "judged while it comes, and has to come in order of time (a file does not)",
                  file_, event_.line},
            std::nullopt};
  }

  const std::string& file_;
  const FollowOptions& options_;
  ProgressLine& progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<EventReader> reader_;
  std::optional<Stream> stream_;
  std::string model_;
  ArrivingEvent event_;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
  std::string text_;  ///< of the lines so far
  bool is_kept_ = true;
};

}  // namespace

bool is_regular_input() {
  struct stat status = {};
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

Followed follow_input(const std::string& file, const FollowOptions& options, ProgressLine& progress) {
  return Follower(file, options, progress).run();
}

}  // namespace porpentine::cli
