#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <porpentine/models/persistent_array.h>

#include "support/catch.h"

using porpentine::PersistentArray;

namespace {

/// A number below `bound`.
std::uint32_t pick(std::mt19937& random, std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); }

}  // namespace

TEST_CASE("an array that nothing was set in is 0 everywhere") {
  const PersistentArray arrays;
  CHECK(arrays.get(PersistentArray::kZeros, 0) == 0);
  CHECK(arrays.get(PersistentArray::kZeros, 0xffffffff) == 0);
}

TEST_CASE("setting a word leaves the array that it was set in as it was") {
  PersistentArray arrays;
  const auto one = arrays.set(PersistentArray::kZeros, 5, 7);
  const auto two = arrays.set(one, 5, 8);
  CHECK(arrays.get(one, 5) == 7);
  CHECK(arrays.get(two, 5) == 8);
  CHECK(arrays.get(two, 4) == 0);
}

TEST_CASE("a word that is set back to 0 gives the array there was before, however far out it was") {
  PersistentArray arrays;
  const auto near = arrays.set(PersistentArray::kZeros, 3, 1);
  for (const std::uint32_t index : {0U, 4U, 63U, 64U, 100000U, 0xffffffffU}) {
    const auto far = arrays.set(near, index, 9);
    CHECK(far != near);
    CHECK(arrays.get(far, index) == 9);
    CHECK(arrays.set(far, index, 0) == near);
    CHECK(arrays.set(arrays.set(far, 3, 0), index, 0) == PersistentArray::kZeros);
  }
}

TEST_CASE("the same number as a word and as a subtree is not confused") {
  PersistentArray arrays;
  const auto word = arrays.set(PersistentArray::kZeros, 0, 1);
  const auto tree = arrays.set(arrays.set(PersistentArray::kZeros, 0, word), 16, word);
  CHECK(arrays.get(tree, 0) == word);
  CHECK(arrays.get(tree, 16) == word);
  CHECK(arrays.get(tree, 1) == 0);
}

TEST_CASE("arrays have one root exactly if their content is equal, in whatever order it was set") {
  std::mt19937 random(1);
  PersistentArray arrays;
  std::map<std::map<std::uint32_t, std::uint32_t>, PersistentArray::Root> roots;
  std::map<PersistentArray::Root, std::map<std::uint32_t, std::uint32_t>> contents;
  for (int round = 0; round < 300; ++round) {
    PersistentArray::Root root = PersistentArray::kZeros;
    std::map<std::uint32_t, std::uint32_t> content;
    for (int step = 0; step < 20; ++step) {
      const std::uint32_t index = pick(random, pick(random, 4) == 0 ? 70 : 6);
      const std::uint32_t value = pick(random, 3);
      root = arrays.set(root, index, value);
      if (value == 0) {
        content.erase(index);
      } else {
        content[index] = value;
      }
      CHECK(roots.emplace(content, root).first->second == root);
      CHECK(contents.emplace(root, content).first->second == content);
    }
    for (std::uint32_t index = 0; index < 80; ++index) {
      CHECK(arrays.get(root, index) == (content.count(index) != 0 ? content[index] : 0));
    }
  }
}

TEST_CASE("one set of bits is a subset of another exactly if no bit says otherwise") {
  std::mt19937 random(2);
  PersistentArray arrays;
  std::vector<std::vector<std::uint32_t>> contents;
  std::vector<PersistentArray::Root> roots;
  for (int i = 0; i < 120; ++i) {
    std::vector<std::uint32_t> content(20, 0);
    PersistentArray::Root root = PersistentArray::kZeros;
    for (int step = static_cast<int>(pick(random, 5)); step > 0; --step) {
      const std::uint32_t index = pick(random, pick(random, 2) == 0 ? 20 : 3);
      content[index] |= 1U << pick(random, 2);
      root = arrays.set(root, index, content[index]);
    }
    contents.push_back(content);
    roots.push_back(root);
  }
  for (std::size_t a = 0; a < roots.size(); ++a) {
    for (std::size_t b = 0; b < roots.size(); ++b) {
      bool expected = true;
      for (std::size_t i = 0; i < 20; ++i) expected = expected && (contents[a][i] & ~contents[b][i]) == 0;
      CHECK(arrays.subset(roots[a], roots[b]) == expected);
    }
  }
}

TEST_CASE("the first word from an index on that is not 0 is found") {
  std::mt19937 random(3);
  PersistentArray arrays;
  CHECK_FALSE(arrays.first_nonzero(PersistentArray::kZeros));
  CHECK_FALSE(arrays.first_nonzero(PersistentArray::kZeros, 0xffffffff));
  for (int round = 0; round < 200; ++round) {
    PersistentArray::Root root = PersistentArray::kZeros;
    std::map<std::uint32_t, std::uint32_t> content;
    for (std::uint32_t count = pick(random, 6); count > 0; --count) {
      const std::uint32_t index = pick(random, 3) == 0 ? static_cast<std::uint32_t>(random()) : pick(random, 80);
      root = arrays.set(root, index, 1 + pick(random, 3));
      content[index] = 1;
    }
    std::vector<std::uint32_t> starts{0, 0xffffffff};
    for (const auto& [index, word] : content) starts.insert(starts.end(), {index - 1, index, index + 1});
    for (std::uint32_t from = 0; from < 90; ++from) starts.push_back(from);
    for (const std::uint32_t from : starts) {
      const auto expected = content.lower_bound(from);
      const auto found = arrays.first_nonzero(root, from);
      REQUIRE(found.has_value() == (expected != content.end()));
      if (found) CHECK(*found == expected->first);
    }
  }
}

TEST_CASE("arrays share what they have in common") {
  PersistentArray arrays;
  PersistentArray::Root root = PersistentArray::kZeros;
  for (std::uint32_t index = 0; index < 1024; ++index) root = arrays.set(root, index, index + 1);
  const std::size_t before = arrays.size();
  for (std::uint32_t index = 0; index < 1024; ++index) (void)arrays.set(root, index, 5000);
  CHECK(arrays.size() - before <= 1024 * 5);
  CHECK(arrays.memory() > 0);
}
