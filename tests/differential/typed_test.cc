// Models of one's own, with and without each promise, against brute force.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "matrix.h"
#include "typed_subject.h"

namespace porpentine::differential {
namespace {

// Texts that grow: the models. A lossy append is acknowledged whether it was done or not.

enum class Promises : std::uint8_t { none = 0, read_only = 1, touches = 2, partition = 4, viable = 8, all = 15 };

constexpr bool has(Promises promises, Promises one) {
  return (static_cast<unsigned>(promises) & static_cast<unsigned>(one)) != 0;
}

template <Promises P>
struct Texts {
  using State = std::array<std::string, 2>;
  struct Input {
    enum class F : std::uint8_t { read, append, lossy_append } f = F::read;
    std::size_t cell = 0;
    char letter = 'a';
  };
  using Output = std::string;

  State initial() const { return {}; }

  Step<State> step(const State& state, const Input& input, const std::optional<Output>& output) const {
    if (input.f == Input::F::read) {
      if (output && *output != state[input.cell]) return refuse("the text is " + state[input.cell]);
      return state;
    }
    State longer = state;
    longer[input.cell] += input.letter;
    if (input.f == Input::F::append) return longer;
    return std::vector<State>{state, longer};
  }

  bool read_only(const Input& input) const requires(has(P, Promises::read_only)) { return input.f == Input::F::read; }

  std::size_t partition_key(const Input& input) const requires(has(P, Promises::partition)) { return input.cell; }

  std::uint64_t touches(const Input& input) const requires(has(P, Promises::touches)) {
    return std::uint64_t{1} << input.cell;
  }

  bool viable(const State& state, const Input& input, const Output& output) const requires(has(P, Promises::viable)) {
    return input.f != Input::F::read || output.starts_with(state[input.cell]);
  }
};

/// The reference: each text is the list of its letters' numbers.
struct TextsObject {
  enum class F : std::uint8_t { read, append, lossy_append };
  struct Op {
    F f = F::read;
    int cell = 0;
    std::vector<int> letters = {};  ///< read: what was seen; append: the one to add
  };
  using State = std::pair<std::vector<int>, std::vector<int>>;

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return false; }
  [[nodiscard]] int part(const Op& op) const { return op.cell; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    const std::vector<int>& text = op.cell == 0 ? state.first : state.second;
    if (op.f == F::read) return unchanged_if(!known || text == op.letters, state);
    State longer = state;
    (op.cell == 0 ? longer.first : longer.second).push_back(op.letters.front());
    if (op.f == F::append) return {longer};
    return {longer, state};
  }

  template <typename M>
  typename M::Input input(const Op& op) const {
    using Wanted = typename M::Input::F;
    const Wanted f = op.f == F::read ? Wanted::read : op.f == F::append ? Wanted::append : Wanted::lossy_append;
    const int letter = op.f == F::read ? 0 : op.letters.front();
    return {f, static_cast<std::size_t>(op.cell), static_cast<char>('a' + letter)};
  }

  template <typename M>
  std::string output(const Op& op) const {
    std::string text;
    if (op.f == F::read) {
      for (const int letter : op.letters) text += static_cast<char>('a' + letter);
    }
    return text;
  }

  [[nodiscard]] std::string describe(const Op& op, bool known) const {
    std::string text = op.f == F::read ? "read" : op.f == F::append ? "append" : "lossy append";
    text += " of " + std::to_string(op.cell) + ":";
    if (op.f == F::read && !known) return text + " ?";
    for (const int letter : op.letters) text += ' ' + std::to_string(letter);
    return text;
  }

  [[nodiscard]] Op invocation(Random& random) const {
    const F f = random.pick(std::array{F::read, F::read, F::append, F::append, F::lossy_append});
    if (f == F::read) return {f, random.below(2)};
    return {f, random.below(2), {random.below(2)}};
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int, Random& random) const {
    if (op.f == F::read) op.letters = op.cell == 0 ? state.first : state.second;
    return random.pick(next(state, op, 0, false));
  }

