// causal-delivery: actors that deliver what others sent, nothing before what it depends on.
//
// For histories in which events are known as intervals. A state is the whole of CausalState, told from others by its
// bytes; a step executes one event on it. So a step costs as much as the state is large: this is for histories of
// hundreds of operations, where the order of events is known there is the trace judge.
//
// A send of unknown outcome got an offset that nobody was told. The machine, which is bound to all operations that are
// judged, tries the offsets that one of them saw and none is known to have got; a record that nobody sees only adds
// what can be missed, so an order with it is one without it. The replay, which may be asked before it is told what is
// seen later, leaves the offset open until a record is seen that it can be, and remembers what the offset can't have
// been.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "basic_specification.h"
#include "builtin_models.h"
#include "causal_state.h"
#include "dense_ids.h"
#include "words.h"

namespace porpentine::detail {
namespace {

const std::vector<std::string>& word_names() {
  static const std::vector<std::string> names = {"subscribe", "unsubscribe", "begin",   "commit", "abort",
                                                 "send",      "deliver",     "observe", "marker", "crash",
                                                 "restart",   "truncate",    "drain"};
  return names;
}

bool is_name(const ValueTable& values, ValueId id) {
  const ValueKind kind = values.kind(id);
  return kind == ValueKind::string || kind == ValueKind::integer || kind == ValueKind::unsigned_integer;
}

bool is_list_of_names(const ValueTable& values, ValueId id) {
  if (!values.is_array(id)) return false;
  const auto elements = values.elements(id);
  return std::all_of(elements.begin(), elements.end(), [&](ValueId element) { return is_name(values, element); });
}

/// Integers stand for their digits.
std::string name_text(const ValueTable& values, ValueId id) {
  const auto text = values.as_string(id);
  return text ? std::string(*text) : values.to_json(id);
}

/// [channel, offset]
std::optional<CausalPlace> parse_place(const ValueTable& values, ValueId input) {
  const auto elements = values.is_array(input) ? values.elements(input) : std::span<const ValueId>();
  if (elements.size() != 2 || !is_name(values, elements[0])) return std::nullopt;
  const auto offset = values.as_uint64(elements[1]);
  return offset ? std::optional(CausalPlace{elements[0], 0, *offset}) : std::nullopt;
}

bool has_place(CausalWord word) {
  return word == CausalWord::subscribe || word == CausalWord::deliver || word == CausalWord::observe ||
         word == CausalWord::marker || word == CausalWord::truncate;
}

CausalCall decode(const History& history, std::uint32_t operation, CausalWord word) {
  const ValueTable& values = history.values;
  const ValueId input = history.input[operation];
  CausalCall call{word, history.processes[history.process[operation]]};
  if (has_place(word)) call.place = *parse_place(values, input);
  if (word == CausalWord::unsubscribe) call.place.channel = input;
  if (word == CausalWord::send) {
    call.place = {input, 0, values.as_uint64(history.output[operation]).value_or(0)};
  }
  if (word == CausalWord::crash) call.loses_all = values.as_string(input) == "all";
  if (word == CausalWord::drain && input != kNull) {
    call.lists_actors = true;
    for (const ValueId listed : values.elements(input)) {
      for (const ValueId process : history.processes) {
        if (name_text(values, process) == name_text(values, listed)) call.actors.push_back(process);
      }
    }
  }
  return call;
}

/// What operations of unknown outcome may have done.
struct Choices {
  CausalCall call;
  bool open = false;                        // the outcome is unknown
  std::vector<std::uint64_t> offsets = {};  // of a machine's send: those that were seen and that nobody else got
};

/// All states that the operation may lead to; none where it is refused, for `why`.
std::vector<CausalState> successors_of(const CausalState& state, const Choices& choices, const ValueTable& values,
                                       std::optional<std::string>& why) {
  std::vector<CausalState> after;
  const auto attempt = [&](CausalState next, const CausalCall& call) {
    if (auto refused = next.apply(call, values)) {
      why = std::move(refused);
    } else {
      after.push_back(std::move(next));
    }
  };
  CausalCall call = choices.call;
  if (choices.open && call.word == CausalWord::send && !call.unseen) {
    why = "nobody saw a record that it could have sent";
    for (const std::uint64_t offset : choices.offsets) {
      call.place.offset = offset;
      attempt(state, call);
    }
  } else if (call.word == CausalWord::deliver || call.word == CausalWord::observe || call.word == CausalWord::marker) {
    for (CausalState& reading : state.readings(call.place)) attempt(std::move(reading), call);
  } else {
    attempt(state, call);
    if (choices.open && call.word == CausalWord::commit) {
      call.word = CausalWord::abort;
      attempt(state, call);
    }
  }
  return after;
}

std::string bytes_of(CausalState& state) {
  std::string bytes;
  StateArchive archive(bytes);
  state.transfer(archive);
  return bytes;
}

/// The offsets at which a send of unknown outcome may have put its record, by channel: somebody delivered or observed
/// it, and nobody else is known to have sent it.
class SeenOffsets {
 public:
  explicit SeenOffsets(const std::vector<Choices>& all) {
    std::set<CausalPlace> sent;
    for (const Choices& one : all) {
      if (one.call.word == CausalWord::send && !one.open) sent.insert(one.call.place);
    }
    for (const Choices& one : all) {
      const bool sees = one.call.word == CausalWord::deliver || one.call.word == CausalWord::observe;
      if (sees && !sent.contains(one.call.place)) seen_[one.call.place.channel].insert(one.call.place.offset);
    }
  }
  [[nodiscard]] std::vector<std::uint64_t> on(ValueId channel) const {
    const auto found = seen_.find(channel);
    if (found == seen_.end()) return {};
    return {found->second.begin(), found->second.end()};
  }

