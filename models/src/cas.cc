#include "cas.h"

#include "basic_specification.h"

namespace porpentine::detail {

std::optional<std::string> cas_complaint(const History& history, std::uint32_t operation) {
  const ValueTable& values = history.values;
  const ValueId input = history.input[operation];
  if (values.is_array(input) && values.elements(input).size() == 2) return std::nullopt;
  return takes("cas", "[old, new]", values, input);
}

std::optional<std::string> cas_output_complaint(const History& history, std::uint32_t operation) {
  const ValueId output = history.output[operation];
  if (output == kNull || output == kTrue || output == kFalse) return std::nullopt;
  return returns("cas", "true, false or null", history.values, output);
}

CellOperation decoded_cas(const History& history, const BoundOperation& operation) {
  const auto pair = history.values.elements(history.input[operation.operation]);
  if (operation.indeterminate) return {CellKind::cas_unknown, true, pair[0], pair[1]};
  if (history.output[operation.operation] == kFalse) return {CellKind::mismatch, false, pair[0], kNull};
  return {CellKind::cas, false, pair[0], pair[1]};
}

}  // namespace porpentine::detail
