// States that are texts, for keys to which text is appended, without ever building one of them.
//
// Only texts that somebody observed can make a difference. So a state's text is either a prefix of an observed text,
// named by (the first observed text in sorted order that starts with it, its length), or it is some other text,
// which no append turns into an observed one again: all of these are one state. Appending compares what is
// appended with the observed texts that start with the state's text, which are neighbours in sorted order:
// O(length of what is appended * log(texts)), once for each pair of state and label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <porpentine/models/machine.h>

#include "dense_ids.h"

namespace porpentine::detail {

class TextStates {
 public:
  /// `observed` may hold a text twice; the texts must outlive this.
  explicit TextStates(std::vector<std::string_view> observed);

  /// A new state that is no text.
  StateId add_value();
  /// The state null, to which a text can be appended.
  StateId null();
  StateId of_text(std::string_view text) { return extend(0, end(), 0, text); }
  /// The state after `text` is appended; kRefused where the state is no text. `label` stands for the text.
  StateId append(StateId state, Label label, std::string_view text);

  /// Whether appending can lead from `state` to `goal`.
  [[nodiscard]] bool leads_to(StateId state, StateId goal) const;
  /// Whether `state` is a text that no observed text starts with.
  [[nodiscard]] bool is_other_text(StateId state) const { return state == other_text_; }
  /// Whether an observed text contains `text`; true also where finding out would take too long.
  [[nodiscard]] bool may_occur(std::string_view text);

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::size_t memory() const;

 private:
  enum class Kind : std::uint8_t { value, null, prefix, other_text };
  struct State {
    Kind kind = Kind::value;
    std::uint32_t begin = 0;  ///< observed_[begin, end) start with the text
    std::uint32_t end = 0;
    std::size_t length = 0;
  };
  struct Prefix {
    std::uint32_t begin;
    std::size_t length;
    bool operator==(const Prefix&) const = default;
    friend std::uint64_t hash_of(const Prefix& prefix) { return mix(prefix.begin, prefix.length); }
  };

  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(observed_.size()); }
  StateId add(const State& state);
  StateId extend(std::uint32_t begin, std::uint32_t end, std::size_t length, std::string_view text);
  StateId append_uncached(State state, std::string_view text);

  std::vector<std::string_view> observed_;  // sorted, each once
  std::vector<State> states_;
  StateId null_ = kRefused;
  StateId other_text_ = kRefused;
  DenseIds<Prefix> prefixes_;
  std::vector<StateId> prefix_states_;
  DenseIds<std::uint64_t> steps_;  // state and label
  std::vector<StateId> after_;
  std::size_t search_budget_;
};

}  // namespace porpentine::detail
