// A history from columns that somebody has already: arrays in Python, tables in Arrow's format (arrow.h).
//
//     HistoryTable table;
//     table.set("process", ids);  table.set("f", ids);  table.set_times("call", Column<std::int64_t>::borrow(...));
//     Result<History> history = table.finish();
//
// Columns have the names of the operation form of JSON Lines: process, f, key, input, output, call, return and type;
// all others are metadata. process, f and call must be there. Without a type, an operation is ok where it has a return
// and open where it has none. Times that need no change are not copied.
//
// Complexity: O(operations) in all where the operations of each process come in order, else O(n log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/history/column.h>
#include <porpentine/history/history.h>
#include <porpentine/history/result.h>
#include <porpentine/history/value.h>

namespace porpentine {

class HistoryTable {
 public:
  /// Where the values of all columns are interned.
  [[nodiscard]] ValueTable& values() { return history_.values; }

  /// A column of values; of times, too, where they are integers or null. A column that was set is replaced.
  void set(const std::string& name, std::vector<ValueId> column);
  /// Of "call" or "return". `missing` has a 1 where there is no time; empty: nowhere.
  void set_times(const std::string& name, Column<std::int64_t> times, std::vector<std::uint8_t> missing = {});

  /// Only once. An Error tells the row, from 0, in its message.
  Result<History> finish();

 private:
  struct Times {
    Column<std::int64_t> times;
    std::vector<std::uint8_t> missing;
  };

  std::optional<Error> check_columns();
  std::optional<Error> read_times(const std::string& name);
  std::optional<Error> read_names();
  std::optional<Error> read_outcomes();
  std::optional<Error> check_order() const;
  void read_metadata();
  [[nodiscard]] std::vector<ValueId> take(const std::string& name);

  History history_;
  std::size_t size_ = 0;
  std::map<std::string, std::vector<ValueId>> columns_;
  std::map<std::string, Times> times_;
};

}  // namespace porpentine
