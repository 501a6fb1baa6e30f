#include <porpentine/history/value.h>

#include <absl/container/flat_hash_set.h>
#include <absl/hash/hash.h>
#include <absl/strings/string_view.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "arena.h"
#include "json_text.h"

namespace porpentine {
namespace {

/// One value. Numbers are in the payload; for strings, arrays and objects it is the address of their bytes
/// or ids, which never move.
struct Entry {
  std::uint64_t payload = 0;
  std::uint32_t length = 0;  ///< bytes, or ids (two for each member of an object)
  ValueKind kind = ValueKind::null;

  [[nodiscard]] std::string_view text() const { return {std::bit_cast<const char*>(payload), length}; }
  [[nodiscard]] std::span<const ValueId> ids() const { return {std::bit_cast<const ValueId*>(payload), length}; }
};
static_assert(sizeof(Entry) == 16);
static_assert(sizeof(void*) == sizeof(std::uint64_t), "addresses are kept in 64-bit payloads");

bool holds_ids(ValueKind kind) { return kind == ValueKind::array || kind == ValueKind::object; }

/// The bytes behind an entry's address.
std::string_view bytes(const Entry& entry) {
  return {std::bit_cast<const char*>(entry.payload), entry.length * (holds_ids(entry.kind) ? sizeof(ValueId) : 1)};
}

std::size_t hash_of(const Entry& entry) {
  if (entry.kind < ValueKind::string) return absl::HashOf(entry.payload, entry.kind);
  // Abseil hashes its own string_view; a foreign one, where its own is none, would go through std::hash.
  const std::string_view content = bytes(entry);
  return absl::HashOf(absl::string_view(content.data(), content.size()), entry.kind);
}

bool equal(const Entry& left, const Entry& right) {
  if (left.kind != right.kind) return false;
  return left.kind < ValueKind::string ? left.payload == right.payload : bytes(left) == bytes(right);
}

/// Entries in chunks: they never move, and growing needs no second copy of them all.
class EntryStore {
 public:
  const Entry& operator[](ValueId id) const { return chunks_[id / kChunk][id % kChunk]; }

  ValueId add(const Entry& entry) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
    chunks_.back()[size_ % kChunk] = entry;
    return static_cast<ValueId>(size_++);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t memory() const {
    return chunks_.size() * kChunk * sizeof(Entry) + chunks_.capacity() * sizeof(chunks_[0]);
  }

 private:
  static constexpr std::size_t kChunk = 1024;
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  std::size_t size_ = 0;
};

/// Looks entries up by content, in a table that holds ids alone: 5 bytes a slot.
struct EntryHash {
  using is_transparent = void;
  const EntryStore* entries;
  std::size_t operator()(ValueId id) const { return hash_of((*entries)[id]); }
  std::size_t operator()(const Entry& entry) const { return hash_of(entry); }
};

struct EntryEqual {
  using is_transparent = void;
  const EntryStore* entries;
  bool operator()(ValueId left, ValueId right) const { return left == right; }
  bool operator()(ValueId left, const Entry& right) const { return equal((*entries)[left], right); }
};

/// The bytes of a string of up to 8 as one word.
std::uint64_t short_word(std::string_view text) {
  std::uint64_t word = 0;
  if (text.size() >= 4) {
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    std::memcpy(&head, text.data(), 4);
    std::memcpy(&tail, text.data() + text.size() - 4, 4);
    return (std::uint64_t{tail} << 32U) | head;
  }
  for (const char c : text) word = (word << 8U) | static_cast<unsigned char>(c);
  return word;
}

/// The most recently used short strings, direct-mapped: keys, processes and small vocabularies come again and
/// again, and are found here without hashing.
class ShortStrings {
 public:
  static constexpr std::size_t kLongest = 8;

  struct Slot {
    std::uint64_t word = 0;
    ValueId id = kNull;
    std::uint32_t length = std::numeric_limits<std::uint32_t>::max();
  };

  Slot& slot(std::uint64_t word) {
    if (slots_.empty()) slots_.resize(kSlots);
    return slots_[(word * 0x9E3779B97F4A7C15U) >> (64U - kBits)];
  }
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr unsigned kBits = 10;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  std::vector<Slot> slots_;
};

/// Integers from 0 to 65535 by index, without hashing.
class SmallIntegers {
 public:
  static constexpr std::uint64_t kEnd = 65536;

  /// kNull where `value` is not known yet.
  ValueId& id(std::uint64_t value) {
    if (value >= ids_.size()) ids_.resize(std::max<std::uint64_t>(256, std::bit_ceil(value + 1)), kNull);
    return ids_[value];
  }
  [[nodiscard]] std::size_t memory() const { return ids_.capacity() * sizeof(ValueId); }

