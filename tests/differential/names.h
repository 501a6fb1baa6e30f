// How reference objects are written as operations of a model's vocabulary.
//
// A reference object that takes part has, beside what brute_force.h asks for,
//     Encoded encode(const Op&, bool known, const Names&) const;        as the model's vocabulary has it
//     Op invocation(Random&) const;                                      without an output
//     std::optional<State> perform(const State&, Op&, int process, Random&) const;
//                                                            sets the output; nothing: not possible now
//     void corrupt(Op&, Random&) const;                                  some other output, or some other input
//     bool renamable() const;                                            whether values may be written as any others
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <porpentine/history/value.h>

namespace porpentine::differential {

/// What a reference object answers to an operation that leaves the state as it is.
template <typename State>
std::vector<State> unchanged_if(bool accepted, const State& state) {
  return accepted ? std::vector<State>(1, state) : std::vector<State>();
}

/// How the small numbers and letters of a reference object are written as JSON values.
class Names {
 public:
  enum class Scheme : std::uint8_t { plain, renamed };

  Names(ValueTable& table, Scheme scheme) : table_(&table), scheme_(scheme) {}

  [[nodiscard]] ValueTable& table() const { return *table_; }
  /// 0 is null; every other number has a name of its own.
  [[nodiscard]] ValueId value(int number) const {
    if (number == 0) return kNull;
    if (scheme_ == Scheme::plain) return table_->integer(number);
    switch (number % 4) {
      case 0:
        return table_->string(std::to_string(number));
      case 1:
        return table_->unsigned_integer(18446744073709551000U + static_cast<unsigned>(number));
      case 2:
        return table_->real(number + 0.5);
      default:
        return table_->integer(std::int64_t{number} - 9007199254740993);
    }
  }
  [[nodiscard]] ValueId text(const std::string& letters) const {
    if (scheme_ == Scheme::plain) return table_->string(letters);
    std::string renamed;
    for (const char letter : letters) {
      renamed += letter == 'a' ? "\xc3\xa4" : "/";
      if (letter != 'a') renamed += letter;
    }
    return table_->string(renamed);
  }
  /// 0 is no key.
  [[nodiscard]] ValueId key(int number) const {
    if (number == 0) return kNull;
    return scheme_ == Scheme::plain ? table_->string("k" + std::to_string(number)) : table_->integer(-number);
  }
  [[nodiscard]] ValueId array(const std::vector<ValueId>& elements) const { return table_->array(elements); }

 private:
  ValueTable* table_;
  Scheme scheme_;
};

struct Encoded {
  const char* f = "";
  ValueId input = kNull;
  ValueId output = kNull;
};

}  // namespace porpentine::differential
