// Doing the same with every column of a history.
#pragma once

#include <porpentine/history/history.h>

namespace porpentine {

/// Calls `visit(column)` for each column that has one entry an operation.
template <typename SomeHistory, typename Visit>
void for_each_column(SomeHistory& history, const Visit& visit) {
  visit(history.process);
  visit(history.function);
  visit(history.key);
  visit(history.input);
  visit(history.output);
  visit(history.call);
  visit(history.ret);
  visit(history.outcome);
  visit(history.line);
}

}  // namespace porpentine
