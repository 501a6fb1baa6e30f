#include <porpentine/models/persistent_array.h>

namespace porpentine {

namespace {

constexpr std::size_t kFirstSlots = 64;

}  // namespace

std::uint64_t PersistentArray::hash(const Children& children, unsigned height) {
  std::uint64_t mixed = height;
  for (const std::uint32_t child : children) {
    mixed = (mixed ^ child) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 32;
  }
  return mixed;
}

PersistentArray::Root PersistentArray::set(Root root, std::uint32_t index, std::uint32_t value) {
  if (get(root, index) == value) return root;
  unsigned height = nodes_[root].height;
  if (height == 0) height = 1;
  while (!holds(height, index)) {
    ++height;
    if (root != kZeros) root = intern({root}, height);
  }
  root = set_below(root, height, index, value);
  // Only the first child left: the array has become shorter.
  while (nodes_[root].height > 1) {
    const Children& children = nodes_[root].children;
    if ((children[1] | children[2] | children[3]) != 0) break;
    root = children[0];
  }
  return root;
}

std::uint32_t PersistentArray::set_below(std::uint32_t node, unsigned height, std::uint32_t index,
                                         std::uint32_t value) {
  if (height == 0) return value;
  Children children = node == kZeros ? Children{} : nodes_[node].children;
  std::uint32_t& child = children[digit(index, height - 1)];
  child = set_below(child, height - 1, index, value);
  return intern(children, height);
}

std::uint32_t PersistentArray::intern(const Children& children, unsigned height) {
  if (children == Children{}) return kZeros;
  if (nodes_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(children, height) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Node& node = nodes_[slots_[slot]];
    if (node.height == height && node.children == children) return slots_[slot];
  }
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  slots_[slot] = id;
  nodes_.push_back({children, height});
  return id;
}

void PersistentArray::grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 1; id < nodes_.size(); ++id) {
    std::size_t slot = hash(nodes_[id].children, nodes_[id].height) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(id);
  }
}

bool PersistentArray::subset(Root a, Root b) const {
  if (a == kZeros) return true;
  const unsigned height = nodes_[a].height;
  // A root holds something beyond what lower ones can hold.
  if (height > nodes_[b].height) return false;
  while (nodes_[b].height > height) b = nodes_[b].children[0];
  return subset_below(a, b, height);
}

bool PersistentArray::subset_below(std::uint32_t a, std::uint32_t b, unsigned height) const {
  if (height == 0) return (a & ~b) == 0;
  if (a == b || a == kZeros) return true;
  if (b == kZeros) return false;
  for (std::size_t i = 0; i < kFanOut; ++i) {
    if (!subset_below(nodes_[a].children[i], nodes_[b].children[i], height - 1)) return false;
  }
  return true;
}

std::optional<std::uint32_t> PersistentArray::first_nonzero(Root root, std::uint32_t from) const {
  const unsigned height = nodes_[root].height;
  return holds(height, from) ? first_nonzero_below(root, height, from) : std::nullopt;
}

std::optional<std::uint32_t> PersistentArray::first_nonzero_below(std::uint32_t node, unsigned height,
                                                                  std::uint32_t from) const {
  if (node == 0) return std::nullopt;
  if (height == 0) return 0;
  const unsigned below = kFanOutBits * (height - 1);
  const std::size_t begin = digit(from, height - 1);
  for (std::size_t i = begin; i < kFanOut; ++i) {
    const std::uint32_t from_below = i == begin ? from & ((std::uint32_t{1} << below) - 1) : 0;
    if (const auto found = first_nonzero_below(nodes_[node].children[i], height - 1, from_below)) {
      return static_cast<std::uint32_t>(i) << below | *found;
    }
  }
  return std::nullopt;
}

std::size_t PersistentArray::memory() const {
  return nodes_.capacity() * sizeof(Node) + slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace porpentine
