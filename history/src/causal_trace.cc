#include <porpentine/history/causal_trace.h>

#include <absl/container/flat_hash_map.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>

#include <porpentine/history/causal_rules.h>
#include <porpentine/history/json_writer.h>

#include "byte_source.h"
#include "failure.h"
#include "readers.h"
#include "text_buffer.h"

namespace porpentine {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::array<std::string_view, 15> kTypes = {"subscribe", "unsubscribe", "begin",   "commit", "abort",
                                                     "send",      "deliver",     "observe", "marker", "crash",
                                                     "restart",   "truncate",    "drain",   "end",    "note"};

enum class Field : std::uint8_t {
  type,
  actor,
  ch,
  offset,
  position,
  log_start,
  lose,
  outcome,
  drained,
  actors,
  text,
  id,
  porpentine,
  other
};
constexpr std::array<std::string_view, 13> kFields = {"type",      "actor", "ch",        "offset",  "position",
                                                      "log_start", "lose",  "outcome",   "drained", "actors",
                                                      "text",      "id",    "porpentine"};

constexpr std::uint32_t bit(Field field) { return 1U << static_cast<unsigned>(field); }

std::optional<CausalEventType> parse_type(std::string_view name) {
  const auto* const found = std::find(kTypes.begin(), kTypes.end(), name);
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<CausalEventType>(found - kTypes.begin());
}

Field parse_field(std::string_view name) {
  const auto* const found = std::find(kFields.begin(), kFields.end(), name);
  return static_cast<Field>(found - kFields.begin());
}

/// The fields that an event of the type must have.
std::uint32_t required_fields(CausalEventType type) {
  constexpr std::uint32_t kPlace = bit(Field::ch) | bit(Field::offset);
  switch (type) {
    case CausalEventType::subscribe:
      return bit(Field::actor) | bit(Field::ch) | bit(Field::position);
    case CausalEventType::unsubscribe:
      return bit(Field::actor) | bit(Field::ch);
    case CausalEventType::begin:
    case CausalEventType::commit:
    case CausalEventType::abort:
    case CausalEventType::restart:
      return bit(Field::actor);
    case CausalEventType::send:
    case CausalEventType::deliver:
    case CausalEventType::observe:
      return bit(Field::actor) | kPlace;
    case CausalEventType::marker:
      return kPlace;
    case CausalEventType::crash:
      return bit(Field::actor) | bit(Field::lose);
    case CausalEventType::truncate:
      return bit(Field::ch) | bit(Field::log_start);
    case CausalEventType::end:
      return bit(Field::drained);
    case CausalEventType::drain:
    case CausalEventType::note:
      return 0;
  }
  return 0;
}

/// Those that mean something to it besides.
std::uint32_t optional_fields(CausalEventType type) {
  switch (type) {
    case CausalEventType::commit:
      return bit(Field::outcome);
    case CausalEventType::send:
      return bit(Field::id);
    case CausalEventType::drain:
      return bit(Field::actors);
    case CausalEventType::note:
      return bit(Field::text);
    default:
      return 0;
  }
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

/// Texts numbered in order of first appearance.
class NameTable {
 public:
  explicit NameTable(std::vector<std::string>& names) : names_(names) {}

  std::uint32_t number(std::string_view name) {
    if (last_ < names_.size() && names_[last_] == name) return last_;
    const auto found = numbers_.find(absl::string_view(name.data(), name.size()));
    if (found != numbers_.end()) return last_ = found->second;
    last_ = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    numbers_.emplace(name, last_);
    return last_;
  }

 private:
  std::vector<std::string>& names_;
  absl::flat_hash_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;
};

/// Whether a line is one of a trace, or of something else; nothing where it could be either. A header's model is put
/// into `model`.
std::optional<bool> tells_trace(std::string_view line, std::string& model) {
  if (is_blank(line)) return std::nullopt;
  const simdjson::padded_string padded(line);
  ondemand::parser parser;
  ondemand::document document;
  std::string_view type;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return false;
  // After any other error the document can't be asked again.
  if (document.find_field_unordered("process").error() != simdjson::NO_SUCH_FIELD) return false;
  const auto status = document.find_field_unordered("type").get_string().get(type);
  if (status == simdjson::NO_SUCH_FIELD) {
    // A header says nothing, and no line of a history lacks a process.
    const bool header = document.find_field_unordered("porpentine").error() == simdjson::SUCCESS;
    std::string_view named;
    if (header && document.find_field_unordered("model").get_string().get(named) == simdjson::SUCCESS) model = named;
    return header ? std::nullopt : std::optional(false);
  }
  if (status != simdjson::SUCCESS) return false;
  const auto known = parse_type(type);
  return known == CausalEventType::note ? std::nullopt : std::optional(known.has_value());
}

}  // namespace

std::string_view to_string(CausalEventType type) { return kTypes[static_cast<std::size_t>(type)]; }

class CausalTraceReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, ReadOptions options, std::string_view name)
      : options_(std::move(options)), file_(name), text_(std::move(source), options_, history_) {
    history_.file = name;
    history_.time_unit = "ns";
  }

  Result<bool> next(CausalEvent& event) {
    if (!keep_details_) names_.texts.clear();
    std::string_view line;
    while (true) {
      Failure failure;
      if (!text_.next_line(line, failure)) {
        if (failure) return in_file(*std::move(failure));
        return false;
      }
      if (is_blank(line)) continue;
      bool header = false;
      failure = parse(line, event, header);
      if (failure) {
        if (auto damage = text_.find_damage()) failure = std::move(damage);
        return in_file(*std::move(failure));
      }
      first_ = false;
      if (!header) return true;
    }
  }

  Result<bool> is_trace() {
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = text_.window().find('\n', begin);
      if (end == std::string_view::npos && !text_.complete()) {
        if (auto failure = text_.fill()) return in_file(*std::move(failure));
        continue;
      }
      const std::string_view line = text_.window().substr(begin, end - begin);
      const std::optional<bool> told = tells_trace(line, header_model_);
      if (told || end == std::string_view::npos) return told.value_or(header_model_ == "causal-delivery");
      begin = end + 1;
    }
  }

  Result<History> read_history() {
    if (auto failure = read_text(text_, options_, history_)) {
      if (auto damage = text_.find_damage()) failure = std::move(damage);
      return in_file(*std::move(failure));
    }
    return std::move(history_);
  }

  [[nodiscard]] const CausalNames& names() const { return names_; }
  [[nodiscard]] const std::string& header_model() const { return header_model_; }
  [[nodiscard]] Error in_file(Error error) const {
    error.file = file_;
    return error;
  }
  void keep_details(bool keep) { keep_details_ = keep; }
  [[nodiscard]] bool may_take(std::uint64_t bytes) const {
    return options_.memory_limit == 0 || bytes <= options_.memory_limit;
  }

 private:
  /// What a line holds besides its event's own fields.
  struct Fields {
    std::uint32_t named = 0;
    CausalEventType type = CausalEventType::note;
    std::uint64_t offset = 0;
    std::uint64_t position = 0;
    std::uint64_t log_start = 0;
    bool loses_all = false;
    bool unknown_outcome = false;
    bool drained = false;
    bool version_is_one = false;
    std::string_view id;    // JSON
    std::string_view text;  // unescaped
    std::string_view actor;
    std::string_view channel;
    std::vector<std::string> actors = {};
  };

  Failure parse(std::string_view line, CausalEvent& event, bool& header) {
    line_ = line;
    event = {};
    event.line = text_.line_number();
    fields_ = {};
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(line.data(), line.size(), line.size() + TextBuffer::kPadding).get(document) !=
            simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
      return error(ErrorCode::syntax, "not a JSON object");
    }
    for (auto member : object) {
      ondemand::field field;
      std::string_view name;
      if (std::move(member).get(field) != simdjson::SUCCESS || field.unescaped_key().get(name) != simdjson::SUCCESS) {
        return error(ErrorCode::syntax, "not JSON");
      }
      if (auto failure = read_field(parse_field(name), field.value())) return failure;
    }
    // There is no location behind the end of the only value.
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) return error(ErrorCode::syntax, "not JSON");
    if (first_ && (fields_.named & bit(Field::porpentine)) != 0) {
      header = true;
      if (!fields_.version_is_one) return error(ErrorCode::field, "only version 1 of the format is known");
      return {};
    }
    return fill(event);
  }

  Failure read_field(Field field, ondemand::value value) {
    if (field == Field::other) return skip(value);
    if ((fields_.named & bit(field)) != 0) {
      return error(ErrorCode::field, "\"" + std::string(name_of(field)) + "\" is named twice");
    }
    fields_.named |= bit(field);
    bool right = true;
    std::string_view text;
    switch (field) {
      case Field::type: {
        if (value.get_string().get(text) != simdjson::SUCCESS) return wrong(field, "text");
        const auto type = parse_type(text);
        if (!type) return error(ErrorCode::field, "unknown \"type\"");
        fields_.type = *type;
        break;
      }
      case Field::actor:
        if (!read_name(value, actor_digits_, fields_.actor)) return wrong(field, "text or an integer");
        break;
      case Field::ch:
        if (!read_name(value, channel_digits_, fields_.channel)) return wrong(field, "text or an integer");
        break;
      case Field::offset:
        right = read_offset(value, fields_.offset);
        break;
      case Field::position:
        right = read_offset(value, fields_.position);
        break;
      case Field::log_start:
        right = read_offset(value, fields_.log_start);
        break;
      case Field::lose:
        if (value.get_string().get(text) != simdjson::SUCCESS || (text != "all" && text != "staged")) {
          return wrong(field, "\"staged\" or \"all\"");
        }
        fields_.loses_all = text == "all";
        break;
      case Field::outcome:
        if (value.get_string().get(text) != simdjson::SUCCESS || text != "unknown") return wrong(field, "\"unknown\"");
        fields_.unknown_outcome = true;
        break;
      case Field::drained:
        if (value.get_bool().get(fields_.drained) != simdjson::SUCCESS) return wrong(field, "true or false");
        break;
      case Field::actors:
        if (!read_actors(value)) return wrong(field, "a list of actors");
        break;
      case Field::text:
        if (value.get_string().get(fields_.text) != simdjson::SUCCESS) return wrong(field, "text");
        break;
      case Field::id:
        if (!read_json(value, fields_.id)) return error(ErrorCode::syntax, "not JSON");
        break;
      case Field::porpentine: {
        std::uint64_t version = 0;
        fields_.version_is_one = value.get_uint64().get(version) == simdjson::SUCCESS && version == 1;
        break;
      }
      case Field::other:
        break;
    }
    return right ? Failure() : wrong(field, "an unsigned integer of 64 bits");
  }

  Failure skip(ondemand::value value) {
    std::string_view json;
    return read_json(value, json) ? Failure() : error(ErrorCode::syntax, "not JSON");
  }

  /// Any value as its JSON.
  static bool read_json(ondemand::value value, std::string_view& json) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == ondemand::json_type::array || type == ondemand::json_type::object) {
      if (type == ondemand::json_type::array) {
        ondemand::array array;
        return value.get_array().get(array) == simdjson::SUCCESS && array.raw_json().get(json) == simdjson::SUCCESS;
      }
      ondemand::object object;
      return value.get_object().get(object) == simdjson::SUCCESS && object.raw_json().get(json) == simdjson::SUCCESS;
    }
    json = value.raw_json_token();
    json = json.substr(0, json.find_last_not_of(" \t\r\n") + 1);
    bool flag = false;
    double number = 0;
    std::string_view text;
    switch (type) {
      case ondemand::json_type::string:
        return value.get_string().get(text) == simdjson::SUCCESS;
      case ondemand::json_type::number:
        return value.get_double().get(number) == simdjson::SUCCESS;
      case ondemand::json_type::boolean:
        return value.get_bool().get(flag) == simdjson::SUCCESS;
      default:
        return value.is_null().get(flag) == simdjson::SUCCESS && flag;
    }
  }

  static bool read_name(ondemand::value value, std::string& digits, std::string_view& name) {
    if (value.get_string().get(name) == simdjson::SUCCESS) return true;
    std::int64_t number = 0;
    if (value.get_int64().get(number) != simdjson::SUCCESS) return false;
    digits = std::to_string(number);
    name = digits;
    return true;
  }

  static bool read_offset(ondemand::value value, std::uint64_t& offset) {
    return value.get_uint64().get(offset) == simdjson::SUCCESS;
  }

  bool read_actors(ondemand::value value) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) return false;
    std::string digits;
    for (auto element : array) {
      ondemand::value actor;
      std::string_view name;
      if (element.get(actor) != simdjson::SUCCESS || !read_name(actor, digits, name)) return false;
      fields_.actors.emplace_back(name);
    }
    return true;
  }

  Failure fill(CausalEvent& event) {
    if ((fields_.named & bit(Field::type)) == 0) return missing(Field::type);
    event.type = fields_.type;
    const std::uint32_t required = required_fields(event.type);
    const std::uint32_t known = required | optional_fields(event.type);
    if (const std::uint32_t lacking = required & ~fields_.named; lacking != 0) {
      for (std::size_t k = 0; k < kFields.size(); ++k) {
        if ((lacking >> k & 1U) != 0) return missing(static_cast<Field>(k));
      }
    }
    const auto has = [&](Field field) { return (known & fields_.named & bit(field)) != 0; };
    if (has(Field::actor)) event.actor = actors_.number(fields_.actor);
    if (has(Field::ch)) event.channel = channels_.number(fields_.channel);
    if (has(Field::offset)) event.offset = fields_.offset;
    if (has(Field::position)) event.offset = fields_.position;
    if (has(Field::log_start)) event.offset = fields_.log_start;
    event.flag = (has(Field::lose) && fields_.loses_all) || (has(Field::outcome) && fields_.unknown_outcome) ||
                 (has(Field::drained) && fields_.drained);
    if (has(Field::id)) event.detail = keep(names_.texts, std::string(fields_.id));
    if (has(Field::text)) event.detail = keep(names_.texts, std::string(fields_.text));
    if (has(Field::actors)) {
      std::vector<std::uint32_t> listed;
      for (const std::string& actor : fields_.actors) listed.push_back(actors_.number(actor));
      event.detail = keep(names_.lists, std::move(listed));
    }
    return {};
  }

  template <typename T>
  static std::uint32_t keep(std::vector<T>& all, T one) {
    all.push_back(std::move(one));
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  static std::string_view name_of(Field field) { return kFields[static_cast<std::size_t>(field)]; }
  [[nodiscard]] Error error(ErrorCode code, std::string_view message) const {
    return error_at(text_.line_number(), code, message, line_);
  }
  [[nodiscard]] Error wrong(Field field, std::string_view wanted) const {
    return error(ErrorCode::field, "\"" + std::string(name_of(field)) + "\" is not " + std::string(wanted));
  }
  [[nodiscard]] Error missing(Field field) const {
    return error(ErrorCode::field, "missing field \"" + std::string(name_of(field)) + "\"");
  }

  ReadOptions options_;
  std::string file_;
  History history_;
  TextBuffer text_;
  ondemand::parser parser_;
  CausalNames names_;
  std::string header_model_;
  NameTable actors_{names_.actors};
  NameTable channels_{names_.channels};
  bool keep_details_ = true;
  bool first_ = true;
  std::string_view line_;
  Fields fields_;
  std::string actor_digits_;
  std::string channel_digits_;
};

