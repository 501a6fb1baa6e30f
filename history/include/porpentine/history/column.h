// A column of numbers that are its own, or that somebody else holds.
//
// A borrowed column reads foreign memory as it is, say that of an array in Python, and keeps its owner alive. Whoever
// changes a borrowed column changes a copy of it, made at the first change: foreign memory is never written.
//
// Complexity: that of std::vector, plus one copy at the first change of what is borrowed. Thread safety: that of
// std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace porpentine {

template <typename T>
class Column {
 public:
  using value_type = T;

  Column() = default;
  Column(std::initializer_list<T> items) : own_(items), items_(own_) {}
  Column(std::vector<T> items) : own_(std::move(items)), items_(own_) {}  // NOLINT: implicit, as it is one
  /// `items` must stay as they are for as long as `owner` is held.
  static Column borrow(std::span<const T> items, const std::shared_ptr<const void>& owner) {
    Column column;
    column.items_ = items;
    column.owner_ = owner;
    return column;
  }

  Column(const Column& other) : own_(other.own_), items_(own_), owner_(other.owner_) {
    if (owner_ != nullptr) items_ = other.items_;
  }
  Column(Column&& other) noexcept
      : own_(std::move(other.own_)),
        items_(std::exchange(other.items_, {})),
        owner_(std::exchange(other.owner_, nullptr)) {}
  Column& operator=(Column other) noexcept {
    own_ = std::move(other.own_);  // its items stay where they are
    items_ = other.items_;
    owner_ = std::move(other.owner_);
    return *this;
  }
  ~Column() = default;

  [[nodiscard]] bool is_borrowed() const { return owner_ != nullptr; }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const T* data() const { return items_.data(); }
  /// Bytes of its own on the heap count by it.
  [[nodiscard]] std::size_t capacity() const { return own_.capacity(); }
  const T& operator[](std::size_t index) const { return items_[index]; }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

  T& operator[](std::size_t index) { return own()[index]; }
  [[nodiscard]] auto begin() { return own().begin(); }
  [[nodiscard]] auto end() { return own().end(); }
  void push_back(T item) {
    own().push_back(item);
    items_ = own_;
  }
  void reserve(std::size_t capacity) {
    own().reserve(capacity);
    items_ = own_;
  }
  void resize(std::size_t size) {
    own().resize(size);
    items_ = own_;
  }
  void shrink_to_fit() {
    own().shrink_to_fit();
    items_ = own_;
  }
  void clear() { *this = Column(); }

  friend bool operator==(const Column& a, const Column& b) {
    return std::equal(a.items_.begin(), a.items_.end(), b.items_.begin(), b.items_.end());
  }

 private:
  std::vector<T>& own() {
    if (owner_ != nullptr) {
      own_.assign(items_.begin(), items_.end());
      items_ = own_;
      owner_ = nullptr;
    }
    return own_;
  }

  std::vector<T> own_;
  std::span<const T> items_;  // what it shows: own_, or borrowed ones
  std::shared_ptr<const void> owner_;
};

}  // namespace porpentine
