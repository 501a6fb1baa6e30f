// The compare-and-set of registers and of keys.
#pragma once

#include <optional>
#include <string>

#include <porpentine/history/history.h>
#include <porpentine/models/specification.h>

#include "cell_machine.h"

namespace porpentine::detail {

/// What is wrong with the call of a `cas`, if anything, and with the output of one that is ok.
std::optional<std::string> cas_complaint(const History& history, std::uint32_t operation);
std::optional<std::string> cas_output_complaint(const History& history, std::uint32_t operation);

/// What the machine of a cell makes of a valid `cas`.
CellOperation decoded_cas(const History& history, const BoundOperation& operation);

}  // namespace porpentine::detail