 private:
  std::vector<ValueId> ids_;
};

void append_number(double value, std::string& out) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += text;
  // A whole number beyond 64 bits would be read back as an integer that is out of range.
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

template <typename Integer>
void append_integer(Integer value, std::string& out) {
  std::array<char, 24> buffer{};
  out.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

}  // namespace

struct ValueTable::Impl {
  EntryStore entries;
  absl::flat_hash_set<ValueId, EntryHash, EntryEqual> by_content{0, EntryHash{&entries}, EntryEqual{&entries}};
  Arena arena;
  SmallIntegers small_integers;
  ShortStrings short_strings;
  std::vector<std::pair<ValueId, ValueId>> members;  // scratch of object()
  std::vector<ValueId> flat_members;                 // scratch of object()

  Impl() {
    intern({0, 0, ValueKind::null});     // kNull
    intern({0, 0, ValueKind::boolean});  // kFalse
    intern({1, 0, ValueKind::boolean});  // kTrue
  }

  /// The id of `candidate`, whose bytes may lie anywhere: they are copied if it is new.
  ValueId intern(const Entry& candidate) {
    return *by_content.lazy_emplace(candidate, [&](const auto& construct) { construct(add(candidate)); });
  }

  ValueId add(Entry entry) {
    if (entry.kind >= ValueKind::string) {
      entry.payload = std::bit_cast<std::uint64_t>(copy(bytes(entry), holds_ids(entry.kind) ? alignof(ValueId) : 1));
    }
    return entries.add(entry);
  }

  const char* copy(std::string_view source, std::size_t alignment) {
    if (source.empty()) return nullptr;
    char* const target = arena.allocate(source.size(), alignment);
    std::memcpy(target, source.data(), source.size());
    return target;
  }

  ValueId intern_ids(std::span<const ValueId> ids, ValueKind kind) {
    return intern({std::bit_cast<std::uint64_t>(ids.data()), static_cast<std::uint32_t>(ids.size()), kind});
  }
};

ValueTable::ValueTable() : impl_(std::make_unique<Impl>()) {}
ValueTable::~ValueTable() = default;
ValueTable::ValueTable(ValueTable&&) noexcept = default;
ValueTable& ValueTable::operator=(ValueTable&&) noexcept = default;

ValueId ValueTable::integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (bits >= SmallIntegers::kEnd) return impl_->intern({bits, 0, ValueKind::integer});
  ValueId& id = impl_->small_integers.id(bits);
  if (id == kNull) id = impl_->intern({bits, 0, ValueKind::integer});
  return id;
}

ValueId ValueTable::unsigned_integer(std::uint64_t value) {
  if (std::in_range<std::int64_t>(value)) return integer(static_cast<std::int64_t>(value));
  return impl_->intern({value, 0, ValueKind::unsigned_integer});
}

ValueId ValueTable::real(double value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (value == std::trunc(value)) {
    if (value >= -kTwoTo63 && value < kTwoTo63) return integer(static_cast<std::int64_t>(value));
    if (value >= kTwoTo63 && value < 2 * kTwoTo63) return unsigned_integer(static_cast<std::uint64_t>(value));
  }
  return impl_->intern({std::bit_cast<std::uint64_t>(value), 0, ValueKind::real});
}

ValueId ValueTable::string(std::string_view value) {
  const Entry entry{std::bit_cast<std::uint64_t>(value.data()), static_cast<std::uint32_t>(value.size()),
                    ValueKind::string};
  if (value.size() > ShortStrings::kLongest) return impl_->intern(entry);
  const std::uint64_t word = short_word(value);
  ShortStrings::Slot& slot = impl_->short_strings.slot(word);
  if (slot.word != word || slot.length != value.size()) slot = {word, impl_->intern(entry), entry.length};
  return slot.id;
}

ValueId ValueTable::array(std::span<const ValueId> elements) { return impl_->intern_ids(elements, ValueKind::array); }

ValueId ValueTable::object(std::span<const ValueId> members) {
  auto& sorted = impl_->members;
  auto& flat = impl_->flat_members;
  sorted.clear();
  for (std::size_t i = 0; i + 1 < members.size(); i += 2) sorted.emplace_back(members[i], members[i + 1]);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& left, const auto& right) {
    return left.first != right.first && impl_->entries[left.first].text() < impl_->entries[right.first].text();
  });
  flat.clear();
  for (const auto& [key, value] : sorted) {
    if (!flat.empty() && flat[flat.size() - 2] == key) {
      flat.back() = value;
    } else {
      flat.insert(flat.end(), {key, value});
    }
  }
  return impl_->intern_ids(flat, ValueKind::object);
}

