// Writing JSON, piece by piece, on one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace porpentine {

/// Appends to a string. It sets the commas; the caller opens and closes what nests.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  /// The next member's name; its value has to follow.
  JsonWriter& name(std::string_view text);

  /// Bytes that are not UTF-8 become U+FFFD.
  JsonWriter& string(std::string_view text);
  JsonWriter& number(std::uint64_t value) { return raw(std::to_string(value)); }
  JsonWriter& signed_number(std::int64_t value) { return raw(std::to_string(value)); }
  /// With six digits behind the point.
  JsonWriter& seconds(double value);
  /// Text that is JSON already.
  JsonWriter& raw(std::string_view json);

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string& out_;
  bool comma_ = false;  ///< something stands before the next element
};

}  // namespace porpentine
