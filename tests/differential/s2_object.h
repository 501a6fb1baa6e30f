// A stream of s2, that keeps its records instead of their hash.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "names.h"
#include "random.h"

namespace porpentine::differential {

struct S2Object {
  enum class F : std::uint8_t { append, read, check_tail };
  static constexpr int kAny = -1;
  struct Op {
    F f = F::read;
    std::vector<int> records = {};  ///< append: the input; read: all that the hash is made of
    int tail = 0;                   ///< the output
    int new_token = 0;              ///< 0: none
    int demanded_token = 0;         ///< 0: none
    int demanded_tail = kAny;
  };
  struct State {
    std::vector<int> records = {};
    int token = 0;
    auto operator<=>(const State&) const = default;
  };

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] bool renamable() const { return true; }

  [[nodiscard]] std::vector<State> next(const State& state, const Op& op, int, bool known) const {
    const auto tail = static_cast<int>(state.records.size());
    if (op.f == F::check_tail) return unchanged_if(!known || op.tail == tail, state);
    if (op.f == F::read) {
      return unchanged_if(!known || (op.tail == tail && op.records == state.records), state);
    }
    const bool may = (op.demanded_token == 0 || op.demanded_token == state.token) &&
                     (op.demanded_tail == kAny || op.demanded_tail == tail);
    if (!may) return unchanged_if(!known, state);
    if (known && op.tail != tail + static_cast<int>(op.records.size())) return {};
    State after = state;
    after.records.insert(after.records.end(), op.records.begin(), op.records.end());
    if (op.new_token != 0) after.token = op.new_token;
    return {after};
  }

  [[nodiscard]] Encoded encode(const Op& op, bool known, const Names& names) const {
    ValueTable& table = names.table();
    const ValueId tail = table.integer(op.tail);
    const auto decimal = [&](std::uint64_t hash) { return table.string(std::to_string(hash)); };
    const auto object = [&](const std::vector<ValueId>& members) { return table.object(members); };
    if (op.f == F::check_tail) return {"check-tail", kNull, tail};
    if (op.f == F::read) {
      std::uint64_t hash = 0;
      for (const int record : op.records) hash = chained(hash, hash_of(record));
      const ValueId seen =
          known ? object({table.string("tail"), tail, table.string("stream_hash"), decimal(hash)}) : kNull;
      return {"read", kNull, seen};
    }
    std::vector<ValueId> hashes;
    for (const int record : op.records) hashes.push_back(decimal(hash_of(record)));
    std::vector<ValueId> members{table.string("record_hashes"), names.array(hashes)};
    const auto add = [&](const char* name, bool there, ValueId value) {
      if (there) members.insert(members.end(), {table.string(name), value});
    };
    const auto token = [&](int number) { return names.text(std::string(static_cast<std::size_t>(number), 'a')); };
    add("set_fencing_token", op.new_token != 0, token(op.new_token));
    add("fencing_token", op.demanded_token != 0, token(op.demanded_token));
    add("match_seq_num", op.demanded_tail != kAny, table.integer(op.demanded_tail));
    return {"append", object(members), tail};
  }

  [[nodiscard]] Op invocation(Random& random) const {
    switch (random.below(10)) {
      case 0:
      case 1:
        return {F::check_tail};
      case 2:
      case 3:
      case 4:
        return {F::read};
      default:
        break;
    }
    Op op{F::append};
    for (int count = random.pick(std::vector<int>{1, 1, 1, 2, 2, 0}); count > 0; --count) {
      op.records.push_back(random.between(1, 3));
    }
    if (random.chance(20)) op.new_token = random.between(1, 2);
    if (random.chance(20)) op.demanded_token = random.between(1, 2);
    if (random.chance(20)) op.demanded_tail = random.below(4);
    return op;
  }

  [[nodiscard]] std::optional<State> perform(const State& state, Op& op, int process, Random&) const {
    op.tail = static_cast<int>(state.records.size() + (op.f == F::append ? op.records.size() : 0));
    if (op.f == F::read) op.records = state.records;
    const std::vector<State> after = next(state, op, process, true);
    if (after.empty()) return std::nullopt;
    return after.front();
  }

  void corrupt(Op& op, Random& random) const {
    if (op.f == F::read && !op.records.empty() && random.chance(60)) {
      random.pick(op.records) = random.between(1, 3);
    } else if (op.f == F::append && random.chance(40)) {
      op.demanded_token = random.below(3);
    } else {
      op.tail = random.below(5);
    }
  }

 private:
  static std::uint64_t hash_of(int record) {
    const auto byte = static_cast<unsigned char>(record);
    return XXH3_64bits(&byte, 1);
  }
  static std::uint64_t chained(std::uint64_t before, std::uint64_t record) {
    std::array<unsigned char, 8> bytes{};
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(record >> (8 * i));
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), before);
  }
};

}  // namespace porpentine::differential
