// A process does one thing after the other.
#pragma once

#include <porpentine/history/history.h>

#include "failure.h"

namespace porpentine {

/// An Error for an operation that is called before its process's last one that returned has done so. Indeterminate ones
/// block nobody. O(n log n).
Failure check_processes(const History& history);

}  // namespace porpentine
