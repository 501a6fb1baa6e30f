// Models that are written in another language: what a binding has to answer, and the Specification over it.
//
//     class Register : public porpentine::ForeignModel { ... };
//     auto model = porpentine::make_foreign_specification(std::make_shared<Register>(), history);
//     porpentine::CheckResult result = porpentine::check(*model, history);
//
// To the library a state is a number: the model numbers its states, equal ones alike. A call of the other language is
// dear, so each question is asked once: what a state and an operation lead to is remembered for as long as the
// specification lives, for all partitions, searches, threads, replays and explanations together. Operations with the
// same function, key, input and output (and process, where the model tells processes) are one operation to it.
//
// Thread safety: the model is called by one thread at a time, of those that check. Exceptions that it throws arrive at
// the caller of check.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <porpentine/history/history.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/specification.h>

namespace porpentine {

class ForeignModel {
 public:
  /// Where an operation leads to from a state.
  struct Answer {
    std::vector<StateId> next = {};  ///< several where the model is nondeterministic; none: refused
    std::string reason = {};         ///< of a refusal, in words that follow "where": `the register holds 3`
  };

  virtual ~ForeignModel() = default;

  /// For reports.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual StateId initial() = 0;
  /// Of an operation that is indeterminate, its output counts as unknown, whatever the history says.
  [[nodiscard]] virtual Answer step(StateId state, const BoundOperation& operation) = 0;
  /// A state, as a person would write it.
  [[nodiscard]] virtual std::string describe(StateId state) = 0;
  /// Whether the operation leaves every state that accepts it as it was.
  [[nodiscard]] virtual bool read_only(const BoundOperation&) { return false; }
  /// Whether it matters which process does an operation.
  [[nodiscard]] virtual bool tells_processes() const { return false; }
};

/// Only for this history, which must outlive it. `partition_keys`: for each operation what it has in common with all
/// others that it can't be judged without; empty: the history's own keys.
std::unique_ptr<Specification> make_foreign_specification(std::shared_ptr<ForeignModel> model, const History& history,
                                                          std::vector<ValueId> partition_keys = {});

}  // namespace porpentine
