// One JSON value as text, into a table of values.
#pragma once

#include <string_view>

#include <porpentine/history/result.h>
#include <porpentine/history/value.h>

namespace porpentine {

/// The id of the value that `text` says; an Error, in the words of the readers, where it is no JSON, not UTF-8, names a
/// member twice or holds a number that is out of range.
Result<ValueId> intern_json(std::string_view text, ValueTable& values);

}  // namespace porpentine
