// Objects in which one name stands twice: nobody can say which of the two values was meant.
#pragma once

#include <optional>
#include <span>

#include <porpentine/history/value.h>

namespace porpentine {

/// A name that stands twice among `members` (name, value, name, value, ...), if there is one. Allocates nothing for the
/// few members that most objects have.
std::optional<ValueId> repeated_name(std::span<const ValueId> members);

}  // namespace porpentine
