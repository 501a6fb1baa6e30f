#include "knowledge.h"

#include <algorithm>

namespace porpentine::detail {

LeafId KnowledgeStore::add(const Leaf& leaf_to_add) {
  if (!free_.empty()) {
    const LeafId id = free_.back();
    free_.pop_back();
    leaf(id) = leaf_to_add;
    return id;
  }
  if (used_ % kBlock == 0) blocks_.push_back(std::make_unique<Leaf[]>(kBlock));
  const auto id = static_cast<LeafId>(used_++);
  leaf(id) = leaf_to_add;
  return id;
}

Snapshot KnowledgeStore::keep(std::span<const LeafId> leaves) {
  const Snapshot snapshot{snapshots_.size(), static_cast<std::uint32_t>(leaves.size())};
  snapshots_.insert(snapshots_.end(), leaves.begin(), leaves.end());
  return snapshot;
}

void Knowledge::replace(std::size_t k, LeafId id, bool owned) {
  if (owned_[k]) store_->give_back(leaves_[k]);
  leaves_[k] = id;
  owned_[k] = owned;
  changed_ = true;
}

Leaf& Knowledge::writable(std::size_t k) {
  if (k >= leaves_.size()) {
    leaves_.resize(k + 1, KnowledgeStore::kZero);
    owned_.resize(k + 1, false);
  }
  if (!owned_[k]) {
    const Leaf copy = store_->leaf(leaves_[k]);
    replace(k, store_->add(copy), true);
  }
  changed_ = true;
  return store_->leaf(leaves_[k]);
}

void Knowledge::set(std::uint32_t chain, std::uint32_t count) {
  writable(chain / std::tuple_size_v<Leaf>)[chain % std::tuple_size_v<Leaf>] = count;
}

bool Knowledge::merge(Snapshot other) {
  bool learned = false;
  if (other.leaves > leaves_.size()) {
    leaves_.resize(other.leaves, KnowledgeStore::kZero);
    owned_.resize(other.leaves, false);
  }
  for (std::size_t k = 0; k < other.leaves; ++k) {
    const LeafId theirs_id = store_->leaves(other)[k];
    if (theirs_id == leaves_[k] || theirs_id == KnowledgeStore::kZero) continue;
    const Leaf& theirs = store_->leaf(theirs_id);
    const Leaf& ours = store_->leaf(leaves_[k]);
    Leaf both;
    std::uint32_t more = 0;  // in theirs
    std::uint32_t less = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i] = std::max(ours[i], theirs[i]);
      more |= both[i] ^ ours[i];
      less |= both[i] ^ theirs[i];
    }
    if (more == 0) continue;
    learned = true;
    if (less == 0) {
      replace(k, theirs_id, false);
    } else {
      writable(k) = both;
    }
  }
  return learned;
}

Snapshot Knowledge::snapshot() {
  if (!changed_) return last_;
  last_ = store_->keep(leaves_);
  owned_.assign(owned_.size(), false);
  changed_ = false;
  return last_;
}

void Knowledge::clear() {
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    if (owned_[k]) store_->give_back(leaves_[k]);
  }
  leaves_.clear();
  owned_.clear();
  last_ = {};
  changed_ = false;
}

void Knowledge::save(Saved& saved) const {
  saved.leaves = leaves_;
  saved.is_owned = owned_;
  saved.owned.clear();
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    if (owned_[k]) saved.owned.push_back(store_->leaf(leaves_[k]));
  }
  saved.last = last_;
  saved.changed = changed_;
}

void Knowledge::restore(const Saved& saved) {
  clear();
  leaves_ = saved.leaves;
  owned_ = saved.is_owned;
  auto owned = saved.owned.begin();
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    if (owned_[k]) leaves_[k] = store_->add(*owned++);
  }
  last_ = saved.last;
  changed_ = saved.changed;
}

}  // namespace porpentine::detail
