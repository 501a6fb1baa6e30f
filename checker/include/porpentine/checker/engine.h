// The search itself, under the typed and the dynamic entry: it walks ids and knows nothing of values.
//
// Both entries of check.h, and every binding, drive it through a Problem. It is public for those who bring
// an entry of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>
#include <porpentine/history/large_vector.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/specification.h>

namespace porpentine {

namespace detail {
class Monitor;
}

/// One operation of a problem, in any order.
struct Interval {
  std::int64_t call = 0;
  std::int64_t ret = 0;  ///< ignored where indeterminate
  std::uint32_t process = 0;
  bool indeterminate = false;
};

/// An operation about whose return a history becomes wrong.
struct Suspect {
  std::uint32_t operation = 0xffffffff;  ///< an index; 0xffffffff: none is known
  bool certain = false;                  ///< whether it is wrong by then; else it may be so a little later, too
};

/// A history that the engine can judge. All callables must be safe to call from several threads at once.
struct Problem {
  struct Part {
    ValueId key = kNull;
    LargeVector<std::uint32_t> operations;  ///< indices into intervals
    /// Where it is known already that the part is not linearizable. All that is left is to say why.
    std::optional<Suspect> refuted_by = {};
  };
  std::span<const Interval> intervals;
  std::vector<Part> parts;
  std::function<Bound(std::span<const BoundOperation>)> bind;
  std::function<std::unique_ptr<Replay>()> replay;
  std::function<std::string(std::uint32_t)> describe;  ///< an operation with its key, for messages
  detail::Monitor* monitor = nullptr;                  ///< decides prefixes of refuted parts without a search
};

CheckResult solve(const Problem& problem, const CheckOptions& options);

}  // namespace porpentine
