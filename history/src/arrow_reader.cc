#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <porpentine/history/arrow.h>
#include <porpentine/history/json.h>

#include "failure.h"

namespace porpentine {

struct ArrowChunks::Held {
  Held() = default;
  ~Held() {
    for (ArrowArray& array : arrays) {
      if (array.release != nullptr) array.release(&array);
    }
    if (schema.release != nullptr) schema.release(&schema);
  }
  Held(const Held&) = delete;  // what it holds is released once
  Held& operator=(const Held&) = delete;

  ArrowSchema schema = {};
  std::vector<ArrowArray> arrays;
};

namespace {

/// Some rows of an array.
struct Rows {
  const ArrowSchema& schema;
  const ArrowArray& array;
  std::int64_t begin;  ///< in the buffers, offsets included
  std::int64_t size;

  [[nodiscard]] Rows child(std::int64_t index, std::int64_t first, std::int64_t count) const {
    const ArrowArray& nested = *array.children[index];
    return {*schema.children[index], nested, nested.offset + first, count};
  }
  template <typename T>
  [[nodiscard]] const T* buffer(std::int64_t index) const {
    return static_cast<const T*>(array.buffers[index]);
  }
  [[nodiscard]] bool has_nulls() const { return array.null_count != 0 && array.n_buffers > 0 && buffer<void>(0); }
  /// Of the row at this place in the buffers.
  [[nodiscard]] bool is_null(std::int64_t place) const { return has_nulls() && !bit(buffer<std::uint8_t>(0), place); }
  static bool bit(const std::uint8_t* bits, std::int64_t place) { return (bits[place / 8] >> (place % 8) & 1) != 0; }
};

Rows all_rows(const ArrowSchema& schema, const ArrowArray& array) {
  return {schema, array, array.offset, array.length};
}

std::uint32_t read_length(const char*& data) {
  std::int32_t length = 0;
  std::memcpy(&length, data, sizeof length);
  data += sizeof length;
  return static_cast<std::uint32_t>(length);
}

/// Whether the values are JSON as text.
bool is_json(const ArrowSchema& schema) {
  if (schema.metadata == nullptr) return false;
  const char* data = schema.metadata;
  for (std::uint32_t pairs = read_length(data); pairs > 0; --pairs) {
    const std::uint32_t name_length = read_length(data);
    const std::string_view name(data, name_length);
    data += name_length;
    const std::uint32_t value_length = read_length(data);
    const std::string_view value(data, value_length);
    data += value_length;
    if (name == "ARROW:extension:name" && value == "arrow.json") return true;
  }
  return false;
}

double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10U & 0x1f;
  const int mantissa = half & 0x3ff;
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 0x1f) value = mantissa == 0 ? HUGE_VAL : std::nan("");
  return (half & 0x8000U) == 0 ? value : -value;
}

/// Interns arrays.
class Interner {
 public:
  explicit Interner(ValueTable& values) : values_(values) {}

  /// Appends an id for each row.
  Failure add(const Rows& rows, std::vector<ValueId>& out) {
    if (rows.schema.dictionary != nullptr) return add_dictionary(rows, out);
    const std::string_view format = rows.schema.format;
    json_ = is_json(rows.schema);
    if (format == "n") return out.insert(out.end(), static_cast<std::size_t>(rows.size), kNull), Failure();
    if (format == "b") {
      const auto* const bits = rows.buffer<std::uint8_t>(1);
      return each(rows, out, [&](std::int64_t place) { return Rows::bit(bits, place) ? kTrue : kFalse; });
    }
    if (format == "u") return add_text<std::int32_t>(rows, out);
    if (format == "U") return add_text<std::int64_t>(rows, out);
    if (format == "vu") return add_views(rows, out);
    if (format == "+l") return add_lists<std::int32_t>(rows, out);
    if (format == "+L") return add_lists<std::int64_t>(rows, out);
    if (format == "+s") return add_structs(rows, out);
    if (format == "g") return add_reals<double>(rows, out, [](double value) { return value; });
    if (format == "f") return add_reals<float>(rows, out, [](float value) { return double{value}; });
    if (format == "e") return add_reals<std::uint16_t>(rows, out, half_to_double);
    std::optional<Failure> done;
    with_integers(rows, [&](const auto* numbers) {
      done = each(rows, out, [&](std::int64_t place) { return integer(numbers[place]); });
    });
    if (done) return *std::move(done);
    return Error{ErrorCode::field, "columns of Arrow's type \"" + excerpt(format) + "\" are not read"};
  }

