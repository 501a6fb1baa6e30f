// JSON values, each held once.
//
// A ValueTable interns every JSON value that a history mentions into a dense 32-bit id, so that
// equality is one comparison of integers wherever it matters. Equality is JSON's: 1 and 1.0 are one
// value, "1" is another; objects are equal whatever the order of their members. Integers between
// -2^63 and 2^64-1 are exact and are never turned into a double.
//
// Thread safety: const members may be called from several threads at once; interning may not.
// Complexity: interning is O(size of the value) once, look-ups are O(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace porpentine {

/// A dense index into a ValueTable. Ids of different tables can't be compared.
using ValueId = std::uint32_t;

inline constexpr ValueId kNull = 0;   ///< null in every table
inline constexpr ValueId kFalse = 1;  ///< false in every table
inline constexpr ValueId kTrue = 2;   ///< true in every table

enum class ValueKind : std::uint8_t { null, boolean, integer, unsigned_integer, real, string, array, object };

class ValueTable {
 public:
  ValueTable();
  ~ValueTable();
  ValueTable(ValueTable&&) noexcept;
  ValueTable& operator=(ValueTable&&) noexcept;
  ValueTable(const ValueTable&) = delete;  // a table may hold gigabytes; nobody copies one by accident
  ValueTable& operator=(const ValueTable&) = delete;

  // Interning: the id of the equal value, made if there is none.
  ValueId integer(std::int64_t value);
  /// Values up to 2^63-1 give the same id as integer().
  ValueId unsigned_integer(std::uint64_t value);
  /// Integral values within 64 bits give the same id as integer() or unsigned_integer(); -0.0 is 0.
  /// `value` must be finite.
  ValueId real(double value);
  ValueId boolean(bool value) { return value ? kTrue : kFalse; }
  /// `value` must be UTF-8; it is copied.
  ValueId string(std::string_view value);
  ValueId array(std::span<const ValueId> elements);
  /// `members`: key, value, key, value, ...; keys are string ids. Sorted by the table. Of two members
  /// with one key the last counts.
  ValueId object(std::span<const ValueId> members);

  // Looking at a value.
  [[nodiscard]] ValueKind kind(ValueId id) const;
  /// The value of an integer within int64; nothing for every other value.
  [[nodiscard]] std::optional<std::int64_t> as_int64(ValueId id) const;
  /// The value of a non-negative integer.
  [[nodiscard]] std::optional<std::uint64_t> as_uint64(ValueId id) const;
  /// The text of a string; nothing for every other value. Valid until the table is destroyed.
  [[nodiscard]] std::optional<std::string_view> as_string(ValueId id) const;
  [[nodiscard]] double as_double(ValueId id) const;  ///< of any number; 0 otherwise
  /// Elements of an array, or key, value, ... of an object (sorted by key); empty otherwise. Valid until
  /// the next interning call.
  [[nodiscard]] std::span<const ValueId> elements(ValueId id) const;
  [[nodiscard]] bool is_array(ValueId id) const { return kind(id) == ValueKind::array; }
  /// The id of a string that is already here.
  [[nodiscard]] std::optional<ValueId> find_string(std::string_view value) const;

  /// Compact JSON; numbers round-trip exactly.
  [[nodiscard]] std::string to_json(ValueId id) const;
  void append_json(ValueId id, std::string& out) const;

  [[nodiscard]] std::size_t size() const;
  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "null", "boolean", "integer", "number", "string", "array" or "object": for messages.
std::string_view kind_name(ValueKind kind);

}  // namespace porpentine
