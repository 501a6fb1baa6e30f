// s2: a stream of records with a tail, a running hash and a fencing token.

#include <charconv>
#include <map>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "s2_chain.h"
#include "s2_machine.h"
#include "words.h"

namespace porpentine::detail {

namespace {

enum Kind : std::uint8_t { kAppend, kRead, kCheckTail };

/// Hashes are text in decimal, because many programs can't hold such integers; integers are taken as well.
std::optional<std::uint64_t> parse_hash(const ValueTable& values, ValueId value) {
  const auto text = values.as_string(value);
  if (!text) return values.as_uint64(value);
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), hash);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return hash;
}

/// The members of an append's input that have a meaning; null where they are not there.
struct Append {
  ValueId record_hashes = kNull;
  ValueId new_token = kNull;
  ValueId demanded_token = kNull;
  ValueId demanded_tail = kNull;
};

Append parse_append(const ValueTable& values, ValueId input) {
  Append append;
  if (values.kind(input) != ValueKind::object) return append;
  const auto members = values.elements(input);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    const auto name = values.as_string(members[i]);
    if (name == "record_hashes") append.record_hashes = members[i + 1];
    if (name == "set_fencing_token") append.new_token = members[i + 1];
    if (name == "fencing_token") append.demanded_token = members[i + 1];
    if (name == "match_seq_num") append.demanded_tail = members[i + 1];
  }
  return append;
}

/// What a read returned.
struct Seen {
  std::optional<std::uint64_t> tail = {};
  std::optional<std::uint64_t> stream_hash = {};
};

Seen parse_seen(const ValueTable& values, ValueId output) {
  Seen seen;
  if (values.kind(output) != ValueKind::object) return seen;
  const auto members = values.elements(output);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    const auto name = values.as_string(members[i]);
    if (name == "tail") seen.tail = values.as_uint64(members[i + 1]);
    if (name == "stream_hash") seen.stream_hash = parse_hash(values, members[i + 1]);
  }
  return seen;
}

class S2Replay final : public ResumableReplay {
 public:
  explicit S2Replay(const History& history) : history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    const ValueTable& values = history_.values;
    Stream& stream = streams_[history_.key[i]];
    const std::string& f = history_.function_name(i);
    if (f == "append") return append(stream, operation);
    if (operation.indeterminate) return std::nullopt;
    if (f == "check-tail") return check_tail(stream, *values.as_uint64(history_.output[i]));
    const Seen seen = parse_seen(values, history_.output[i]);
    if (auto reason = check_tail(stream, *seen.tail)) return reason;
    if (*seen.stream_hash == stream.hash) return std::nullopt;
    return "the hash of the stream's " + std::to_string(stream.tail) + " records is " + std::to_string(stream.hash);
  }

  [[nodiscard]] std::string state() const override {
    const Stream stream = streams_.empty() ? Stream{} : streams_.begin()->second;
    return "tail " + std::to_string(stream.tail) + ", hash " + std::to_string(stream.hash) + ", " + token(stream);
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        streams_, [](const Stream& stream) { return stream.tail == 0 && stream.token == kNull; },
        [&](Stream& stream) {
          archive.number(stream.tail);
          archive.number(stream.hash);
          archive.value(stream.token);
        });
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    return history_.function_name(operation.operation) != "append";
  }

 private:
  struct Stream {
    std::uint64_t tail = 0;
    std::uint64_t hash = 0;
    ValueId token = kNull;
  };

  /// One of which nobody knows whether it took effect didn't where its demands are not met.
  std::optional<std::string> append(Stream& stream, const BoundOperation& operation) const {
    const std::uint32_t i = operation.operation;
    const ValueTable& values = history_.values;
    const Append append = parse_append(values, history_.input[i]);
    const auto records = values.elements(append.record_hashes);
    std::optional<std::string> reason;
    if (append.demanded_token != kNull && append.demanded_token != stream.token) reason = token(stream);
    if (append.demanded_tail != kNull && values.as_uint64(append.demanded_tail) != stream.tail) {
      reason = tail(stream);
    }
    if (operation.indeterminate && reason) return std::nullopt;
    if (!reason && !operation.indeterminate && *values.as_uint64(history_.output[i]) != stream.tail + records.size()) {
      reason = tail(stream);
    }
    if (reason) return reason;
    for (const ValueId record : records) stream.hash = chained(stream.hash, *parse_hash(values, record));
    stream.tail += records.size();
    if (append.new_token != kNull) stream.token = append.new_token;
    return std::nullopt;
  }

  static std::optional<std::string> check_tail(const Stream& stream, std::uint64_t seen) {
    return seen == stream.tail ? std::nullopt : std::optional(tail(stream));
  }

  static std::string tail(const Stream& stream) { return "the stream's tail is " + std::to_string(stream.tail); }
  [[nodiscard]] std::string token(const Stream& stream) const {
    if (stream.token == kNull) return "there is no fencing token";
    return "the fencing token is " + shown(history_.values, stream.token);
  }

  const History& history_;
  std::map<ValueId, Stream> streams_;  // by key: operations of one partition have one
};

