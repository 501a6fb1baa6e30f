// error: constraints? not satisfied|does not satisfy|no matching function
// A type that has no step is refused where it is used, by the concept.
#include <vector>

#include <porpentine/checker/check.h>

namespace {

struct Counter {
  using State = int;
  using Input = int;
  using Output = int;
  State initial() const { return 0; }
#ifndef PORPENTINE_MISUSE
  porpentine::Step<State> step(const State& state, const Input& input, const std::optional<int>&) const {
    return state + input;
  }
#endif
};

}  // namespace

bool judge_counter() { return porpentine::check(Counter{}, std::vector<porpentine::Operation<Counter>>{}).valid(); }