  void corrupt(Op& op, Random& random) const {
    if (op.f != F::read) {
      op.letters = {random.below(2)};
    } else if (!op.letters.empty() && random.chance(50)) {
      op.letters.pop_back();
    } else {
      op.letters.push_back(random.below(2));
    }
  }
};

template <Promises P>
using TextsSubject = TypedSubject<Texts<P>, TextsObject>;

Alphabets<TextsObject::Op> texts_alphabets() {
  using Op = TextsObject::Op;
  using F = TextsObject::F;
  return {.wide = {known(Op{F::read, 0, {}}), known(Op{F::read, 0, {0}}), known(Op{F::read, 0, {0, 1}}),
                   known(Op{F::read, 1, {1}}), known(Op{F::append, 0, {0}}), known(Op{F::append, 0, {1}}),
                   known(Op{F::append, 1, {1}}), known(Op{F::lossy_append, 0, {0}}), unknown(Op{F::append, 0, {1}}),
                   unknown(Op{F::lossy_append, 1, {1}})},
          .medium = {known(Op{F::read, 0, {0}}), known(Op{F::read, 0, {0, 1}}), known(Op{F::append, 0, {0}}),
                     known(Op{F::lossy_append, 0, {1}}), unknown(Op{F::append, 0, {1}}), known(Op{F::read, 1, {1}}),
                     known(Op{F::append, 1, {1}})},
          .narrow = {known(Op{F::read, 0, {0}}), known(Op{F::lossy_append, 0, {0}}), unknown(Op{F::append, 0, {0}}),
                     known(Op{F::read, 1, {1}}), known(Op{F::append, 1, {1}})},
          .least = {known(Op{F::read, 0, {0}}), known(Op{F::lossy_append, 0, {0}}), known(Op{F::append, 0, {0}})}};
}

// A bag from which any element may be taken: the models differ in how states are told apart.

enum class Identity : std::uint8_t { order, hash, equality };

struct Elements {
  std::vector<int> in_order_of_arrival;
};

inline std::vector<int> sorted(const Elements& elements) {
  std::vector<int> result = elements.in_order_of_arrival;
  std::sort(result.begin(), result.end());
  return result;
}

struct OrderedElements : Elements {
  friend bool operator==(const OrderedElements& a, const OrderedElements& b) { return sorted(a) == sorted(b); }
  friend bool operator<(const OrderedElements& a, const OrderedElements& b) { return sorted(a) < sorted(b); }
};

template <Identity I>
struct Bag {
  using State = std::conditional_t<I == Identity::order, OrderedElements, Elements>;
  struct Input {
    bool puts = false;
    int value = 0;
  };
  using Output = int;  ///< taken: the value, or 0 where there was none

  State initial() const { return {}; }

  Step<State> step(const State& state, const Input& input, const std::optional<Output>& output) const {
    State next = state;
    std::vector<int>& elements = next.in_order_of_arrival;
    if (input.puts) {
      elements.push_back(input.value);
      return next;
    }
    if (!output) return after_any_take(state);
    if (*output == 0) {
      if (!elements.empty()) return refuse("there are elements");
      return next;
    }
    const auto place = std::find(elements.begin(), elements.end(), *output);
    if (place == elements.end()) return refuse("it is not there");
    elements.erase(place);
    return next;
  }

  bool equal(const State& a, const State& b) const requires(I != Identity::order) { return sorted(a) == sorted(b); }

  std::size_t hash(const State& state) const requires(I == Identity::hash) {
    std::size_t sum = 0;
    for (const int element : state.in_order_of_arrival) sum += static_cast<std::size_t>(element) * 7919;
    return sum;
  }

 private:
  static std::vector<State> after_any_take(const State& state) {
    if (state.in_order_of_arrival.empty()) return {state};
    std::vector<State> answers;
    for (std::size_t i = 0; i < state.in_order_of_arrival.size(); ++i) {
      answers.push_back(state);
      std::vector<int>& elements = answers.back().in_order_of_arrival;
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return answers;
  }
};

/// The reference counts: how many there are of 1, 2 and 3.
struct BagObject {
  struct Op {
    bool puts = false;
    int value = 0;
  };
  using State = std::array<int, 4>;

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return false; }
  [[nodiscard]] int part(const Op&) const { return 0; }

  [[nodiscard]] std::vector<State> next(State state, const Op& op, int, bool known) const {
    const auto value = static_cast<std::size_t>(op.value);
    const bool empty = state == initial();
    if (op.puts) {
      ++state[value];
      return {state};
    }
    if (known) {
      if (value == 0) return unchanged_if(empty, state);
      return unchanged_if(state[value]-- > 0, state);
    }
    if (empty) return {state};
    std::vector<State> answers;
    for (std::size_t i = 1; i < state.size(); ++i) {
      if (state[i] == 0) continue;
      answers.push_back(state);
      --answers.back()[i];
    }
    return answers;
  }

