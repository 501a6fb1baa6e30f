// Writing histories as JSON Lines, in the operation form: whatever was read, nothing lost.
#pragma once

#include <iosfwd>

#include <porpentine/history/history.h>

namespace porpentine {

/// Writes a header line, then one line an operation in index order, annotations as `"type": "note"` lines.
/// Reading the result gives the same operations, times, values, metadata and annotations, and so the same
/// verdict under every model.
void write_jsonl(const History& history, std::ostream& out);

}  // namespace porpentine
