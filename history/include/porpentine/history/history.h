// A history: what the clients of a system saw, as columns.
//
// Each operation is an interval between its call and its return. Intervals are closed: an operation that
// returns at time t and one that is called at time t are concurrent, because two clocks that show the same
// time say nothing about order. The one exception is a process, which does one thing after the other:
// its operations are ordered even where their times tie.
//
// An operation's index is its position in file order of the calls; it is the index that every report uses.
// All values are ids in the history's own ValueTable; processes and function names are dense indices too.
// 41 bytes an operation, 49 where calls and returns have lines of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/history/column.h>
#include <porpentine/history/value.h>

namespace porpentine {

/// How an operation ended.
enum class Outcome : std::uint8_t {
  ok,    ///< it returned, with an output
  fail,  ///< it is known not to have taken effect; no constraint on anything
  info,  ///< indeterminate: it may take effect at any moment after its call, or never
  open,  ///< its return was never recorded; treated as info
};

[[nodiscard]] constexpr bool is_indeterminate(Outcome outcome) { return outcome >= Outcome::info; }
[[nodiscard]] const char* to_string(Outcome outcome);

/// A line that is shown but never checked: a nemesis's doing, a note.
struct Annotation {
  std::int64_t time = 0;
  ValueId process = kNull;  ///< as written: "nemesis", say; null where none was given
  ValueId f = kNull;        ///< null where none was given
  ValueId value = kNull;
  ValueId metadata = kNull;  ///< an object of the line's other fields, or null
  std::uint64_t line = 0;
};

/// Columns of equal length (but return_line), and the tables that their ids point into.
struct History {
  ValueTable values;
  std::vector<ValueId> processes;      ///< process index -> its name, an integer or a string
  std::vector<std::string> functions;  ///< function index -> its name

  // One entry an operation.
  std::vector<std::uint32_t> process;   ///< index into processes
  std::vector<std::uint16_t> function;  ///< index into functions
  std::vector<ValueId> key;             ///< kNull: no key
  std::vector<ValueId> input;
  std::vector<ValueId> output;  ///< kNull unless ok; null also where an ok said nothing
  Column<std::int64_t> call;
  Column<std::int64_t> ret;  ///< meaningful where the outcome is ok or fail; else equals call
  std::vector<Outcome> outcome;
  std::vector<std::uint64_t> line;  ///< of the call, from 1

  /// Line of the completion by operation, 0 where none was recorded. Empty where each operation is one line.
  std::vector<std::uint64_t> return_line;

  std::vector<Annotation> annotations;
  /// (operation, object of unknown fields), sorted by operation; only those that have any.
  std::vector<std::pair<std::uint32_t, ValueId>> metadata;

  std::string file;       ///< as the caller named it
  std::string model;      ///< from the header line; empty where none
  std::string time_unit;  ///< from the header line, "ns" by default; "event" where the line order is the time

  [[nodiscard]] std::size_t size() const { return process.size(); }
  [[nodiscard]] const std::string& function_name(std::size_t operation) const { return functions[function[operation]]; }
  /// The line that says how the operation ended; that of the call where no other does.
  [[nodiscard]] std::uint64_t line_of_return(std::size_t operation) const {
    const std::uint64_t own = return_line.empty() ? 0 : return_line[operation];
    return own == 0 ? line[operation] : own;
  }
  /// Bytes on the heap, the values included.
  [[nodiscard]] std::size_t memory() const;
  /// "append("a") by process 0, line 3": for messages. `f(input)` or `f(input) -> output`, key in front. Not
  /// `answered`: as where nobody knows its outcome.
  [[nodiscard]] std::string describe(std::size_t operation, bool answered = true) const;
  /// The part of it that says what was asked and answered: "append("a") -> 41".
  [[nodiscard]] std::string describe_call(std::size_t operation, bool answered = true) const;
  /// Whether a null output of the function of that index says only that it returned, and is left out of descriptions.
  [[nodiscard]] bool is_silent(std::size_t index) const;
  /// A key or a process as it stands in messages: text without quotes, cut where it is long.
  [[nodiscard]] std::string describe_name(ValueId name) const;
};

}  // namespace porpentine
