#include <porpentine/history/excerpt.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "columns.h"

namespace porpentine {

void keep_operations(History& history, std::span<const std::uint32_t> operations) {
  const auto shorten = [&](auto& column) {
    if (column.empty()) return;
    for (std::size_t k = 0; k < operations.size(); ++k) column[k] = column[operations[k]];
    column.resize(operations.size());
  };
  for_each_column(history, shorten);
  shorten(history.return_line);
  std::vector<std::pair<std::uint32_t, ValueId>> metadata;
  for (const auto& [operation, fields] : history.metadata) {
    const auto kept = std::lower_bound(operations.begin(), operations.end(), operation);
    if (kept == operations.end() || *kept != operation) continue;
    metadata.emplace_back(static_cast<std::uint32_t>(kept - operations.begin()), fields);
  }
  history.metadata = std::move(metadata);
  history.annotations.clear();
}

void forget_outcome(History& history, std::uint32_t operation) {
  history.outcome[operation] = Outcome::info;
  history.output[operation] = kNull;
  history.ret[operation] = history.call[operation];
  if (!history.return_line.empty()) history.return_line[operation] = 0;
}

}  // namespace porpentine