  template <typename M>
  typename M::Input input(const Op& op) const {
    return {op.puts, op.puts ? op.value : 0};
  }
  template <typename M>
  int output(const Op& op) const {
    return op.puts ? 0 : op.value;
  }

  [[nodiscard]] std::string describe(const Op& op, bool known) const {
    if (op.puts) return "put " + std::to_string(op.value);
    return "take -> " + (known ? std::to_string(op.value) : std::string("?"));
  }

  [[nodiscard]] Op invocation(Random& random) const { return {random.chance(50), random.between(1, 3)}; }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int, Random& random) const {
    if (!op.puts) {
      std::vector<int> present;
      for (int value = 1; value <= 3; ++value) {
        if (state[static_cast<std::size_t>(value)] > 0) present.push_back(value);
      }
      op.value = present.empty() ? 0 : random.pick(present);
    }
    return next(state, op, 0, true).front();
  }

  void corrupt(Op& op, Random& random) const { op.value = random.between(op.puts ? 1 : 0, 3); }
};

template <Identity I>
using BagSubject = TypedSubject<Bag<I>, BagObject>;

Alphabets<BagObject::Op> bag_alphabets() {
  using Op = BagObject::Op;
  return {.wide = {known(Op{true, 1}), known(Op{true, 2}), known(Op{false, 0}), known(Op{false, 1}),
                   known(Op{false, 2}), unknown(Op{true, 1}), unknown(Op{false, 0})},
          .medium = {known(Op{true, 1}), known(Op{true, 2}), known(Op{false, 0}), known(Op{false, 1}),
                     unknown(Op{true, 1}), unknown(Op{false, 0})},
          .narrow = {known(Op{true, 1}), known(Op{true, 2}), known(Op{false, 0}), known(Op{false, 1}),
                     unknown(Op{false, 0})},
          .least = {known(Op{true, 1}), known(Op{false, 0}), known(Op{false, 1}), unknown(Op{false, 0})}};
}

}  // namespace

TEST_CASE("every small history of a nondeterministic model that promises nothing is judged as by brute force",
          "[typed]") {
  TextsSubject<Promises::none> subject({}, "texts");
  compare_every(subject, texts_alphabets());
}

TEST_CASE("every small history of a nondeterministic model that promises all there is is judged as by brute force",
          "[typed]") {
  TextsSubject<Promises::all> subject({}, "texts, all promised");
  compare_every(subject, texts_alphabets());
}

TEST_CASE("random histories of a nondeterministic model are judged as by brute force whatever it promises", "[typed]") {
  const auto compare = [](auto subject) { compare_longer(subject, {.failures = false}, 50'000'000); };
  compare(TextsSubject<Promises::none>({}, "texts"));
  compare(TextsSubject<Promises::read_only>({}, "texts, read_only"));
  compare(TextsSubject<Promises::touches>({}, "texts, touches"));
  compare(TextsSubject<Promises::partition>({}, "texts, partition_key"));
  compare(TextsSubject<Promises::viable>({}, "texts, viable"));
  compare(TextsSubject<Promises::all>({}, "texts, all promised"));
}

TEST_CASE("every small history of a bag is judged as by brute force however its states are compared", "[typed]") {
  const auto compare = [](auto subject) { compare_every(subject, bag_alphabets()); };
  compare(BagSubject<Identity::order>({}, "bag, ordered states"));
  compare(BagSubject<Identity::hash>({}, "bag, hashed states"));
  compare(BagSubject<Identity::equality>({}, "bag, states with equality alone"));
}

TEST_CASE("random histories of a bag are judged as by brute force however its states are compared", "[typed]") {
  const auto compare = [](auto subject) {
    compare_random(subject, {.failures = false}, 60'000'000, by_level(500, 1'700, 33'000));
  };
  compare(BagSubject<Identity::order>({}, "bag, ordered states"));
  compare(BagSubject<Identity::hash>({}, "bag, hashed states"));
  compare(BagSubject<Identity::equality>({}, "bag, states with equality alone"));
}

}  // namespace porpentine::differential
