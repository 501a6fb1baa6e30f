#include "judge.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include <porpentine/checker/check.h>
#include <porpentine/models/specification.h>

namespace porpentine::cli {
namespace {

/// What the process may still take, at least one byte: where 0 stands for "no limit".
std::uint64_t memory_left(std::uint64_t limit) {
  const std::uint64_t held = resident_memory();
  return limit > held ? limit - held : 1;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The built-in models that take every operation of the history.
std::vector<std::string> fitting_models(History& history) {
  std::vector<std::string> names;
  for (const ModelInfo& info : models()) {
    const Result<std::unique_ptr<Specification>> model = make_specification(info.name, history.values);
    if (model && !(*model)->validate(history)) names.push_back(info.name);
  }
  return names;
}

Error no_model(History& history) {
  const std::vector<std::string> names = fitting_models(history);
  std::string message =
      "which model? Name one with --model NAME, or in a first line {\"porpentine\": 1, \"model\": \"NAME\"}; ";
  message += names.empty() ? "no built-in model takes all operations of this history (" + join(history.functions) +
                                 "), 'porpentine models' lists what they take"
                           : "these take all operations of this history: " + join(names);
  return Error{ErrorCode::usage, std::move(message), history.file};
}

Error no_trace_model(const std::string& model, std::uint64_t line) {
  return Error{ErrorCode::usage,
               "these are the events of a causal trace, which the model " + std::string(kCausalModel) +
                   " judges and not " + model,
               {},
               line};
}

CheckResult stopped(Limit limit) {
  CheckResult result;
  result.verdict = Verdict::unknown;
  result.limit = limit;
  return result;
}

/// As far as it goes without the history: verdict, limit, and how many partitions have which.
CheckResult result_of(const Following& following) {
  CheckResult result;
  result.verdict = following.verdict;
  result.limit = following.limit;
  result.elapsed_s = following.elapsed_s;
  const StreamCounts& counts = following.counts;
  result.partitions.resize(counts.partitions);
  for (std::uint64_t part = 0; part < counts.partitions; ++part) {
    result.partitions[part].by_monitor = following.by_monitor;
    result.partitions[part].verdict = part < counts.unknown_partitions ? Verdict::unknown : Verdict::valid;
  }
  if (following.verdict == Verdict::invalid) result.partitions.back().verdict = Verdict::invalid;
  return result;
}

class Judge {
 public:
  Judge(const JudgeOptions& options, const std::atomic<bool>& cancel, ProgressLine& progress, Judgement& judgement)
      : options_(options), cancel_(cancel), progress_(progress), judgement_(judgement) {}

  void run() {
    if (judge_trace() || !read()) return;
    std::unique_ptr<Specification> model = choose_model();
    if (model == nullptr || !validate(*model)) return;
    check(*model);
    if (options_.find_orders) find_orders(*model);
    judgement_.specification = std::move(model);
  }

 private:
  [[nodiscard]] ReadOptions reading() {
    ReadOptions options = options_.reading;
    options.memory_limit = memory_left(options_.memory_limit);
    options.progress = [this](std::uint64_t done, std::uint64_t total) {
      progress_.reading(judgement_.file, done, total);
      return !cancel_.load();
    };
    return options;
  }

  /// False where the input is no causal trace. What is to be followed can be read once, and is looked at only where
  /// that model is named.
  bool judge_trace() {
    const bool named = options_.model == kCausalModel;
    const Format format = options_.reading.format;
    if (!named && follows()) return false;
    if (format != Format::automatic && format != Format::jsonl) return false;
    const ReadOptions options = reading();
    auto reader = CausalTraceReader::open(judgement_.file, options);
    const Result<bool> is_trace = reader ? (*reader)->is_trace() : Result<bool>(reader.error());
    if (is_trace && *is_trace) {
      const std::string& header = (*reader)->header_model();
      if (!named && !options_.model.empty()) {
        fail(no_trace_model(options_.model, 0));
      } else if (!named && !header.empty() && header != kCausalModel) {
        fail(no_trace_model(header, 1));
      } else {
        judge_trace(**reader);
      }
      return true;
    }
    // Pipes can be opened once.
    input_.emplace(is_trace ? (*reader)->read_history() : Result<History>(is_trace.error()));
    return false;
  }

  void judge_trace(CausalTraceReader& reader) {
    CheckOptions options = options_.checking;
    options.memory_limit = memory_left(options_.memory_limit);
    options.cancel = &cancel_;
    auto judged = judge_causal(reader, judgement_.file, options_.keep_history, options, options_.causal_detail);
    if (!judged) return fail(std::move(judged).error());
    judgement_.take(std::move(*judged));
  }

  [[nodiscard]] Result<History> read_as_history(const ReadOptions& options) {
    if (input_) return std::move(*input_);
    return follows() ? follow(options) : read_history(judgement_.file, options);
  }

  bool read() {
    const ReadOptions options = reading();
    Result<History> history = read_as_history(options);
    if (judgement_.following && !history) {
      judgement_.model = judgement_.following->model;
      judgement_.result = result_of(*judgement_.following);
    }
    if (history) {
      judgement_.history = std::make_shared<History>(std::move(*history));
      return true;
    }
    refuse(std::move(history).error());
    return false;
  }

  /// Whether it is judged while it comes. Whoever asks for a certain way of checking gets it, once all is there.
  [[nodiscard]] bool follows() const {
    const CheckOptions& checking = options_.checking;
    return judgement_.file == "-" && !options_.keep_history && checking.engine == Engine::automatic &&
           checking.order == SearchOrder::portfolio && !checking.verify && !checking.step_limit && !is_regular_input();
  }

  /// An Error of code `limit` where there is no history because it was too long to be kept, or was ended.
  Result<History> follow(const ReadOptions& options) {
    FollowOptions following{options_.model, options, cancel_, memory_left(options_.memory_limit)};
    Followed followed = follow_input(judgement_.file, following, progress_);
    judgement_.following = std::move(followed.following);
    return std::move(followed.history);
  }

  /// What stopped the reading: a limit, a signal, or the input's fault.
  void refuse(Error error) {
    if (error.code == ErrorCode::limit) {
      if (judgement_.following) return;
      judgement_.result = stopped(cancel_.load() ? Limit::cancelled : Limit::memory);
    } else {
      fail(std::move(error));
    }
  }

  void fail(Error error) {
    if (error.file.empty()) error.file = judgement_.file;
    judgement_.error = std::move(error);
  }

  std::unique_ptr<Specification> choose_model() {
    History& history = *judgement_.history;
    const std::string& name = options_.model.empty() ? history.model : options_.model;
    if (name.empty()) {
      fail(no_model(history));
      return nullptr;
    }
    Result<std::unique_ptr<Specification>> model = make_specification(name, history.values);
    if (!model) {
      Error error = std::move(model).error();
      if (options_.model.empty()) error.line = 1;  // the header's
      fail(std::move(error));
      return nullptr;
    }
    judgement_.model = (*model)->name();
    return std::move(*model);
  }

  bool validate(const Specification& model) {
    std::optional<Error> error = model.validate(*judgement_.history);
    if (error) fail(std::move(*error));
    return !error;
  }

  void check(const Specification& model) {
    CheckOptions options = options_.checking;
    options.memory_limit = memory_left(options_.memory_limit);
    options.cancel = &cancel_;
    if (progress_.wanted()) {
      options.progress = [this](const Progress& state) { progress_.checking(judgement_.file, state); };
    }
    judgement_.result = porpentine::check(model, *judgement_.history, options);
    trust_following();
    judgement_.verified = options.verify && judgement_.result.valid();
  }

  /// In the time that is left. The verdict stands, whatever comes of it.
  void find_orders(const Specification& model) {
    CheckResult& result = judgement_.result;
    CheckOptions options = options_.checking;
    options.memory_limit = memory_left(options_.memory_limit);
    options.cancel = &cancel_;
    options.step_limit = steps_for_orders(options.step_limit, judgement_.history->size());
    if (options.time_limit) {
      *options.time_limit -=
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(result.elapsed_s));
    }
    porpentine::find_orders(model, *judgement_.history, result, options);
  }

  /// What was found on the way stands where the check found nothing.
  void trust_following() {
    const std::optional<Following>& following = judgement_.following;
    if (following && following->failure && judgement_.result.valid()) {
      throw std::logic_error("a violation was seen where the check finds none: " + following->failure->message);
    }
    if (!following || judgement_.result.verdict != Verdict::unknown) return;
    if (following->verdict == Verdict::valid) {
      for (PartitionResult& partition : judgement_.result.partitions) partition.verdict = Verdict::valid;
      judgement_.result.verdict = Verdict::valid;
      judgement_.result.limit = Limit::none;
    } else if (following->failure) {
      const StreamFailure& failure = *following->failure;
      judgement_.result.failures.push_back(
          {kNull, static_cast<std::uint32_t>(failure.operation), failure.longest_prefix, failure.message, {}});
      judgement_.result.verdict = Verdict::invalid;
    }
  }

  const JudgeOptions& options_;
  const std::atomic<bool>& cancel_;
  std::optional<Result<History>> input_;  // where it was read already
  ProgressLine& progress_;
  Judgement& judgement_;
};

}  // namespace

std::uint64_t steps_for_orders(std::optional<std::uint64_t> step_limit, std::uint64_t operations) {
  constexpr std::uint64_t kSteps = 4'000'000;
  return std::min(step_limit.value_or(kSteps), kSteps) + 16 * operations;
}

void Judgement::take(CausalJudgement judged) {
  model = kCausalModel;
  result.verdict = judged.result.verdict;
  result.limit = judged.result.limit;
  result.elapsed_s = judged.result.elapsed_s;
  causal = std::move(judged);
}

ExitStatus Judgement::status() const {
  if (error) return ExitStatus::error;
  switch (result.verdict) {
    case Verdict::valid:
      return ExitStatus::valid;
    case Verdict::invalid:
      return ExitStatus::invalid;
    case Verdict::unknown:
      break;
  }
  return ExitStatus::unknown;
}

Judgement judge(const std::string& file, const JudgeOptions& options, const std::atomic<bool>& cancel,
                ProgressLine& progress) {
  Judgement judgement;
  judgement.file = file;
  try {
    Judge(options, cancel, progress, judgement).run();
  } catch (const std::bad_alloc&) {
    judgement.result = stopped(Limit::memory);  // a limit of the system's
  } catch (const std::exception& error) {
    judgement.error = Error{ErrorCode::usage, std::string("internal error: ") + error.what(), file};
  }
  progress.erase();
  return judgement;
}

}  // namespace porpentine::cli