CausalTraceReader::CausalTraceReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CausalTraceReader::~CausalTraceReader() = default;

Result<std::unique_ptr<CausalTraceReader>> CausalTraceReader::open(const std::string& path,
                                                                   const ReadOptions& options) {
  auto source = open_patiently(path, options);
  if (!source) {
    Error error = std::move(source).error();
    error.file = path;
    return error;
  }
  return std::unique_ptr<CausalTraceReader>(
      new CausalTraceReader(std::make_unique<Impl>(std::move(*source), options, path)));
}

Result<std::unique_ptr<CausalTraceReader>> CausalTraceReader::open_text(std::string_view text,
                                                                        const ReadOptions& options,
                                                                        std::string_view name) {
  auto source = porpentine::open_text(text);
  if (!source) {
    Error error = std::move(source).error();
    error.file = name;
    return error;
  }
  return std::unique_ptr<CausalTraceReader>(
      new CausalTraceReader(std::make_unique<Impl>(std::move(*source), options, name)));
}

Result<bool> CausalTraceReader::is_trace() { return impl_->is_trace(); }
Result<History> CausalTraceReader::read_history() { return impl_->read_history(); }
Result<bool> CausalTraceReader::next(CausalEvent& event) { return impl_->next(event); }
const CausalNames& CausalTraceReader::names() const { return impl_->names(); }
const std::string& CausalTraceReader::header_model() const { return impl_->header_model(); }
bool CausalTraceReader::may_take(std::uint64_t bytes) const { return impl_->may_take(bytes); }
void CausalTraceReader::keep_details(bool keep) { impl_->keep_details(keep); }

