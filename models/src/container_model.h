// What the specifications of queue, stack, bag and priority-queue have in common: one word puts a value in, another
// takes one out, or finds that there is none.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "basic_specification.h"
#include "container_machine.h"

namespace porpentine::detail {

/// What makes one of these models.
struct ContainerKind {
  const char* put;
  const char* take;
  Discipline discipline;
  ObjectKind object;
  std::unique_ptr<Machine> (*make_machine)(ContainerBinding binding);
  std::unique_ptr<ResumableReplay> (*make_replay)(const History& history);
};

class ContainerSpecification final : public BasicSpecification {
 public:
  ContainerSpecification(const std::string& name, const ContainerKind& kind)
      : BasicSpecification(name, {kind.put, kind.take}), kind_(kind) {}

  [[nodiscard]] Bound bind(const History& history, std::span<const BoundOperation> operations) const override;
  [[nodiscard]] std::unique_ptr<ResumableReplay> replay(const History& history) const override {
    return kind_.make_replay(history);
  }
  [[nodiscard]] Vocabulary vocabulary(const History& history) const override;

 private:
  [[nodiscard]] std::optional<std::string> complaint(const History& history, std::uint32_t operation,
                                                     std::uint8_t kind) const override;
  [[nodiscard]] std::optional<std::string> output_complaint(const History& history, std::uint32_t operation,
                                                            std::uint8_t kind) const override;

  ContainerKind kind_;
};

/// "the queue holds 2 values"
std::string holds_count(const char* subject, std::size_t count);
/// "[1, 2, 3]", with the end left out where there are many.
std::string shown_contents(const ValueTable& values, std::span<const ValueId> contents);

/// `Contents` is a plain container:
///     explicit Contents(const ValueTable&);
///     void put(ValueId);
///     std::optional<std::string> take(ValueId seen);   seen: null where it was found empty; why it can't be so
///     void lose();                                     takes whatever is taken, if anything is there
///     std::string to_string() const;
///     bool empty() const;                              whether it is as it was at first
///     void transfer(StateArchive&);
template <typename Contents>
class ContainerReplay final : public ResumableReplay {
 public:
  ContainerReplay(const History& history, const char* put) : history_(history), put_(put) {}

  std::optional<std::string> apply(const BoundOperation& operation) override {
    const std::uint32_t i = operation.operation;
    Contents& contents = contents_.try_emplace(history_.key[i], history_.values).first->second;
    if (history_.function_name(i) == put_) {
      contents.put(history_.input[i]);
    } else if (operation.indeterminate) {
      contents.lose();
    } else {
      return contents.take(history_.output[i]);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string state() const override {
    return contents_.empty() ? "[]" : contents_.begin()->second.to_string();
  }

  void transfer(StateArchive& archive) override {
    archive.parts(
        contents_, [](const Contents& contents) { return contents.empty(); },
        [&](Contents& contents) { contents.transfer(archive); }, history_.values);
  }
  [[nodiscard]] bool reads_only(const BoundOperation& operation) const override {
    const std::uint32_t i = operation.operation;
    return history_.function_name(i) != put_ && !operation.indeterminate && history_.output[i] == kNull;
  }

 private:
  const History& history_;
  std::string put_;
  std::map<ValueId, Contents> contents_;  // by key: operations of one partition have one
};

}  // namespace porpentine::detail
