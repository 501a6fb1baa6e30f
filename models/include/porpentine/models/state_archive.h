// A state as bytes, and back: how states are compared, kept, and carried over to another table of values.
//
// Each replay names the parts of its state once, in one order, and the archive writes or reads them. Equal states
// give equal bytes, as long as they are written over one table. Ids in the bytes belong to that table: a reader for
// another one translates them.
//
// Complexity: O(bytes). Thread safety: none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <porpentine/history/value.h>

namespace porpentine {

class StateArchive {
 public:
  /// What ids that are read become.
  struct Translation {
    std::function<ValueId(ValueId)> value;
    std::function<std::uint32_t(std::uint32_t)> process;
  };

  /// Writes, onto the end of `bytes`.
  explicit StateArchive(std::string& bytes) : out_(&bytes) {}
  /// Reads what was written by the same calls.
  explicit StateArchive(std::string_view bytes, const Translation* translation = nullptr)
      : in_(bytes), translation_(translation) {}

  [[nodiscard]] bool writes() const { return out_ != nullptr; }

  void value(ValueId& id) {
    std::uint64_t word = id;
    number(word);
    if (writes()) return;
    id = static_cast<ValueId>(word);
    if (translation_ != nullptr) id = translation_->value(id);
  }
  /// An index into History::processes.
  void process(std::uint32_t& index) {
    std::uint64_t word = index;
    number(word);
    if (writes()) return;
    index = static_cast<std::uint32_t>(word);
    if (translation_ != nullptr) index = translation_->process(index);
  }
  /// Any number; small ones take a byte (LEB128).
  void number(std::uint64_t& word) {
    if (writes()) {
      std::uint64_t rest = word;
      for (; rest >= kMore; rest >>= 7U) out_->push_back(static_cast<char>(rest | kMore));
      out_->push_back(static_cast<char>(rest));
      return;
    }
    word = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(in_.front());
      in_.remove_prefix(1);
      word |= std::uint64_t{byte & (kMore - 1U)} << shift;
      if (byte < kMore) return;
    }
  }
  void text(std::string& text) {
    std::uint64_t length = text.size();
    number(length);
    if (writes()) {
      out_->append(text);
    } else {
      text.assign(in_.substr(0, length));
      in_.remove_prefix(length);
    }
  }
  /// A container of values, in its order.
  template <typename Values>
  void values(Values& values) {
    std::uint64_t count = values.size();
    number(count);
    if (writes()) {
      for (ValueId id : values) value(id);
      return;
    }
    values.clear();
    for (; count > 0; --count) {
      ValueId id = kNull;
      value(id);
      values.insert(values.end(), id);
    }
  }
  /// A map from values to parts of the state, without those that are as they were at first: whether a part was ever
  /// looked at must not show. `initial` is what a part is made of, `same` tells whether it is still like that.
  template <typename Map, typename Same, typename Each, typename... Initial>
  void parts(Map& map, const Same& same, const Each& each, const Initial&... initial) {
    const auto counts = [&](const auto& entry) { return !same(entry.second); };
    std::uint64_t count = static_cast<std::uint64_t>(std::count_if(map.begin(), map.end(), counts));
    number(count);
    if (writes()) {
      for (auto& entry : map) {
        if (!counts(entry)) continue;
        ValueId key = entry.first;
        value(key);
        each(entry.second);
      }
      return;
    }
    map.clear();
    for (; count > 0; --count) {
      ValueId key = kNull;
      value(key);
      each(map.try_emplace(key, initial...).first->second);
    }
  }

 private:
  static constexpr unsigned kMore = 0x80;

  std::string* out_ = nullptr;
  std::string_view in_;
  const Translation* translation_ = nullptr;
};

}  // namespace porpentine