 private:
  std::map<ValueId, std::set<std::uint64_t>> seen_;
};

class CausalMachine final : public Machine {
 public:
  CausalMachine(const ValueTable& values, std::vector<Choices> choices)
      : values_(values), choices_(std::move(choices)), traits_(choices_.size()) {
    CausalState nothing;
    initial_ = add(nothing);
  }

  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return initial_; }
  [[nodiscard]] StateId step(StateId state, Label label) override {
    const auto [place, added] = steps_.try_emplace({state, label});
    if (added) {
      std::optional<std::string> why;
      std::set<StateId> after;
      for (CausalState& next : successors_of(read(state), choices_[label], values_, why)) after.insert(add(next));
      place->second.assign(after.begin(), after.end());
    }
    if (place->second.empty()) return kRefused;
    return place->second.size() == 1 ? place->second.front() : kSeveral;
  }
  [[nodiscard]] std::span<const StateId> successors(StateId state, Label label) override {
    return steps_.at({state, label});
  }
  [[nodiscard]] std::size_t memory() const override {
    constexpr std::size_t kStep = 96;  // a node of the map, and a state
    return bytes_ + states_.size() * sizeof(std::string) + ids_.memory() + steps_.size() * kStep;
  }

 private:
  StateId add(CausalState& state) {
    std::string bytes = bytes_of(state);
    const std::uint64_t hash = std::hash<std::string>()(bytes);
    const IdTable::Found found = ids_.find_or_add(mix(hash), [&](std::uint32_t id) { return states_[id] == bytes; });
    if (found.added) {
      bytes_ += bytes.capacity();
      states_.push_back(std::move(bytes));
    }
    return found.id;
  }
  [[nodiscard]] CausalState read(StateId id) const {
    CausalState state;
    StateArchive archive{std::string_view(states_[id])};
    state.transfer(archive);
    return state;
  }

  const ValueTable& values_;
  std::vector<Choices> choices_;  // by label
  std::vector<LabelTraits> traits_;
  IdTable ids_;
  std::vector<std::string> states_;
  std::size_t bytes_ = 0;
  std::map<std::pair<StateId, Label>, std::vector<StateId>> steps_;
  StateId initial_ = 0;
};

class CausalSpecification final : public BasicSpecification {
 public:
  explicit CausalSpecification(std::string name) : BasicSpecification(std::move(name), word_names()) {}

  [[nodiscard]] bool splits_keys() const override { return false; }
  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override { return whole(history); }

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override {
    const FunctionKinds kind_of = kinds(history);
    std::vector<Choices> all;
    all.reserve(operations.size());
    Bound bound;
    for (const BoundOperation& operation : operations) {
      const auto word = static_cast<CausalWord>(kind_of[history.function[operation.operation]]);
      bound.labels.push_back(static_cast<Label>(all.size()));
      all.push_back({decode(history, operation.operation, word), operation.indeterminate});
    }
    const SeenOffsets seen(all);
    for (Choices& one : all) {
      if (one.open && one.call.word == CausalWord::send) one.offsets = seen.on(one.call.place.channel);
    }
    bound.machine = std::make_unique<CausalMachine>(history.values, std::move(all));
    return bound;
  }

  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override;

