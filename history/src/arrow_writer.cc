#include <porpentine/history/arrow.h>

#include <absl/container/flat_hash_map.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace porpentine {
namespace {

/// What an array or schema that was handed out stands on, as long as it is not released.
struct ArrayParts {
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
  std::shared_ptr<const void> owner;  ///< of buffers that are somebody else's
  std::vector<std::uint8_t> validity;
  std::vector<std::int64_t> numbers;  ///< or offsets
  std::vector<std::int32_t> indices;
  std::string bytes;
};

struct SchemaParts {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

template <typename Structure, typename Parts>
void release(Structure* structure) {
  const std::unique_ptr<Parts> parts(static_cast<Parts*>(structure->private_data));
  for (Structure& child : parts->children) {
    if (child.release != nullptr) child.release(&child);  // it may have been moved away
  }
  if (parts->dictionary && parts->dictionary->release != nullptr) parts->dictionary->release(parts->dictionary.get());
  structure->release = nullptr;
}

ArrowArray make_array(std::size_t length, std::unique_ptr<ArrayParts> parts) {
  for (ArrowArray& child : parts->children) parts->child_pointers.push_back(&child);
  ArrowArray array = {};
  array.length = static_cast<std::int64_t>(length);
  array.null_count = parts->validity.empty() ? 0 : -1;
  array.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  array.buffers = parts->buffers.data();
  array.n_children = static_cast<std::int64_t>(parts->children.size());
  array.children = parts->child_pointers.data();
  array.dictionary = parts->dictionary.get();
  array.release = release<ArrowArray, ArrayParts>;
  array.private_data = parts.release();
  return array;
}

ArrowSchema make_schema(std::unique_ptr<SchemaParts> parts) {
  constexpr std::int64_t kNullable = 2;
  for (ArrowSchema& child : parts->children) parts->child_pointers.push_back(&child);
  ArrowSchema schema = {};
  schema.format = parts->format.c_str();
  schema.name = parts->name.c_str();
  schema.metadata = parts->metadata.empty() ? nullptr : parts->metadata.data();
  schema.flags = kNullable;
  schema.n_children = static_cast<std::int64_t>(parts->children.size());
  schema.children = parts->child_pointers.data();
  schema.dictionary = parts->dictionary.get();
  schema.release = release<ArrowSchema, SchemaParts>;
  schema.private_data = parts.release();
  return schema;
}

ArrowSchema make_schema(std::string format, std::string name) {
  auto parts = std::make_unique<SchemaParts>();
  parts->format = std::move(format);
  parts->name = std::move(name);
  return make_schema(std::move(parts));
}

/// Metadata that name the extension type arrow.json.
std::string json_metadata() {
  std::string bytes;
  const auto add_number = [&](std::int32_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);  // NOLINT: as the interface lays it out
  };
  const auto add = [&](std::string_view text) {
    add_number(static_cast<std::int32_t>(text.size()));
    bytes += text;
  };
  add_number(2);
  add("ARROW:extension:name");
  add("arrow.json");
  add("ARROW:extension:metadata");
  add("");
  return bytes;
}

ArrowArray make_texts(const std::vector<std::string>& texts) {
  auto parts = std::make_unique<ArrayParts>();
  parts->numbers.push_back(0);
  for (const std::string& text : texts) {
    parts->bytes += text;
    parts->numbers.push_back(static_cast<std::int64_t>(parts->bytes.size()));
  }
  parts->buffers = {nullptr, parts->numbers.data(), parts->bytes.data()};
  return make_array(texts.size(), std::move(parts));
}

/// The columns of a table as they are made, each with its schema.
class TableWriter {
 public:
  explicit TableWriter(std::shared_ptr<const History> history) : history_(std::move(history)) {
    const History& history_of_columns = *history_;
    std::vector<ValueId> processes;
    processes.reserve(size());
    for (const std::uint32_t process : history_of_columns.process) {
      processes.push_back(history_of_columns.processes[process]);
    }
    add_values("process", processes);
    add_functions();
    add_values("key", history_of_columns.key);
    add_values("input", history_of_columns.input);
    add_values("output", history_of_columns.output);
    add_outcomes();
    add_times("call", history_of_columns.call, {});
    std::vector<std::uint8_t> returned((size() + 7) / 8, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_indeterminate(history_of_columns.outcome[i])) set_bit(returned, i);
    }
    add_times("return", history_of_columns.ret, std::move(returned));
  }

  std::pair<ArrowSchema, ArrowArray> finish() {
    auto schema = std::make_unique<SchemaParts>();
    schema->format = "+s";
    schema->children = std::move(schemas_);
    auto array = std::make_unique<ArrayParts>();
    array->buffers = {nullptr};
    array->children = std::move(arrays_);
    return {make_schema(std::move(schema)), make_array(size(), std::move(array))};
  }

 private:
  [[nodiscard]] std::size_t size() const { return history_->size(); }

  static void set_bit(std::vector<std::uint8_t>& bits, std::size_t index) {
    bits[index / 8] = static_cast<std::uint8_t>(bits[index / 8] | 1U << index % 8);
  }

