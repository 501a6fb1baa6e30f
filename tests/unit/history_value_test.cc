#include <porpentine/history/value.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.h"

using porpentine::kFalse;
using porpentine::kNull;
using porpentine::kTrue;
using porpentine::ValueId;
using porpentine::ValueKind;
using porpentine::ValueTable;

TEST_CASE("null, false and true have the same ids in every table") {
  const ValueTable table;
  CHECK(table.to_json(kNull) == "null");
  CHECK(table.to_json(kFalse) == "false");
  CHECK(table.to_json(kTrue) == "true");
  CHECK(table.kind(kNull) == ValueKind::null);
  CHECK(table.kind(kTrue) == ValueKind::boolean);
}

TEST_CASE("an integer and the real number of its value are one value") {
  ValueTable table;
  CHECK(table.integer(42) == table.real(42.0));
  CHECK(table.integer(0) == table.real(-0.0));
  CHECK(table.integer(-7) == table.real(-7.0));
  CHECK(table.integer(std::numeric_limits<std::int64_t>::min()) == table.real(-9223372036854775808.0));
  CHECK(table.unsigned_integer(9223372036854775808U) == table.real(9223372036854775808.0));
  CHECK(table.integer(42) != table.real(42.5));
}

TEST_CASE("a number and its text are different values") {
  ValueTable table;
  CHECK(table.integer(42) != table.string("42"));
  CHECK(table.integer(1) != kTrue);
  CHECK(table.integer(0) != kNull);
}

TEST_CASE("64-bit integers are exact") {
  ValueTable table;
  CHECK(table.integer(9007199254740993) != table.integer(9007199254740992));
  CHECK(table.integer(4294967301) != table.integer(5));
  CHECK(table.to_json(table.integer(std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
  CHECK(table.to_json(table.unsigned_integer(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
  CHECK(table.unsigned_integer(5) == table.integer(5));
}

TEST_CASE("an integer can be asked for in the type that holds it") {
  ValueTable table;
  const ValueId negative = table.integer(-1);
  const ValueId large = table.unsigned_integer(std::numeric_limits<std::uint64_t>::max());
  CHECK(table.as_int64(negative) == -1);
  CHECK_FALSE(table.as_uint64(negative).has_value());
  CHECK_FALSE(table.as_int64(large).has_value());
  CHECK(table.as_uint64(large) == std::numeric_limits<std::uint64_t>::max());
  CHECK(table.as_uint64(table.integer(70000)) == 70000U);
  CHECK_FALSE(table.as_int64(table.real(1.5)).has_value());
  CHECK_FALSE(table.as_int64(table.string("1")).has_value());
  CHECK(table.as_double(table.real(1.5)) == 1.5);
  CHECK(table.as_double(negative) == -1.0);
  CHECK(table.as_double(kNull) == 0.0);
}

TEST_CASE("reals are printed so that they are read back as they were") {
  ValueTable table;
  CHECK(table.to_json(table.real(0.1)) == "0.1");
  CHECK(table.to_json(table.real(1e300)) == "1e+300");
  CHECK(table.to_json(table.real(123456789012345683968.0)) == "123456789012345683968.0");
  CHECK(table.to_json(table.real(1e15)) == "1000000000000000");
}

TEST_CASE("equal strings are one value, of any length and after many others") {
  ValueTable table;
  std::vector<ValueId> ids;
  std::vector<std::string> texts = {"", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefghi", std::string(1000000, 'x')};
  for (int i = 0; i < 3000; ++i) texts.push_back("s" + std::to_string(i));
  for (const auto& text : texts) ids.push_back(table.string(text));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    REQUIRE(table.string(texts[i]) == ids[i]);
    REQUIRE(table.as_string(ids[i]) == texts[i]);
    REQUIRE(table.find_string(texts[i]) == ids[i]);
  }
  CHECK_FALSE(table.find_string("never seen").has_value());
}

TEST_CASE("a text of zero bytes differs from a shorter one") {
  ValueTable table;
  CHECK(table.string(std::string(1, '\0')) != table.string(""));
  CHECK(table.string(std::string(3, '\0')) != table.string(std::string(2, '\0')));
}

TEST_CASE("objects are equal whatever the order of their members, and of two equal keys the last counts") {
  ValueTable table;
  const ValueId a = table.string("a");
  const ValueId b = table.string("b");
  const ValueId one = table.integer(1);
  const ValueId two = table.integer(2);
  const ValueId object = table.object(std::array{b, two, a, one});
  CHECK(object == table.object(std::array{a, one, b, two}));
  CHECK(object == table.object(std::array{a, two, b, two, a, one}));
  CHECK(table.to_json(object) == R"({"a":1,"b":2})");
  CHECK(table.elements(object).size() == 4);
}

TEST_CASE("arrays and objects of the same elements differ") {
  ValueTable table;
  const std::array pair = {table.string("a"), table.integer(1)};
  CHECK(table.array(pair) != table.object(pair));
  CHECK(table.array({}) != table.object({}));
  CHECK(table.to_json(table.array({})) == "[]");
  CHECK(table.to_json(table.object({})) == "{}");
  CHECK(table.is_array(table.array(pair)));
  CHECK(table.elements(table.integer(1)).empty());
}

TEST_CASE("strings are escaped in JSON") {
  ValueTable table;
  CHECK(table.to_json(table.string("a\"b\\c\nd\x01é")) == "\"a\\\"b\\\\c\\nd\\u0001é\"");
}

TEST_CASE("a value nested a million deep can be printed") {
  ValueTable table;
  ValueId value = table.array({});
  for (int i = 0; i < 1000000; ++i) value = table.array(std::array{value});
  CHECK(table.to_json(value).size() == 2 * 1000001);
}

TEST_CASE("ids and strings stay as they are while a table grows and moves") {
  ValueTable table;
  const ValueId id = table.string("stays");
  const std::string_view text = *table.as_string(id);
  for (int i = 0; i < 100000; ++i) table.integer(i * 1000003LL);
  const ValueTable moved = std::move(table);
  CHECK(moved.as_string(id) == "stays");
  CHECK(text == "stays");
  CHECK(moved.size() == 100000 + 4);
}

TEST_CASE("a table takes about 16 bytes a number and 5 to 12 of index") {
  ValueTable table;
  for (std::int64_t i = 0; i < 1000000; ++i) table.integer(1000000000 + i);
  CHECK(table.memory() < 30 * table.size());
}

TEST_CASE("kinds have names for messages") {
  CHECK(kind_name(ValueKind::unsigned_integer) == "integer");
  CHECK(kind_name(ValueKind::real) == "number");
  CHECK(kind_name(ValueKind::object) == "object");
}