  /// Calls `take` with the buffer where the values are integers; whether they are.
  template <typename Take>
  static bool with_integers(const Rows& rows, const Take& take) {
    const std::string_view format = rows.schema.format;
    const bool is_time = format.size() >= 3 && format[0] == 't';
    if (format == "l" || (is_time && (format[1] == 's' || format[1] == 'D' || format == "ttu" || format == "ttn"))) {
      take(rows.buffer<std::int64_t>(1));
    } else if (format == "i" || format == "tts" || format == "ttm") {
      take(rows.buffer<std::int32_t>(1));
    } else if (format == "c") {
      take(rows.buffer<std::int8_t>(1));
    } else if (format == "C") {
      take(rows.buffer<std::uint8_t>(1));
    } else if (format == "s") {
      take(rows.buffer<std::int16_t>(1));
    } else if (format == "S") {
      take(rows.buffer<std::uint16_t>(1));
    } else if (format == "I") {
      take(rows.buffer<std::uint32_t>(1));
    } else if (format == "L") {
      take(rows.buffer<std::uint64_t>(1));
    } else {
      return false;
    }
    return true;
  }

 private:
  template <typename Make>
  Failure each(const Rows& rows, std::vector<ValueId>& out, const Make& make) {
    const std::int64_t end = rows.begin + rows.size;
    for (std::int64_t place = rows.begin; place < end; ++place) {
      out.push_back(rows.is_null(place) ? kNull : make(place));
      if (failure_) return std::move(failure_);
    }
    return {};
  }

  template <typename Integer>
  ValueId integer(Integer value) {
    if constexpr (std::is_signed_v<Integer>) {
      return values_.integer(value);
    } else {
      return values_.unsigned_integer(value);
    }
  }

  template <typename Real, typename Convert>
  Failure add_reals(const Rows& rows, std::vector<ValueId>& out, const Convert& convert) {
    const Real* const reals = rows.buffer<Real>(1);
    return each(rows, out, [&](std::int64_t place) {
      const double value = convert(reals[place]);
      if (std::isnan(value)) return kNull;
      if (std::isfinite(value)) return values_.real(value);
      failure_ = Error{ErrorCode::field, "an infinite number"};
      return kNull;
    });
  }

  ValueId text(std::string_view text) {
    if (json_) {
      Result<ValueId> value = intern_json(text, values_);
      if (value) return *value;
      failure_ = std::move(value).error();
    } else if (simdjson::validate_utf8(text.data(), text.size())) {
      return values_.string(text);
    } else {
      failure_ = Error{ErrorCode::syntax, "not UTF-8: " + excerpt(text)};
    }
    return kNull;
  }
  template <typename Offset>
  Failure add_text(const Rows& rows, std::vector<ValueId>& out) {
    const Offset* const offsets = rows.buffer<Offset>(1);
    const char* const bytes = rows.buffer<char>(2);
    return each(rows, out, [&](std::int64_t place) {
      return text({bytes + offsets[place], static_cast<std::size_t>(offsets[place + 1] - offsets[place])});
    });
  }
  /// Views: a length, and the text itself where it is short, else its buffer and its place there.
  Failure add_views(const Rows& rows, std::vector<ValueId>& out) {
    struct View {
      std::int32_t length;
      char start[4];
      std::int32_t buffer;
      std::int32_t offset;
    };
    static_assert(sizeof(View) == 16);
    constexpr std::int32_t kShort = 12;
    const View* const views = rows.buffer<View>(1);
    return each(rows, out, [&](std::int64_t place) {
      const View& view = views[place];
      const char* const bytes = view.length <= kShort ? static_cast<const char*>(view.start)
                                                      : rows.buffer<char>(2 + view.buffer) + view.offset;
      return text({bytes, static_cast<std::size_t>(view.length)});
    });
  }

