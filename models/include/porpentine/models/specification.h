// The sequential specifications that the command knows, over the values of a History.
//
// A Specification says what each operation may answer if operations happened one after the other. It has two
// faces. `bind` gives the search a Machine, which may use everything that the partition's operations are
// known to have observed. `replay` gives the plain reading of the specification, an object that executes one
// operation after the other and says why it refuses; explanations and --verify use it, and it shares no code
// with the Machine.
//
// Thread safety: const members may be called from several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/history/history.h>
#include <porpentine/history/large_vector.h>
#include <porpentine/history/result.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/state_archive.h>
#include <porpentine/models/vocabulary.h>

namespace porpentine {

/// One operation of a partition as bind() and replay() see it.
struct BoundOperation {
  std::uint32_t operation = 0;  ///< index into the history
  bool indeterminate = false;   ///< its output is unknown and it may never have happened
};

/// Operations that can be judged alone: P-compositionality (Herlihy and Wing, "Linearizability", 1990,
/// theorem 1; Horn and Kroening, "Faster linearizability checking via P-compositionality", 2015).
struct Partition {
  ValueId key = kNull;                    ///< what they have in common; null where there is one partition
  LargeVector<std::uint32_t> operations;  ///< indices into the history, rising; failed ones are not in it
};

/// Executes operations one after the other, as the specification reads.
class Replay {
 public:
  virtual ~Replay() = default;
  /// Applies the operation. A reason where it is refused (the state stays as it was), in words that follow
  /// "where": `the register holds 3`.
  virtual std::optional<std::string> apply(const BoundOperation& operation) = 0;
  /// The state, as a person would write it.
  [[nodiscard]] virtual std::string state() const = 0;
};

/// A replay whose state can be put away and taken up again.
class ResumableReplay : public Replay {
 public:
  /// Writes the whole state, or reads one.
  virtual void transfer(StateArchive& archive) = 0;
  /// Whether the operation leaves every state that accepts it as it was.
  [[nodiscard]] virtual bool reads_only(const BoundOperation& operation) const = 0;
  /// Whether it matters which process does an operation.
  [[nodiscard]] virtual bool tells_processes() const { return false; }
};

class Specification {
 public:
  virtual ~Specification() = default;

  /// As the user wrote it, with options: "register:initial=0".
  [[nodiscard]] virtual const std::string& name() const = 0;
  /// An Error (code vocabulary; file and line filled in) for the first operation whose `f` or values the model
  /// doesn't know. Failed operations are not looked at beyond their `f`.
  [[nodiscard]] virtual std::optional<Error> validate(const History& history) const = 0;
  /// The same for one operation of a history that need not be complete: of one that is still running, the call.
  [[nodiscard]] virtual std::optional<Error> validate(const History& history, std::uint32_t operation) const = 0;
  /// The parts that can be judged alone, in order of their first operation. By key unless the model says else.
  [[nodiscard]] virtual std::vector<Partition> partitions(const History& history) const = 0;
  /// Whether operations of different keys can be judged apart whatever else the history holds.
  [[nodiscard]] virtual bool splits_keys() const { return true; }
  /// The history must be validated. `operations` are those of one partition, or fewer, and the history must
  /// outlive the machine.
  [[nodiscard]] virtual Bound bind(const History& history, std::span<const BoundOperation> operations) const = 0;
  [[nodiscard]] virtual std::unique_ptr<ResumableReplay> replay(const History& history) const = 0;
  /// What a partition's operations are to a monitor; of no kind where there is none for this model.
  [[nodiscard]] virtual Vocabulary vocabulary(const History&) const { return {}; }
};

/// An option of a model, for `porpentine models`.
struct ModelOption {
  std::string name;         ///< "initial"
  std::string value;        ///< "VALUE", or empty for a switch
  std::string description;  ///< one sentence
};

/// A model that make_specification knows.
struct ModelInfo {
  std::string name;
  std::string summary;     ///< one sentence
  std::string vocabulary;  ///< "read -> v or null; write (v); ..."
  std::vector<ModelOption> options;
  std::string example;  ///< one line of a history, in JSON Lines
  /// The options without which it can't be made, as an example has them, ":accounts={...}"; mostly empty.
  std::string required_options = {};
};

/// All built-in models, in the order in which they should be shown.
const std::vector<ModelInfo>& models();

/// "register", "register:initial=0:nil-read=any", "cas-register", "kv", "multi-register", "log", "mutex", ...
/// Option values are JSON, or taken as text where they aren't. `values` of the history interns them, so make
/// the specification for a history before anything else holds ids.
Result<std::unique_ptr<Specification>> make_specification(std::string_view name, ValueTable& values);

}  // namespace porpentine
