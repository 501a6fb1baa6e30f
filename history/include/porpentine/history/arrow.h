// Histories from tables in Apache Arrow's format, and as such tables.
//
// The C data interface and C stream interface (https://arrow.apache.org/docs/format/CDataInterface.html) are how
// pandas, polars, pyarrow, DuckDB and others hand tables to one another without a copy and without a library in common.
//
// Reading takes null, booleans, integers, floating point numbers (NaN is null), text, lists, structs and dictionaries
// of these, timestamps, durations and times (as integers), and the extension type arrow.json. Times of one chunk
// without nulls are borrowed, everything else is interned.
//
// Writing gives the columns of the operation form of JSON Lines: process, f, key, input, output, type, call and return
// (null where there is none). A column is of integers or of text where all of its values are; else it is arrow.json.
//
// Complexity: O(values).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <porpentine/history/history.h>
#include <porpentine/history/result.h>
#include <porpentine/history/table.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

// The names and the layout are Arrow's.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
}

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

#endif  // ARROW_C_STREAM_INTERFACE

namespace porpentine {

/// Arrays of one type, and their owner.
class ArrowChunks {
 public:
  /// Takes both over: they are released with the last borrowed column. `name` stands in errors.
  static ArrowChunks of_array(ArrowSchema& schema, ArrowArray& array);
  /// Takes the stream over and reads all of it.
  static Result<ArrowChunks> of_stream(ArrowArrayStream& stream);

  /// Whether each row is a struct, as those of a table are.
  [[nodiscard]] bool is_table() const;
  /// All columns of a table, by their names.
  [[nodiscard]] std::optional<Error> add_table_to(HistoryTable& table) const;
  /// The array itself as one column.
  [[nodiscard]] std::optional<Error> add_column_to(HistoryTable& table, const std::string& name) const;

 private:
  struct Held;
  explicit ArrowChunks(std::shared_ptr<Held> held) : held_(std::move(held)) {}
  std::shared_ptr<Held> held_;
};

/// One array whose rows are structs. `stream` must be empty; its consumer releases it.
void write_arrow(std::shared_ptr<const History> history, ArrowArrayStream& stream);

}  // namespace porpentine
