// Histories from columns: NumPy's arrays, Arrow's, and sequences of Python's values.
#include <pybind11/numpy.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <porpentine/history/arrow.h>
#include <porpentine/history/table.h>

#include "bindings.h"
#include "values.h"

namespace porpentine::python {
namespace {

void raise_if(const std::optional<Error>& error) {
  if (error) raise(*error);
}

template <typename Structure>
Structure& from_capsule(const py::capsule& capsule, const char* name) {
  auto* const structure = static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (structure == nullptr) throw py::error_already_set();
  return *structure;
}

/// What offers Arrow's stream or array interface; nothing else does.
std::optional<ArrowChunks> arrow_chunks(const py::object& object) {
  if (py::hasattr(object, "__arrow_c_stream__")) {
    const py::capsule capsule = object.attr("__arrow_c_stream__")();
    return value_or_raise(ArrowChunks::of_stream(from_capsule<ArrowArrayStream>(capsule, "arrow_array_stream")));
  }
  if (!py::hasattr(object, "__arrow_c_array__")) return std::nullopt;
  const py::tuple capsules = object.attr("__arrow_c_array__")();
  return ArrowChunks::of_array(from_capsule<ArrowSchema>(capsules[0], "arrow_schema"),
                               from_capsule<ArrowArray>(capsules[1], "arrow_array"));
}

/// An array of numbers of NumPy's as one of Arrow's, over the same memory.
struct Borrowed {
  explicit Borrowed(py::array array_of_numbers) : array(std::move(array_of_numbers)), buffers{nullptr, array.data()} {}

  py::array array;
  const void* buffers[2];