  void add(ArrowSchema schema, ArrowArray array) {
    schemas_.push_back(schema);
    arrays_.push_back(array);
  }

  void add_times(const char* name, const Column<std::int64_t>& times, std::vector<std::uint8_t> validity) {
    auto parts = std::make_unique<ArrayParts>();
    parts->owner = history_;
    parts->validity = std::move(validity);
    parts->buffers = {parts->validity.empty() ? nullptr : parts->validity.data(), times.data()};
    add(make_schema("l", name), make_array(size(), std::move(parts)));
  }

  void add_dictionary(const char* name, const char* index, std::unique_ptr<ArrayParts> parts,
                      const std::vector<std::string>& texts) {
    parts->dictionary = std::make_unique<ArrowArray>(make_texts(texts));
    auto schema = std::make_unique<SchemaParts>();
    schema->format = index;
    schema->name = name;
    schema->dictionary = std::make_unique<ArrowSchema>(make_schema("U", ""));
    add(make_schema(std::move(schema)), make_array(size(), std::move(parts)));
  }

  void add_outcomes() {
    static_assert(sizeof(Outcome) == 1);
    auto parts = std::make_unique<ArrayParts>();
    parts->owner = history_;
    parts->buffers = {nullptr, history_->outcome.data()};
    add_dictionary("type", "c", std::move(parts), {"ok", "fail", "info", "open"});
  }

  void add_functions() {
    auto parts = std::make_unique<ArrayParts>();
    parts->indices.assign(history_->function.begin(), history_->function.end());
    parts->buffers = {nullptr, parts->indices.data()};
    add_dictionary("f", "i", std::move(parts), history_->functions);
  }

  void add_values(const char* name, const std::vector<ValueId>& column) {
    bool integers = true;
    bool texts = true;
    auto parts = std::make_unique<ArrayParts>();
    parts->validity.resize((size() + 7) / 8, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      if (column[i] == kNull) continue;
      set_bit(parts->validity, i);
      integers = integers && history_->values.as_int64(column[i]);
      texts = texts && history_->values.as_string(column[i]);
    }
    if (integers) {
      for (const ValueId value : column) parts->numbers.push_back(history_->values.as_int64(value).value_or(0));
      parts->buffers = {parts->validity.data(), parts->numbers.data()};
      add(make_schema("l", name), make_array(size(), std::move(parts)));
    } else if (texts) {
      add_texts(name, column, std::move(parts));
    } else {
      add_json(name, column, std::move(parts));
    }
  }

  void add_texts(const char* name, const std::vector<ValueId>& column, std::unique_ptr<ArrayParts> parts) {
    absl::flat_hash_map<ValueId, std::int32_t> index_of;
    std::vector<std::string> texts;
    for (const ValueId value : column) {
      const auto [index, is_new] = index_of.try_emplace(value, static_cast<std::int32_t>(texts.size()));
      if (is_new) texts.emplace_back(history_->values.as_string(value).value_or(""));
      parts->indices.push_back(index->second);
    }
    parts->buffers = {parts->validity.data(), parts->indices.data()};
    add_dictionary(name, "i", std::move(parts), texts);
  }

  void add_json(const char* name, const std::vector<ValueId>& column, std::unique_ptr<ArrayParts> parts) {
    parts->numbers.push_back(0);
    for (const ValueId value : column) {
      if (value != kNull) history_->values.append_json(value, parts->bytes);
      parts->numbers.push_back(static_cast<std::int64_t>(parts->bytes.size()));
    }
    parts->buffers = {parts->validity.data(), parts->numbers.data(), parts->bytes.data()};
    auto schema = std::make_unique<SchemaParts>();
    schema->format = "U";
    schema->name = name;
    schema->metadata = json_metadata();
    add(make_schema(std::move(schema)), make_array(size(), std::move(parts)));
  }

  std::shared_ptr<const History> history_;
  std::vector<ArrowSchema> schemas_;
  std::vector<ArrowArray> arrays_;
};

/// A stream of one array, which is made when the stream is.
struct Stream {
  ArrowSchema schema;
  ArrowArray array;

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    *out = std::exchange(static_cast<Stream*>(stream->private_data)->schema, {});
    return out->release == nullptr ? EINVAL : 0;  // it is given once
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    *out = std::exchange(static_cast<Stream*>(stream->private_data)->array, {});
    return 0;
  }
  static const char* get_last_error(ArrowArrayStream* /*stream*/) { return nullptr; }
  static void release(ArrowArrayStream* stream) {
    const std::unique_ptr<Stream> self(static_cast<Stream*>(stream->private_data));
    if (self->schema.release != nullptr) self->schema.release(&self->schema);
    if (self->array.release != nullptr) self->array.release(&self->array);
    stream->release = nullptr;
  }
};

}  // namespace

void write_arrow(std::shared_ptr<const History> history, ArrowArrayStream& stream) {
  stream.get_schema = Stream::get_schema;
  stream.get_next = Stream::get_next;
  stream.get_last_error = Stream::get_last_error;
  stream.release = Stream::release;
  auto [schema, array] = TableWriter(std::move(history)).finish();
  stream.private_data = new Stream{schema, array};  // NOLINT: the consumer releases it
}

}  // namespace porpentine