  /// A send of unknown outcome sends a record that nobody has seen yet.
  [[nodiscard]] Choices choices(const History& history, const BoundOperation& operation) const {
    const std::uint8_t kind = kinds(history)[history.function[operation.operation]];
    Choices one{decode(history, operation.operation, static_cast<CausalWord>(kind)), operation.indeterminate};
    one.call.unseen = one.open && one.call.word == CausalWord::send;
    return one;
  }

 private:
  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override {
    const ValueTable& values = history.values;
    const ValueId input = history.input[operation];
    const auto word = static_cast<CausalWord>(kind);
    const char* const f = word_names()[kind].c_str();
    if (has_place(word)) {
      if (parse_place(values, input)) return std::nullopt;
      return takes(f, "[channel, offset]", values, input);
    }
    switch (word) {
      case CausalWord::send:
      case CausalWord::unsubscribe:
        if (!is_name(values, input)) return takes(f, "a channel, text or an integer", values, input);
        break;
      case CausalWord::crash:
        if (values.as_string(input) != "all" && values.as_string(input) != "staged") {
          return takes(f, R"("staged" or "all")", values, input);
        }
        break;
      case CausalWord::drain:
        if (input != kNull && !is_list_of_names(values, input)) {
          return takes(f, "nothing or [actor, ...]", values, input);
        }
        break;
      default:
        break;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override {
    const ValueId output = history.output[operation];
    if (static_cast<CausalWord>(kind) != CausalWord::send || history.values.as_uint64(output)) return std::nullopt;
    return returns("send", "the record's offset, an unsigned integer", history.values, output);
  }
};

/// All states that operations of unknown outcome may have led to.
class CausalReplay final : public ResumableReplay {
 public:
  CausalReplay(const CausalSpecification& specification, const History& history)
      : specification_(specification), history_(history) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    std::optional<std::string> why;
    std::set<CausalState> after;
    const Choices choices = specification_.choices(history_, operation);
    for (const CausalState& state : states_) {
      for (CausalState& next : successors_of(state, choices, history_.values, why)) after.insert(std::move(next));
    }
    if (after.empty()) return why;
    states_ = std::move(after);
    return std::nullopt;
  }
  [[nodiscard]] std::string state() const override { return states_.begin()->to_string(history_.values); }

  void transfer(StateArchive& archive) override {
    std::uint64_t count = states_.size();
    archive.number(count);
    std::set<CausalState> states;
    auto next = states_.begin();
    for (; count > 0; --count) {
      CausalState state;
      if (archive.writes()) state = *next++;
      state.transfer(archive);
      states.insert(std::move(state));
    }
    states_ = std::move(states);
  }
  [[nodiscard]] bool reads_only(const BoundOperation&) const override { return false; }
  [[nodiscard]] bool tells_processes() const override { return true; }

 private:
  const CausalSpecification& specification_;
  const History& history_;
  std::set<CausalState> states_ = {CausalState()};
};

std::unique_ptr<ResumableReplay> CausalSpecification::replay(const History& history) const {
  return std::make_unique<CausalReplay>(*this, history);
}

}  // namespace

ModelInfo causal_info() {
  return {
      "causal-delivery",
      "Actors (the processes) that deliver records, none before what causally precedes it, and in the end all of "
      "them. Traces, which tell the order of all events in lines such as {\"type\": \"deliver\", \"actor\": \"n1\", "
      "\"ch\": \"t1-0\", \"offset\": 3}, are judged by a judge of their own.",
      R"(subscribe ([ch, position]); unsubscribe (ch); begin; commit; abort; send (ch) -> offset; deliver )"
      R"(([ch, offset]); observe ([ch, offset]); marker ([ch, offset]); crash ("staged" or "all"); restart; )"
      R"(truncate ([ch, log start]); drain (null, or [actor, ...]))",
      {},
      R"({"process": 1, "f": "deliver", "input": ["t1-0", 3], "call": 10, "return": 20})"};
}

std::unique_ptr<Specification> make_causal(const ModelOptions& options, ValueTable&) {
  return std::make_unique<CausalSpecification>(options.text());
}

}  // namespace porpentine::detail