  template <typename Offset>
  Failure add_lists(const Rows& rows, std::vector<ValueId>& out) {
    const Offset* const offsets = rows.buffer<Offset>(1) + rows.begin;
    std::vector<ValueId> items;
    if (rows.size > 0) {
      if (auto failure = add(rows.child(0, offsets[0], offsets[rows.size] - offsets[0]), items)) return failure;
    }
    return each(rows, out, [&](std::int64_t place) {
      const Offset* const bounds = offsets + (place - rows.begin);
      return values_.array(std::span(items).subspan(static_cast<std::size_t>(bounds[0] - offsets[0]),
                                                    static_cast<std::size_t>(bounds[1] - bounds[0])));
    });
  }

  Failure add_structs(const Rows& rows, std::vector<ValueId>& out) {
    const auto members = static_cast<std::size_t>(rows.schema.n_children);
    std::vector<ValueId> names;
    std::vector<std::vector<ValueId>> columns(members);
    for (std::size_t k = 0; k < members; ++k) {
      const auto index = static_cast<std::int64_t>(k);
      if (auto failure = add(rows.child(index, rows.begin, rows.size), columns[k])) return failure;
      names.push_back(values_.string(rows.schema.children[k]->name));
    }
    std::vector<ValueId> fields(2 * members);
    return each(rows, out, [&](std::int64_t place) {
      for (std::size_t k = 0; k < members; ++k) {
        fields[2 * k] = names[k];
        fields[2 * k + 1] = columns[k][static_cast<std::size_t>(place - rows.begin)];
      }
      return values_.object(fields);
    });
  }

  Failure add_dictionary(const Rows& rows, std::vector<ValueId>& out) {
    std::vector<ValueId> dictionary;
    if (auto failure = add(all_rows(*rows.schema.dictionary, *rows.array.dictionary), dictionary)) return failure;
    std::optional<Failure> done;
    with_integers(rows, [&](const auto* indices) {
      done = each(rows, out, [&](std::int64_t place) { return dictionary[static_cast<std::size_t>(indices[place])]; });
    });
    if (done) return *std::move(done);
    return Error{ErrorCode::field, "the indices into a dictionary are no integers"};
  }

  ValueTable& values_;
  bool json_ = false;
  Failure failure_;
};

bool is_time(std::string_view name) { return name == "call" || name == "return"; }

/// As a column of integers becomes where some are missing.
bool has_inexact_times(const Rows& rows) {
  constexpr double kLargest = 9007199254740992;  // 2^53
  if (std::string_view(rows.schema.format) != "g") return false;
  const double* const times = rows.buffer<double>(1) + rows.begin;
  return std::any_of(times, times + rows.size, [](double time) { return std::abs(time) > kLargest; });
}

