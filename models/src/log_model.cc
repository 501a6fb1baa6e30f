// log: a sequence of records that only grows, read by offset.

#include <algorithm>
#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "log_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAppend, kAppendBatch, kRead, kTail, kScan };

/// More records than that have no state ids.
constexpr std::uint64_t kMostRecords = 0xfffffffd;

class LogReplay final : public ResumableReplay {
 public:
  explicit LogReplay(const History& history) : history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    const std::string& f = history_.function_name(i);
    const ValueTable& values = history_.values;
    std::vector<ValueId>& log = logs_[history_.key[i]];
    const ValueId input = history_.input[i];
    const ValueId output = history_.output[i];
    if (f == "append" || f == "append-batch") {
      const bool at_end = operation.indeterminate || output == kNull || *values.as_uint64(output) == log.size();
      if (!at_end) return length(log);
      if (f == "append") {
        log.push_back(input);
      } else {
        for (const ValueId value : values.elements(input)) log.push_back(value);
      }
      return std::nullopt;
    }
    if (operation.indeterminate) return std::nullopt;
    if (f == "tail") return *values.as_uint64(output) == log.size() ? std::nullopt : std::optional(length(log));
    if (f == "read") return read(log, *values.as_uint64(input), output);
    return scan(log, *values.as_uint64(input), output);
  }

  [[nodiscard]] std::string state() const override {
    if (logs_.empty()) return "[]";
    constexpr std::size_t kMostShown = 8;
    const std::vector<ValueId>& log = logs_.begin()->second;
    const std::size_t begin = log.size() <= kMostShown ? 0 : log.size() - kMostShown;
    std::string text = begin == 0 ? "[" : "[..., ";
    for (std::size_t offset = begin; offset < log.size(); ++offset) {
      text += (offset == begin ? "" : ", ") + shown(history_.values, log[offset]);
    }
    return text + (begin == 0 ? "]" : "] (" + std::to_string(log.size()) + " records)");
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        logs_, [](const std::vector<ValueId>& log) { return log.empty(); },
        [&](std::vector<ValueId>& log) { archive.values(log); });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const std::string& f = history_.function_name(operation.operation);
    return f == "read" || f == "tail" || f == "scan";
  }

 private:
  static std::string length(const std::vector<ValueId>& log) {
    return "the log's length is " + std::to_string(log.size());
  }

  [[nodiscard]] std::optional<std::string> read(const std::vector<ValueId>& log, std::uint64_t offset,
                                                ValueId seen) const {
    if (offset >= log.size()) return seen == kNull ? std::nullopt : std::optional(length(log));
    if (log[offset] == seen) return std::nullopt;
    return holds("offset " + std::to_string(offset), history_.values, log[offset], seen);
  }

  [[nodiscard]] std::optional<std::string> scan(const std::vector<ValueId>& log, std::uint64_t offset,
                                                ValueId output) const {
    const auto run = history_.values.elements(output);
    if (run.empty()) return read(log, offset, kNull);
    for (const ValueId record : run) {
      const auto pair = history_.values.elements(record);
      const std::uint64_t shown_offset = *history_.values.as_uint64(pair[0]);
      if (shown_offset != offset) {
        return "the scan shows offset " + std::to_string(shown_offset) + " where offset " + std::to_string(offset) +
               " is due";
      }
      if (auto reason = read(log, offset, pair[1])) return reason;
      ++offset;
    }
    return std::nullopt;
  }

  const History& history_;
  std::map<ValueId, std::vector<ValueId>> logs_;  // by key: operations of one partition have one
};

