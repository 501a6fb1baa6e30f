#include "json_value.h"

#include <vector>

#include <simdjson.h>

namespace porpentine::detail {

namespace {

ValueId intern(const simdjson::dom::element& element, ValueTable& values) {
  switch (element.type()) {
    case simdjson::dom::element_type::NULL_VALUE:
      return kNull;
    case simdjson::dom::element_type::BOOL:
      return values.boolean(bool(element));
    case simdjson::dom::element_type::INT64:
      return values.integer(std::int64_t(element));
    case simdjson::dom::element_type::UINT64:
      return values.unsigned_integer(std::uint64_t(element));
    case simdjson::dom::element_type::DOUBLE:
      return values.real(double(element));
    case simdjson::dom::element_type::STRING:
      return values.string(std::string_view(element));
    case simdjson::dom::element_type::ARRAY: {
      std::vector<ValueId> elements;
      for (const simdjson::dom::element child : simdjson::dom::array(element)) {
        elements.push_back(intern(child, values));
      }
      return values.array(elements);
    }
    case simdjson::dom::element_type::OBJECT:
      break;
  }
  std::vector<ValueId> members;
  for (const auto& [key, child] : simdjson::dom::object(element)) {
    members.push_back(values.string(key));
    members.push_back(intern(child, values));
  }
  return values.object(members);
}

}  // namespace

std::optional<ValueId> parse_json(std::string_view text, ValueTable& values) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  if (parser.parse(text.data(), text.size()).get(element) != simdjson::SUCCESS) return std::nullopt;
  return intern(element, values);
}

}  // namespace porpentine::detail
