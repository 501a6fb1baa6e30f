// The compare-and-set of registers and of keys.
#pragma once

#include <optional>
#include <string>

#include <porpentine/history/history.h>
#include <porpentine/models/specification.h>

#include "cell_machine.h"

namespace porpentine::detail {

/// What is wrong with a `cas` that didn't fail, if anything.
std::optional<std::string> cas_complaint(const History& history, std::uint32_t operation);

/// What the machine of a cell makes of a valid `cas`.
CellOperation decoded_cas(const History& history, const BoundOperation& operation);

}  // namespace porpentine::detail