class LogSpecification final : public BasicSpecification {
 public:
  explicit LogSpecification(const std::string& name)
      : BasicSpecification(name, {"append", "append-batch", "read", "tail", "scan"}) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<LogOperation> decoded_operations;
    std::vector<ValueId> scanned;  // the values of all scans
    scanned.reserve(scanned_values(history, operations, kind_of));
    decoded_operations.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      decoded_operations.push_back(
          decoded(history, operation, kind_of[history.function[operation.operation]], scanned));
    }
    return bind_log(decoded_operations);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<LogReplay>(history);
  }

  [[nodiscard]] Vocabulary vocabulary(const History& history) const override {
    return {ObjectKind::log, words<LogWord>(history, {LogWord::append, LogWord::append_batch, LogWord::read,
                                                      LogWord::tail, LogWord::scan})};
  }

 private:
  static std::size_t scanned_values(const History& history, std::span<const BoundOperation> operations,
                                    const FunctionKinds& kind_of) {
    std::size_t count = 0;
    for (const BoundOperation& operation : operations) {
      if (kind_of[history.function[operation.operation]] != kScan || operation.indeterminate) continue;
      count += history.values.elements(history.output[operation.operation]).size();
    }
    return count;
  }

  static LogOperation decoded(const History& history, const BoundOperation& operation, std::uint8_t kind,
                              std::vector<ValueId>& scanned) {
    const std::uint32_t i = operation.operation;
    const ValueTable& values = history.values;
    const bool appends = kind == kAppend || kind == kAppendBatch;
    if (appends) {
      const auto records =
          kind == kAppend ? std::span<const ValueId>(&history.input[i], 1) : values.elements(history.input[i]);
      LogOperation append{LogKind::append, operation.indeterminate, false, 0, records};
      append.offset_known = !operation.indeterminate && history.output[i] != kNull;
      if (append.offset_known) append.offset = *values.as_uint64(history.output[i]);
      return append;
    }
    if (operation.indeterminate) return {};
    if (kind == kTail) return {LogKind::tail, false, true, *values.as_uint64(history.output[i])};
    const std::uint64_t offset = *values.as_uint64(history.input[i]);
    if (kind == kScan) return decoded_scan(values, offset, history.output[i], scanned);
    if (history.output[i] == kNull) return {LogKind::missing, false, true, offset};
    return {LogKind::found, false, true, offset, std::span<const ValueId>(&history.output[i], 1)};
  }

  /// `scanned` has room: the span stays where it is.
  static LogOperation decoded_scan(const ValueTable& values, std::uint64_t offset, ValueId output,
                                   std::vector<ValueId>& scanned) {
    const auto run = values.elements(output);
    if (run.empty()) return {LogKind::missing, false, true, offset};
    const std::size_t begin = scanned.size();
    std::uint64_t due = offset;
    for (const ValueId record : run) {
      const auto pair = values.elements(record);
      if (*values.as_uint64(pair[0]) != due++) return {LogKind::broken};
      scanned.push_back(pair[1]);
    }
    return {LogKind::found, false, true, offset, std::span<const ValueId>(scanned).subspan(begin)};
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    const ValueTable& values = history.values;
    const ValueId input = history.input[operation];
    switch (kind) {
      case kAppend:
        if (input != kNull) return std::nullopt;
        return takes("append", "a value other than null", values, input);
      case kAppendBatch:
        if (is_batch(values, input)) return std::nullopt;
        return takes("append-batch", "[value, ...] without null", values, input);
      case kTail:
        return std::nullopt;
      default:
        if (values.as_uint64(input)) return std::nullopt;
        return takes(kind == kRead ? "read" : "scan", kOffset, values, input);
    }
  }

  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueTable& values = history.values;
    const ValueId output = history.output[operation];
    switch (kind) {
      case kAppend:
      case kAppendBatch:
        if (output == kNull || values.as_uint64(output)) return std::nullopt;
        return returns(kind == kAppend ? "append" : "append-batch", kOffset, values, output);
      case kTail:
        if (values.as_uint64(output)) return std::nullopt;
        return returns("tail", "a length, a non-negative integer", values, output);
      case kScan:
        if (is_run(values, output)) return std::nullopt;
        return returns("scan", "[[offset, value], ...] without null", values, output);
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<std::string> overall_complaint(const History& history) const override {
    const FunctionKinds kind_of = kinds(history);
    std::uint64_t records = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const std::uint8_t kind = kind_of[history.function[i]];
      if (history.outcome[i] == Outcome::fail) continue;
      if (kind == kAppend) ++records;
      if (kind == kAppendBatch) records += history.values.elements(history.input[i]).size();
    }
    if (records <= kMostRecords) return std::nullopt;
    return "more than " + std::to_string(kMostRecords) + " records are appended";
  }

  static bool is_batch(const ValueTable& values, ValueId input) {
    if (!values.is_array(input)) return false;
    const auto records = values.elements(input);
    return std::find(records.begin(), records.end(), kNull) == records.end();
  }

  static bool is_run(const ValueTable& values, ValueId output) {
    if (!values.is_array(output)) return false;
    const auto run = values.elements(output);
    return std::all_of(run.begin(), run.end(), [&](ValueId record) {
      const auto pair = values.elements(record);
      return values.is_array(record) && pair.size() == 2 && values.as_uint64(pair[0]) && pair[1] != kNull;
    });
  }

  static constexpr const char* kOffset = "an offset, a non-negative integer";
};

}  // namespace

ModelInfo log_info() {
  return {"log",
          "A log that is appended to and read by offset, judged key by key.",
          "append (v) -> offset; append-batch ([v, ...]) -> offset of the first; read (offset) -> v, or null = nothing "
          "there yet; tail -> length; scan (offset) -> [[offset, v], ...], a gap-free run from there, [] = nothing "
          "there yet",
          {},
          R"({"process": 0, "f": "append", "key": "orders", "input": "a", "output": 41, "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_log(const ModelOptions& options, ValueTable&) {
  return std::make_unique<LogSpecification>(options.text());
}

}  // namespace porpentine::detail