Result<CausalTrace> read_causal_trace(CausalTraceReader& reader, std::string_view file) {
  CausalRules rules(reader.names());
  CausalTrace trace;
  trace.file = file;
  CausalEvent event;
  while (true) {
    auto there_is = reader.next(event);
    if (!there_is) return std::move(there_is).error();
    if (!*there_is) break;
    auto record = rules.take(event);
    const bool full = trace.events.size() == trace.events.capacity() &&
                      !reader.may_take(2 * trace.events.capacity() * sizeof(CausalEvent) + rules.memory());
    if (!record || full) {
      Error error = record ? Error{ErrorCode::limit, "memory limit reached", {}, 0} : std::move(record).error();
      error.file = file;
      return error;
    }
    trace.events.push_back(event);
  }
  trace.names = reader.names();
  return trace;
}

namespace {

Result<CausalTrace> read_whole(Result<std::unique_ptr<CausalTraceReader>> opened, std::string_view name) {
  if (!opened) return std::move(opened).error();
  return read_causal_trace(**opened, name);
}

}  // namespace

Result<CausalTrace> read_causal_trace(const std::string& path, const ReadOptions& options) {
  return read_whole(CausalTraceReader::open(path, options), path);
}

Result<CausalTrace> read_causal_trace_text(std::string_view text, const ReadOptions& options, std::string_view name) {
  return read_whole(CausalTraceReader::open_text(text, options, name), name);
}