/// Adds chunks of one column.
Failure add_column(HistoryTable& table, const std::string& name, std::span<const Rows> chunks,
                   const std::shared_ptr<const void>& owner) {
  const auto in_column = [&](Failure failure) {
    if (failure) failure->message = "column \"" + name + "\": " + failure->message;
    return failure;
  };
  if (is_time(name) && chunks.size() == 1 && !chunks[0].has_nulls()) {
    const Rows& rows = chunks[0];
    bool borrowed = false;
    if (rows.schema.dictionary == nullptr) {
      Interner::with_integers(rows, [&]<typename Integer>(const Integer* numbers) {
        if constexpr (std::is_same_v<Integer, std::int64_t>) {
          table.set_times(
              name, Column<std::int64_t>::borrow({numbers + rows.begin, static_cast<std::size_t>(rows.size)}, owner));
          borrowed = true;
        }
      });
    }
    if (borrowed) return {};
  }
  if (is_time(name) && !chunks.empty() && chunks[0].schema.dictionary == nullptr) {
    std::vector<std::int64_t> times;
    std::vector<std::uint8_t> missing;
    bool fits = true;
    for (const Rows& rows : chunks) {
      fits = fits && Interner::with_integers(rows, [&](const auto* numbers) {
               for (std::int64_t place = rows.begin; place < rows.begin + rows.size; ++place) {
                 const bool null = rows.is_null(place);
                 fits = fits && (null || std::in_range<std::int64_t>(numbers[place]));
                 times.push_back(null ? 0 : static_cast<std::int64_t>(numbers[place]));
                 missing.push_back(null ? 1 : 0);
               }
             });
    }
    if (fits) return table.set_times(name, std::move(times), std::move(missing)), Failure();
  }
  std::vector<ValueId> ids;
  Interner interner(table.values());
  for (const Rows& rows : chunks) {
    if (is_time(name) && has_inexact_times(rows)) {
      return in_column(Error{ErrorCode::field, "a time beyond 2^53 as a floating point number is not exact"});
    }
    if (auto failure = interner.add(rows, ids)) return in_column(std::move(failure));
  }
  table.set(name, std::move(ids));
  return {};
}

}  // namespace

ArrowChunks ArrowChunks::of_array(ArrowSchema& schema, ArrowArray& array) {
  auto held = std::make_shared<Held>();
  held->schema = std::exchange(schema, {});
  held->arrays.push_back(std::exchange(array, {}));
  return ArrowChunks(std::move(held));
}

Result<ArrowChunks> ArrowChunks::of_stream(ArrowArrayStream& stream) {
  const auto release = [](ArrowArrayStream* taken) { taken->release(taken); };
  ArrowArrayStream taken = std::exchange(stream, {});
  const std::unique_ptr<ArrowArrayStream, decltype(release)> guard(&taken, release);
  const auto broken = [&] {
    const char* const message = taken.get_last_error(&taken);
    return Error{ErrorCode::io, "the Arrow stream broke off: " + excerpt(message == nullptr ? "" : message)};
  };
  auto held = std::make_shared<Held>();
  if (taken.get_schema(&taken, &held->schema) != 0) return broken();
  for (;;) {
    ArrowArray array = {};
    if (taken.get_next(&taken, &array) != 0) return broken();
    if (array.release == nullptr) return ArrowChunks(std::move(held));
    held->arrays.push_back(array);
  }
}

bool ArrowChunks::is_table() const { return std::string_view(held_->schema.format) == "+s"; }

std::optional<Error> ArrowChunks::add_table_to(HistoryTable& table) const {
  if (!is_table()) return Error{ErrorCode::usage, "not a table: its rows are no structs"};
  for (std::int64_t column = 0; column < held_->schema.n_children; ++column) {
    std::vector<Rows> chunks;
    for (const ArrowArray& array : held_->arrays) {
      if (array.length > 0) chunks.push_back(all_rows(held_->schema, array).child(column, array.offset, array.length));
    }
    if (auto failure = add_column(table, held_->schema.children[column]->name, chunks, held_)) return failure;
  }
  return std::nullopt;
}

std::optional<Error> ArrowChunks::add_column_to(HistoryTable& table, const std::string& name) const {
  std::vector<Rows> chunks;
  for (const ArrowArray& array : held_->arrays) chunks.push_back(all_rows(held_->schema, array));
  return add_column(table, name, chunks, held_);
}

}  // namespace porpentine
