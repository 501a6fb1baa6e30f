// Key-value stores, split by key and whole, against brute force.
#include "kv_object.h"
#include "matrix.h"

namespace porpentine::differential {
namespace {

using Op = KvObject::Op;
using F = KvObject::F;

Op get() { return {F::get}; }
Op get(const char* seen) { return {F::get, seen}; }
Op put(const char* value) { return {F::put, value}; }
Op append(const char* value) { return {F::append, value}; }
Op erase() { return {F::erase}; }
Op cas(const char* old, const char* value, bool matched = true) { return {F::cas, value, old, matched}; }

const Alphabets<Op>& one_key() {
  static const Alphabets<Op> result{
      .wide = {known(get(), 1), known(get("a"), 1), known(get("ab"), 1), known(get("b"), 1), known(put("a"), 1),
               known(append("b"), 1), known(erase(), 1), known(cas("a", "b"), 1), known(cas("a", "b", false), 1),
               unknown(put("a"), 1), unknown(append("b"), 1), unknown(erase(), 1), unknown(cas("a", "b"), 1)},
      .medium = {known(get(), 1), known(get("a"), 1), known(get("ab"), 1), known(put("a"), 1), known(append("b"), 1),
                 known(cas("a", "ab", false), 1), unknown(append("b"), 1), unknown(erase(), 1)},
      .narrow = {known(get("a"), 1), known(get("ab"), 1), known(append("a"), 1), known(append("b"), 1),
                 unknown(append("b"), 1)},
      .least = {known(get("ab"), 1), known(append("a"), 1), known(append("b"), 1), unknown(append("b"), 1)}};
  return result;
}

const Alphabets<Op>& two_keys() {
  static const Alphabets<Op> result{
      .wide = {known(get(), 1), known(get("a"), 1), known(put("a"), 1), known(erase(), 1), known(get("b"), 2),
               known(append("b"), 2), known(cas("b", "bb"), 2), unknown(put("a"), 1), unknown(append("b"), 2)},
      .medium = {known(get(), 1), known(get("a"), 1), known(put("a"), 1), known(get("b"), 2), known(append("b"), 2),
                 unknown(append("b"), 2)},
      .narrow = {known(get("a"), 1), known(append("a"), 1), known(get("b"), 2), unknown(append("b"), 2)},
      .least = {known(get("a"), 1), known(append("a"), 1), known(get(), 2)}};
  return result;
}

}  // namespace

TEST_CASE("every small history of one key is judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv");
  compare_every(subject, one_key());
}

TEST_CASE("every small history of two keys in two partitions is judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv");
  compare_every(subject, two_keys());
}

TEST_CASE("every small history of two keys in one partition is judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv:split=false");
  compare_every(subject, two_keys());
}

TEST_CASE("random histories of keys in partitions are judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv");
  compare_random(subject, {.keys = 2}, 10'000'000);
}

TEST_CASE("random histories of one key are judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv");
  compare_random(subject, {.keys = 1}, 11'000'000);
}

TEST_CASE("random histories of keys in one partition are judged as by brute force", "[kv]") {
  Subject<KvObject> subject({}, "kv:split=false");
  compare_random(subject, {.keys = 3}, 12'000'000);
}

TEST_CASE("longer random histories of keys are judged as by brute force", "[kv]") {
  Subject<KvObject> split({}, "kv");
  compare_longer(split, longer(1), 13'000'000);
  Subject<KvObject> whole({}, "kv:split=false");
  compare_longer(whole, longer(2), 13'100'000);
}

}  // namespace porpentine::differential