bool is_causal_trace(std::string_view head) {
  std::string header_model;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (const std::optional<bool> told = tells_trace(line, header_model)) return *told;
    head.remove_prefix(std::min(head.size(), line.size() + 1));
  }
  return false;
}

void write_causal_trace(const CausalTrace& trace, std::ostream& out) {
  constexpr std::size_t kBlock = std::size_t{1} << 16U;
  const CausalNames& names = trace.names;
  std::string text = "{\"porpentine\": 1, \"model\": \"causal-delivery\"}\n";
  for (const CausalEvent& event : trace.events) {
    JsonWriter json(text);
    json.begin_object().name("type").string(to_string(event.type));
    if (event.actor != kNoIndex) json.name("actor").string(names.actors[event.actor]);
    if (event.channel != kNoIndex) json.name("ch").string(names.channels[event.channel]);
    switch (event.type) {
      case CausalEventType::subscribe:
        json.name("position").number(event.offset);
        break;
      case CausalEventType::send:
      case CausalEventType::deliver:
      case CausalEventType::observe:
      case CausalEventType::marker:
        json.name("offset").number(event.offset);
        if (event.detail != kNoIndex) json.name("id").raw(names.texts[event.detail]);
        break;
      case CausalEventType::commit:
        if (event.flag) json.name("outcome").string("unknown");
        break;
      case CausalEventType::crash:
        json.name("lose").string(event.flag ? "all" : "staged");
        break;
      case CausalEventType::truncate:
        json.name("log_start").number(event.offset);
        break;
      case CausalEventType::drain:
        if (event.detail == kNoIndex) break;
        json.name("actors").begin_array();
        for (const std::uint32_t actor : names.lists[event.detail]) json.string(names.actors[actor]);
        json.end_array();
        break;
      case CausalEventType::end:
        json.name("drained").raw(event.flag ? "true" : "false");
        break;
      case CausalEventType::note:
        if (event.detail != kNoIndex) json.name("text").string(names.texts[event.detail]);
        break;
      default:
        break;
    }
    json.end_object();
    text += '\n';
    if (text.size() < kBlock) continue;
    out << text;
    text.clear();
  }
  out << text;
}

}  // namespace porpentine