  static void release(ArrowArray* array) {
    const py::gil_scoped_acquire acquired;
    delete static_cast<Borrowed*>(array->private_data);  // NOLINT: as the interface asks
    array->release = nullptr;
  }
};

/// Bytes of an item. NumPy says it: its structures differ from version to version.
py::ssize_t item_size(const py::array& array) { return py::cast<py::ssize_t>(array.attr("itemsize")); }

const char* arrow_format(char kind, py::ssize_t size) {
  switch (kind) {
    case 'i':
      return size == 8 ? "l" : size == 4 ? "i" : size == 2 ? "s" : "c";
    case 'u':
      return size == 8 ? "L" : size == 4 ? "I" : size == 2 ? "S" : "C";
    default:
      return size == 8 ? "g" : size == 4 ? "f" : "e";
  }
}

void add_numbers(HistoryTable& table, const std::string& name, const py::array& array) {
  auto borrowed = std::make_unique<Borrowed>(array);
  ArrowSchema schema = {};
  schema.format = arrow_format(array.dtype().kind(), item_size(array));
  schema.name = "";
  schema.release = [](ArrowSchema* taken) { taken->release = nullptr; };
  ArrowArray numbers = {};
  numbers.length = array.size();
  numbers.n_buffers = 2;
  numbers.buffers = static_cast<const void**>(borrowed->buffers);
  numbers.release = &Borrowed::release;
  numbers.private_data = borrowed.release();
  raise_if(ArrowChunks::of_array(schema, numbers).add_column_to(table, name));
}

/// Writes a character in UTF-8, and gives the place behind it.
char* write_utf8(char32_t character, char* out) {
  const auto byte = [&](char32_t bits) { *out++ = static_cast<char>(bits); };
  const auto rest = [&](unsigned shift) { byte(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xc0 | character >> 6U);
    rest(0);
  } else if (character < 0x10000) {
    byte(0xe0 | character >> 12U);
    rest(6);
    rest(0);
  } else {
    byte(0xf0 | character >> 18U);
    rest(12);
    rest(6);
    rest(0);
  }
  return out;
}

/// Texts of one length, filled up with zeros.
std::vector<ValueId> intern_texts(const py::array& array, ValueTable& values) {
  const auto length = static_cast<std::size_t>(item_size(array)) / sizeof(char32_t);
  const auto* text = static_cast<const char32_t*>(array.data());
  std::vector<ValueId> ids;
  ids.reserve(static_cast<std::size_t>(array.size()));
  std::vector<char> bytes(4 * length);
  for (py::ssize_t row = 0; row < array.size(); ++row, text += length) {
    std::size_t size = length;
    while (size > 0 && text[size - 1] == 0) --size;
    char* end = bytes.data();
    for (const char32_t character : std::span(text, size)) {
      if (character >= 0xd800 && character < 0xe000) {
        throw py::value_error("row " + std::to_string(row) + ": not Unicode");
      }
      end = write_utf8(character, end);
    }
    ids.push_back(values.string({bytes.data(), static_cast<std::size_t>(end - bytes.data())}));
  }
  return ids;
}

std::vector<ValueId> intern_booleans(const py::array& array) {
  const auto* const bytes = static_cast<const std::uint8_t*>(array.data());
  std::vector<ValueId> ids(static_cast<std::size_t>(array.size()));
  std::transform(bytes, bytes + array.size(), ids.begin(),
                 [](std::uint8_t byte) { return byte != 0 ? kTrue : kFalse; });
  return ids;
}

std::vector<ValueId> intern_objects(const py::sequence& objects, ValueTable& values) {
  const py::object items = py::reinterpret_steal<py::object>(PySequence_Fast(objects.ptr(), "a column is a sequence"));
  if (!items) throw py::error_already_set();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
  std::vector<ValueId> ids;
  ids.reserve(static_cast<std::size_t>(size));
  for (Py_ssize_t row = 0; row < size; ++row) {
    ids.push_back(from_python(PySequence_Fast_GET_ITEM(items.ptr(), row), values));
  }
  return ids;
}

void add_array(HistoryTable& table, const std::string& name, const py::array& given) {
  if (given.ndim() != 1) throw py::value_error("column \"" + name + "\" has not one dimension");
  // One piece of memory in the machine's byte order, which most are.
  const py::array array = py::module_::import("numpy").attr("ascontiguousarray")(
      given, py::arg("dtype") = given.dtype().attr("newbyteorder")("="));
  switch (array.dtype().kind()) {
    case 'i':
    case 'u':
    case 'f':
      if (item_size(array) > 8) break;
      return add_numbers(table, name, array);
    case 'b':
      return table.set(name, intern_booleans(array));
    case 'U':
      return table.set(name, intern_texts(array, table.values()));
    case 'O':
      return table.set(name, intern_objects(array.attr("tolist")(), table.values()));
    default:
      break;
  }
  throw py::type_error("column \"" + name + "\": arrays of " + std::string(py::str(array.dtype())) + " are not read");
}

/// Codes into categories; -1 is none.
void add_categories(HistoryTable& table, const std::string& name, const py::tuple& column) {
  const std::vector<ValueId> categories = intern_objects(column[1], table.values());
  const auto codes = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(column[0]);
  if (!codes) throw py::error_already_set();
  std::vector<ValueId> ids;
  ids.reserve(static_cast<std::size_t>(codes.size()));
  for (py::ssize_t row = 0; row < codes.size(); ++row) {
    const std::int64_t code = codes.data()[row];
    if (code >= static_cast<std::int64_t>(categories.size())) throw py::index_error("there is no such category");
    ids.push_back(code < 0 ? kNull : categories[static_cast<std::size_t>(code)]);
  }
  table.set(name, std::move(ids));
}

void add_column(HistoryTable& table, const std::string& name, const py::object& column) {
  if (const auto chunks = arrow_chunks(column)) return raise_if(chunks->add_column_to(table, name));
  if (py::isinstance<py::array>(column)) return add_array(table, name, py::reinterpret_borrow<py::array>(column));
  if (py::isinstance<py::tuple>(column)) return add_categories(table, name, py::reinterpret_borrow<py::tuple>(column));
  table.set(name, intern_objects(py::reinterpret_borrow<py::sequence>(column), table.values()));
}

std::shared_ptr<SharedHistory> finish(HistoryTable& table) {
  return std::make_shared<SharedHistory>(value_or_raise(table.finish()));
}

std::shared_ptr<SharedHistory> from_columns(const py::dict& columns) {
  HistoryTable table;
  for (const auto& [name, column] : columns) {
    add_column(table, py::cast<std::string>(name), py::reinterpret_borrow<py::object>(column));
  }
  return finish(table);
}

std::shared_ptr<SharedHistory> from_arrow(const py::object& object) {
  const auto chunks = arrow_chunks(object);
  if (!chunks) throw py::type_error("neither __arrow_c_stream__ nor __arrow_c_array__");
  HistoryTable table;
  raise_if(chunks->add_table_to(table));
  return finish(table);
}

}  // namespace

void register_columns(py::module_& module) {
  module.def("from_columns", &from_columns, py::arg("columns"));
  module.def("from_arrow", &from_arrow, py::arg("table"));
}

}  // namespace porpentine::python