ValueKind ValueTable::kind(ValueId id) const { return impl_->entries[id].kind; }

std::optional<std::int64_t> ValueTable::as_int64(ValueId id) const {
  const Entry& entry = impl_->entries[id];
  if (entry.kind != ValueKind::integer) return std::nullopt;
  return static_cast<std::int64_t>(entry.payload);
}

std::optional<std::uint64_t> ValueTable::as_uint64(ValueId id) const {
  const Entry& entry = impl_->entries[id];
  const bool non_negative = entry.kind == ValueKind::unsigned_integer ||
                            (entry.kind == ValueKind::integer && static_cast<std::int64_t>(entry.payload) >= 0);
  return non_negative ? std::optional(entry.payload) : std::nullopt;
}

std::optional<std::string_view> ValueTable::as_string(ValueId id) const {
  const Entry& entry = impl_->entries[id];
  return entry.kind == ValueKind::string ? std::optional(entry.text()) : std::nullopt;
}

double ValueTable::as_double(ValueId id) const {
  const Entry& entry = impl_->entries[id];
  switch (entry.kind) {
    case ValueKind::integer:
      return static_cast<double>(static_cast<std::int64_t>(entry.payload));
    case ValueKind::unsigned_integer:
      return static_cast<double>(entry.payload);
    case ValueKind::real:
      return std::bit_cast<double>(entry.payload);
    default:
      return 0;
  }
}

std::span<const ValueId> ValueTable::elements(ValueId id) const {
  const Entry& entry = impl_->entries[id];
  return holds_ids(entry.kind) ? entry.ids() : std::span<const ValueId>();
}

std::optional<ValueId> ValueTable::find_string(std::string_view value) const {
  const auto found = impl_->by_content.find(
      Entry{std::bit_cast<std::uint64_t>(value.data()), static_cast<std::uint32_t>(value.size()), ValueKind::string});
  return found == impl_->by_content.end() ? std::nullopt : std::optional(*found);
}

std::string ValueTable::to_json(ValueId id) const {
  std::string out;
  append_json(id, out);
  return out;
}

void ValueTable::append_json(ValueId id, std::string& out) const {
  // A stack of its own: a value made by a program may be nested deeper than the call stack bears.
  struct Frame {
    ValueId id;
    std::size_t next;
  };
  std::vector<Frame> open;
  const auto append_or_open = [&](ValueId value) {
    const Entry& entry = impl_->entries[value];
    switch (entry.kind) {
      case ValueKind::null:
        out += "null";
        break;
      case ValueKind::boolean:
        out += entry.payload != 0 ? "true" : "false";
        break;
      case ValueKind::integer:
        append_integer(static_cast<std::int64_t>(entry.payload), out);
        break;
      case ValueKind::unsigned_integer:
        append_integer(entry.payload, out);
        break;
      case ValueKind::real:
        append_number(std::bit_cast<double>(entry.payload), out);
        break;
      case ValueKind::string:
        append_json_string(entry.text(), out);
        break;
      case ValueKind::array:
      case ValueKind::object:
        out += entry.kind == ValueKind::array ? '[' : '{';
        open.push_back({value, 0});
        break;
    }
  };

  append_or_open(id);
  while (!open.empty()) {
    Frame& frame = open.back();
    const Entry& entry = impl_->entries[frame.id];
    const bool is_object = entry.kind == ValueKind::object;
    if (frame.next == entry.length) {
      out += is_object ? '}' : ']';
      open.pop_back();
      continue;
    }
    if (frame.next != 0) out += is_object && frame.next % 2 == 1 ? ':' : ',';
    append_or_open(entry.ids()[frame.next++]);
  }
}

std::size_t ValueTable::size() const { return impl_->entries.size(); }

std::size_t ValueTable::memory() const {
  const std::size_t index = impl_->by_content.capacity() * (sizeof(ValueId) + 1);  // one control byte a slot
  const std::size_t scratch =
      impl_->members.capacity() * sizeof(impl_->members[0]) + impl_->flat_members.capacity() * sizeof(ValueId);
  return sizeof(Impl) + impl_->entries.memory() + index + impl_->arena.memory() + impl_->small_integers.memory() +
         impl_->short_strings.memory() + scratch;
}

std::string_view kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::null:
      return "null";
    case ValueKind::boolean:
      return "boolean";
    case ValueKind::integer:
    case ValueKind::unsigned_integer:
      return "integer";
    case ValueKind::real:
      return "number";
    case ValueKind::string:
      return "string";
    case ValueKind::array:
      return "array";
    case ValueKind::object:
      return "object";
  }
  return "value";
}

}  // namespace porpentine
