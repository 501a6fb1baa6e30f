// A program of somebody else's, who has a model of their own and nothing but the public headers.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <porpentine/checker/check.h>
#include <porpentine/history/version.h>

namespace {

struct Register {
  using State = int;
  struct Input {
    bool is_write;
    int value;
  };
  using Output = int;

  State initial() const { return 0; }

  porpentine::Step<State> step(const State& state, const Input& input, const std::optional<int>& output) const {
    if (input.is_write) return input.value;
    if (output && *output != state) return porpentine::refuse("it holds " + std::to_string(state));
    return state;
  }
};

using Operation = porpentine::Operation<Register>;

Operation write_of(int value, std::int64_t call, std::int64_t ret) { return {0, {true, value}, value, call, ret}; }
Operation read_of(int value, std::int64_t call, std::int64_t ret) { return {1, {false, 0}, value, call, ret}; }

}  // namespace

int main() {
  const std::vector<Operation> overlapping = {write_of(1, 0, 10), read_of(0, 5, 8)};
  const std::vector<Operation> stale = {write_of(1, 0, 10), read_of(0, 15, 18)};
  const bool right =
      porpentine::check(Register{}, overlapping).valid() && !porpentine::check(Register{}, stale).valid();
  std::cout << "porpentine " << porpentine::kVersion << (right ? " judges" : " errs") << '\n';
  return right ? 0 : 1;
}
