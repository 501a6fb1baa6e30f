// Which values one register can certainly not hold any more.
//
// A read called at c is certainly wrong to return v where some write of another value returned before c and was
// called after every write of v that was ever called had returned: whatever the order, v was overwritten and
// not written again. So a write of v that still runs, or whose outcome is not known, rules v out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include <porpentine/simulate/workload.h>

namespace porpentine::simulate {

class Overwritten {
 public:
  void call(std::int64_t value, bool indeterminate) {
    if (indeterminate) {
      unsettled_.insert(value);
    } else {
      running_.push_back(value);
    }
  }

  void finish(std::int64_t value, const WorkloadOperation& write, bool took_effect) {
    running_.erase(std::find(running_.begin(), running_.end(), value));
    if (!took_effect) return;
    recent_.push_back({value, write.call, write.ret});
    if (recent_.size() > kRemembered) recent_.pop_front();
  }

  /// A value that a read called at `call` can't see, or nothing.
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t call) const {
    for (auto candidate = recent_.rbegin(); candidate != recent_.rend(); ++candidate) {
      if (is_gone(candidate->value, last_return(candidate->value), call)) return candidate->value;
    }
    return std::nullopt;
  }

 private:
  struct Write {
    std::int64_t value, call, ret;
  };
  static constexpr std::size_t kRemembered = 256;

  // Writes are remembered in order of their returns, so the last one that is remembered is the last there was.
  [[nodiscard]] std::int64_t last_return(std::int64_t value) const {
    return std::find_if(recent_.rbegin(), recent_.rend(), [&](const Write& w) { return w.value == value; })->ret;
  }
  [[nodiscard]] bool is_gone(std::int64_t value, std::int64_t last_return, std::int64_t call) const {
    if (std::find(running_.begin(), running_.end(), value) != running_.end()) return false;
    if (unsettled_.count(value) > 0) return false;
    return std::any_of(recent_.begin(), recent_.end(),
                       [&](const Write& w) { return w.value != value && w.call > last_return && w.ret < call; });
  }

  std::vector<std::int64_t> running_;
  std::set<std::int64_t> unsettled_;
  std::deque<Write> recent_;
};

}  // namespace porpentine::simulate
