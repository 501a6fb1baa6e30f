// What all built-in models share: their words, validation operation by operation, partitions by key.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <porpentine/models/specification.h>

namespace porpentine::detail {

/// Numbers of a model's functions, by the history's function index.
using FunctionKinds = std::vector<std::uint8_t>;

class BasicSpecification : public Specification {
 public:
  /// `name` as the user wrote it; `functions` are the words of the vocabulary, whose positions are their kinds.
  BasicSpecification(std::string name, std::vector<std::string> functions)
      : name_(std::move(name)), functions_(std::move(functions)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::optional<Error> validate(const History& history) const override;
  [[nodiscard]] std::optional<Error> validate(const History& history, std::uint32_t operation) const override;
  [[nodiscard]] std::vector<Partition> partitions(const History& history) const override;

 protected:
  static constexpr std::uint8_t kUnknownFunction = 0xff;

  [[nodiscard]] FunctionKinds kinds(const History& history) const;
  /// For each function of the history its word in a monitor's vocabulary; `words` has those of this model's, by kind.
  template <typename Word>
  [[nodiscard]] std::vector<std::uint8_t> words(const History& history,
                                                std::initializer_list<std::optional<Word>> words) const {
    FunctionKinds kind_of = kinds(history);
    for (std::uint8_t& kind : kind_of) {
      const std::optional<Word> word = kind < words.size() ? words.begin()[kind] : std::nullopt;
      kind = word ? static_cast<std::uint8_t>(*word) : kOtherWord;
    }
    return kind_of;
  }

 private:
  /// What is wrong with the call of an operation that didn't fail, if anything. Inputs of operations that take none are
  /// not looked at: Jepsen's generators fill them in now and then.
  [[nodiscard]] virtual std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                             std::uint8_t kind) const = 0;
  /// What is wrong with the output of an ok operation whose call is right, if anything.
  [[nodiscard]] virtual std::optional<std::string> output_complaint(const History&, std::uint32_t /*operation*/,
                                                                    std::uint8_t /*kind*/) const {
    return std::nullopt;
  }
  /// What is wrong with the history as a whole, if anything.
  [[nodiscard]] virtual std::optional<std::string> overall_complaint(const History&) const { return std::nullopt; }

  [[nodiscard]] std::uint8_t kind(const std::string& function) const;
  [[nodiscard]] std::optional<Error> error_in(const History& history, std::uint32_t operation, std::uint8_t kind) const;
  [[nodiscard]] std::string unknown_function(const std::string& function) const;

  std::string name_;
  std::vector<std::string> functions_;
};

/// Says what `f` takes or returns instead of `value`: "cas takes [old, new], not 5 (integer)". A History doesn't tell
/// null from a value that is missing, and neither do these.
std::string takes(const char* f, const char* what, const ValueTable& values, ValueId value);
std::string returns(const char* f, const char* what, const ValueTable& values, ValueId value);

/// The operations that didn't fail by their keys, of which `key` has one for every operation.
std::vector<Partition> by_key(const History& history, std::span<const ValueId> key);

/// All operations that didn't fail as one partition with the key of the first; none where all failed.
std::vector<Partition> whole(const History& history);

/// Groups the operations that didn't fail by the numbers that `part_of` gives them, below `parts`.
std::vector<Partition> group(const History& history, const std::vector<std::uint32_t>& part_of, std::size_t parts);

}  // namespace porpentine::detail