class S2Specification final : public BasicSpecification {
 public:
  explicit S2Specification(const std::string& name) : BasicSpecification(name, {"append", "read", "check-tail"}) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<std::uint64_t> records;  // of all appends
    records.reserve(count_records(history, operations, kind_of));
    std::vector<S2Operation> decoded;
    decoded.reserve(operations.size());
    for (const BoundOperation& operation : operations) {
      const std::uint32_t i = operation.operation;
      const std::uint8_t kind = kind_of[history.function[i]];
      if (kind == kAppend) {
        decoded.push_back(decoded_append(history, operation, records));
      } else if (operation.indeterminate) {
        decoded.emplace_back();
      } else if (kind == kCheckTail) {
        decoded.push_back({S2Kind::check_tail, false, *history.values.as_uint64(history.output[i])});
      } else {
        const Seen seen = parse_seen(history.values, history.output[i]);
        decoded.push_back({S2Kind::read, false, *seen.tail, *seen.stream_hash});
      }
    }
    return bind_s2(decoded);
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return std::make_unique<S2Replay>(history);
  }

 private:
  static std::size_t count_records(const History& history, std::span<const BoundOperation> operations,
                                   const FunctionKinds& kind_of) {
    std::size_t count = 0;
    for (const BoundOperation& operation : operations) {
      const std::uint32_t i = operation.operation;
      if (kind_of[history.function[i]] != kAppend) continue;
      count += history.values.elements(parse_append(history.values, history.input[i]).record_hashes).size();
    }
    return count;
  }

  /// `records` has room: the spans stay where they are.
  static S2Operation decoded_append(const History& history, const BoundOperation& operation,
                                    std::vector<std::uint64_t>& records) {
    const ValueTable& values = history.values;
    const Append append = parse_append(values, history.input[operation.operation]);
    const std::size_t begin = records.size();
    for (const ValueId record : values.elements(append.record_hashes)) records.push_back(*parse_hash(values, record));
    S2Operation decoded{S2Kind::append, operation.indeterminate};
    if (!operation.indeterminate) decoded.tail = *values.as_uint64(history.output[operation.operation]);
    decoded.demanded_token = append.demanded_token;
    decoded.new_token = append.new_token;
    if (append.demanded_tail != kNull) decoded.demanded_tail = values.as_uint64(append.demanded_tail);
    decoded.records = std::span<const std::uint64_t>(records).subspan(begin);
    return decoded;
  }

  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    if (kind != kAppend) return std::nullopt;
    const ValueTable& values = history.values;
    const ValueId input = history.input[operation];
    const Append append = parse_append(values, input);
    if (!values.is_array(append.record_hashes)) {
      return takes("append", R"({"record_hashes": [hash, ...], ...})", values, input);
    }
    for (const ValueId record : values.elements(append.record_hashes)) {
      if (!parse_hash(values, record)) return "a record's hash" + std::string(kNumber) + not_but(values, record);
    }
    for (const auto& [name, token] :
         {std::pair("set_fencing_token", append.new_token), std::pair("fencing_token", append.demanded_token)}) {
      if (token != kNull && !values.as_string(token)) {
        return std::string(name) + " is text or null" + not_but(values, token);
      }
    }
    if (append.demanded_tail != kNull && !values.as_uint64(append.demanded_tail)) {
      return "match_seq_num is a non-negative integer or null" + not_but(values, append.demanded_tail);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueTable& values = history.values;
    const ValueId output = history.output[operation];
    if (kind == kRead) {
      const Seen seen = parse_seen(values, output);
      if (seen.tail && seen.stream_hash) return std::nullopt;
      return returns("read", R"({"tail": n, "stream_hash": hash})", values, output);
    }
    if (values.as_uint64(output)) return std::nullopt;
    return returns(history.function_name(operation).c_str(), "the tail, a non-negative integer", values, output);
  }

  static std::string not_but(const ValueTable& values, ValueId value) {
    return ", not " + shown_with_type(values, value);
  }

  static constexpr const char* kNumber = " is a number of 64 bits, as text in decimal";
};

}  // namespace

ModelInfo s2_info() {
  return {
      "s2",
      "A stream of s2 with a tail, a running hash and a fencing token, judged key by key.",
      R"(append ({"record_hashes": [hash, ...], "set_fencing_token": text, "fencing_token": text, "match_seq_num": )"
      R"(n}, all but the first may be missing) -> tail; read -> {"tail": n, "stream_hash": hash}; check-tail -> )"
      R"(tail. Hashes are text in decimal, tails are exclusive)",
      {},
      R"({"process": 0, "f": "append", "input": {"record_hashes": ["12352915711150947722"]}, "output": 1, )"
      R"("call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_s2(const ModelOptions& options, ValueTable&) {
  return std::make_unique<S2Specification>(options.text());
}

}  // namespace porpentine::detail
