#include <porpentine/history/event_reader.h>

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <utility>

#include <porpentine/history/causal_trace.h>

#include "byte_source.h"
#include "echoes.h"
#include "json_line.h"
#include "plain_line.h"
#include "readers.h"
#include "text_buffer.h"

namespace porpentine {
namespace {

/// More values than that are forgotten; those of running operations are kept as text.
constexpr std::size_t kMostValues = 65536;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

bool is_integer(const ValueTable& values, ValueId id) {
  const ValueKind kind = values.kind(id);
  return kind == ValueKind::integer || kind == ValueKind::unsigned_integer;
}

}  // namespace

class EventReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, ReadOptions options, std::string_view name)
      : options_(std::move(options)), text_(std::move(source), options_, history_) {
    history_.file = name;
    history_.time_unit = "ns";
  }

  /// Looks at lines until one tells the form, and takes none away.
  Failure find_form() {
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = text_.window().find('\n', begin);
      if (end == std::string_view::npos && !text_.complete()) {
        if (auto failure = text_.fill()) return failure;
        continue;
      }
      const std::string_view line = text_.window().substr(begin, end - begin);
      if (!is_blank(line)) {
        if (!is_json_lines(line)) return {};
        if ((is_trace_ = porpentine::is_causal_trace(line))) return {};
        if (const auto form = form_of(line)) {
          has_events_ = *form;
          return {};
        }
      }
      if (end == std::string_view::npos) return {};
      begin = end + 1;
    }
  }

  [[nodiscard]] bool has_events() const { return has_events_; }
  [[nodiscard]] bool is_trace() const { return is_trace_; }
  [[nodiscard]] const std::string& model() const { return history_.model; }
  [[nodiscard]] bool has_times() const { return timed_.value_or(false); }
  [[nodiscard]] bool has_line() const {
    return text_.complete() || text_.window().find('\n') != std::string_view::npos;
  }

  Result<History> read_whole() {
    auto failure = read_text(text_, options_, history_);
    if (failure && failure->code != ErrorCode::io && failure->code != ErrorCode::limit) {
      if (auto damage = text_.find_damage()) failure = std::move(damage);
    }
    if (failure) return with_file(*std::move(failure));
    return std::move(history_);
  }

  Result<bool> next_text(std::string_view& line) {
    Failure failure;
    const bool there_is = text_.next_line(line, failure);
    if (failure) return with_file(*std::move(failure));
    return there_is;
  }

  Result<bool> next(ArrivingEvent& event) {
    event = {};
    if (values().size() > kMostValues) history_.values = ValueTable();
    Result<bool> there_is = next_text(event.text);
    if (!there_is || !*there_is) return there_is;
    event.line = text_.line_number();
    if (is_blank(event.text)) return true;
    auto failure = parse(event.text, event.line);
    if (!failure) failure = read_line(event);
    if (failure) return with_file(*std::move(failure));
    is_first_ = false;
    return true;
  }

 private:
  /// An operation that runs, or what is no operation but has a completion to come.
  struct Client {
    bool annotated = false;
    bool has_pairs = false;
    std::string f;
    std::string key;
    std::string input;
    std::uint64_t line = 0;
  };

  [[nodiscard]] ValueTable& values() { return history_.values; }
  [[nodiscard]] Error with_file(Error error) const {
    error.file = history_.file;
    return error;
  }
  [[nodiscard]] Error error(ErrorCode code, std::string_view message) const {
    return error_at(line_.number, code, message, line_.text);
  }

  [[nodiscard]] bool is_json_lines(std::string_view line) const {
    if (options_.format != Format::automatic) return options_.format == Format::jsonl;
    const auto format =
        line.find_first_not_of(" \t") != std::string_view::npos && line[line.find_first_not_of(" \t")] == '{'
            ? detect_format(line)
            : Result<Format>(Format::edn);
    return format && *format == Format::jsonl;
  }

  Failure parse(std::string_view text, std::uint64_t number) {
    if (plain_parser_.parse(text, number, line_)) return {};
    return parser_.parse(text, number, line_);
  }

  /// Whether a line is an event; nothing where both forms have such lines.
  std::optional<bool> form_of(std::string_view text) {
    // A copy with room behind it: what follows the line here is more text.
    std::string copy(text);
    const std::size_t length = copy.size();
    copy.append(TextBuffer::kPadding, '\0');
    if (parser_.parse(std::string_view(copy).substr(0, length), 0, line_)) return false;
    if (other("porpentine") || is_annotation()) return std::nullopt;
    return line_.type && line_.call.state == JsonTime::State::absent;
  }

  [[nodiscard]] std::optional<ValueId> other(std::string_view name) {
    for (std::size_t i = 0; i < line_.others.size(); i += 2) {
      if (values().as_string(line_.others[i]) == name) return line_.others[i + 1];
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_annotation() {
    return line_.type == EventType::note || (line_.process && !is_integer(values(), *line_.process));
  }

  Failure read_line(ArrivingEvent& event) {
    if (is_first_) {
      if (const auto version = other("porpentine")) return read_header(*version);
    }
    const bool annotation = is_annotation();
    if (line_.unknown_type && !annotation) return error(ErrorCode::field, "unknown \"type\"");
    if (!annotation && (!line_.type || line_.call.state != JsonTime::State::absent) &&
        line_.type != EventType::invoke) {
      return error(ErrorCode::field, "an operation among events, the two forms don't mix");
    }
    if (!annotation && !line_.process) return error(ErrorCode::field, "missing field \"process\"");
    const std::int64_t position = position_++;
    if (annotation) return {};
    if (auto failure = read_time(event, position)) return failure;
    process_.clear();
    values().append_json(*line_.process, process_);
    event.process = process_;
    return line_.type == EventType::invoke ? read_call(event) : read_end(event);
  }

  Failure read_header(ValueId version) {
    if (values().as_int64(version) != 1) return error(ErrorCode::field, "only version 1 of the format is known");
    const ValueId model = other("model").value_or(kNull);
    if (model == kNull) return {};
    if (!values().as_string(model)) return error(ErrorCode::field, "\"model\" is no text");
    history_.model = *values().as_string(model);
    return {};
  }

  Failure read_time(ArrivingEvent& event, std::int64_t position) {
    if (line_.time.state == JsonTime::State::other) return error(ErrorCode::field, "\"time\" is not a 64-bit integer");
    const bool has_time = line_.time.state == JsonTime::State::integer;
    if (timed_.value_or(has_time) != has_time) {
      return error(ErrorCode::field,
                   has_time ? "an event with a time, where earlier events have none" : "missing field \"time\"");
    }
    timed_ = has_time;
    event.time = has_time ? line_.time.integer : position;
    return {};
  }

  Failure read_call(ArrivingEvent& event) {
    if (const auto running = clients_.find(process_); running != clients_.end()) {
      return error(ErrorCode::order, "second call of process " + process_ + " while its call of line " +
                                         std::to_string(running->second.line) + " is still running");
    }
    Client client;
    client.line = line_.number;
    ValueId key = line_.key;
    ValueId value = line_.value.value_or(kNull);
    client.has_pairs = options_.independent && key == kNull;
    if (client.has_pairs) {
      const auto pair = values().elements(value);
      client.annotated = !values().is_array(value) || pair.size() != 2;
      if (!client.annotated) {
        key = pair[0];
        value = pair[1];
      }
    }
    if (!client.annotated) {
      if (line_.f == kNull) return error(ErrorCode::field, "missing field \"f\"");
      const auto f = values().as_string(line_.f);
      if (!f) return error(ErrorCode::field, "\"f\" is no text");
      client.f = *f;
      values().append_json(key, client.key);
      values().append_json(value, client.input);
    }
    const Client& kept = clients_[process_] = std::move(client);
    if (kept.annotated) return {};
    event.type = ArrivingEvent::Type::call;
    event.f = kept.f;
    event.key = kept.key;
    event.value = kept.input;
    return {};
  }

  Failure read_end(ArrivingEvent& event) {
    const auto running = clients_.find(process_);
    if (running == clients_.end()) return error(ErrorCode::order, "return without a call by process " + process_);
    const Client client = std::move(running->second);
    clients_.erase(running);
    if (client.annotated) return {};
    const std::string its_call = " than the call of line " + std::to_string(client.line);
    if (line_.f != kNull && values().as_string(line_.f) != client.f) {
      return error(ErrorCode::order, "the return of another function" + its_call);
    }
    if (line_.key != kNull && values().to_json(line_.key) != client.key) {
      return error(ErrorCode::order, "the return names another key" + its_call);
    }
    ValueId value = line_.value.value_or(kNull);
    if (client.has_pairs && value != kNull) {
      const auto pair = values().elements(value);
      if (values().is_array(value) && pair.size() == 2) {
        if (values().to_json(pair[0]) != client.key) {
          return error(ErrorCode::order, "the return names another key than its call");
        }
        value = pair[1];
      } else if (line_.type == EventType::ok) {
        return error(ErrorCode::field, "the value of an independent operation is no [key, value] pair");
      }
    }
    output_.clear();
    values().append_json(value, output_);
    if (output_ == client.input && repeats_input(client.f)) output_ = "null";
    event.value = output_;
    event.type = line_.type == EventType::ok     ? ArrivingEvent::Type::ok
                 : line_.type == EventType::fail ? ArrivingEvent::Type::fail
                                                 : ArrivingEvent::Type::info;
    return {};
  }

  ReadOptions options_;
  History history_;
  TextBuffer text_;
  PlainLineParser plain_parser_{history_.values};
  JsonLineParser parser_{history_.values};
  JsonLine line_;
  bool has_events_ = false;
  bool is_trace_ = false;
  bool is_first_ = true;
  std::optional<bool> timed_;
  std::int64_t position_ = 0;
  absl::flat_hash_map<std::string, Client> clients_;  ///< by process, as JSON
  std::string process_;
  std::string output_;
};

EventReader::EventReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EventReader::~EventReader() = default;

Result<std::unique_ptr<EventReader>> EventReader::open(const std::string& path, const ReadOptions& options) {
  const auto failed = [&](Error error) {
    error.file = path;
    return error;
  };
  auto source = open_patiently(path, options);
  if (!source) return failed(std::move(source).error());
  auto impl = std::make_unique<Impl>(std::move(*source), options, path);
  if (auto failure = impl->find_form()) return failed(*std::move(failure));
  return std::unique_ptr<EventReader>(new EventReader(std::move(impl)));
}

bool EventReader::has_events() const { return impl_->has_events(); }
bool EventReader::is_causal_trace() const { return impl_->is_trace(); }
Result<History> EventReader::read_whole() { return impl_->read_whole(); }
Result<bool> EventReader::next(ArrivingEvent& event) { return impl_->next(event); }
Result<bool> EventReader::next_text(std::string_view& text) { return impl_->next_text(text); }
bool EventReader::has_line() const { return impl_->has_line(); }
const std::string& EventReader::model() const { return impl_->model(); }
bool EventReader::has_times() const { return impl_->has_times(); }

}  // namespace porpentine
