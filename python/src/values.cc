#include "values.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace porpentine::python {
namespace {

std::string_view utf8(py::handle text) {
  Py_ssize_t length = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(length)};
}

ValueId from_int(py::handle number, ValueTable& values) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return values.integer(small);
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::value_error("an integer that does not fit 64 bits: " + std::string(py::str(number)));
  }
  return values.unsigned_integer(large);
}

ValueId from_float(double number, ValueTable& values) {
  if (std::isnan(number)) return kNull;
  if (!std::isfinite(number)) throw py::value_error("an infinite number is no JSON value");
  return values.real(number);
}

/// A level of nesting; raises RecursionError where there are too many.
class Level {
 public:
  Level() {
    if (Py_EnterRecursiveCall(" in a JSON value") != 0) throw py::error_already_set();
  }
  ~Level() { Py_LeaveRecursiveCall(); }
  Level(const Level&) = delete;  // it is left once
  Level& operator=(const Level&) = delete;
};

ValueId from_items(py::handle sequence, ValueTable& values) {
  const Level level;
  std::vector<ValueId> items;
  for (const py::handle item : sequence) items.push_back(from_python(item, values));
  return values.array(items);
}

ValueId from_dict(py::handle object, ValueTable& values) {
  const Level level;
  std::vector<ValueId> members;
  for (const auto& [name, member] : py::reinterpret_borrow<py::dict>(object)) {
    if (!PyUnicode_Check(name.ptr())) throw py::type_error("the keys of a JSON object are str");
    members.push_back(values.string(utf8(name)));
    members.push_back(from_python(member, values));
  }
  return values.object(members);
}

/// Values of pandas that stand for none, and NumPy's scalars.
std::optional<ValueId> from_foreign(py::handle object, ValueTable& values) {
  const std::string_view type = Py_TYPE(object.ptr())->tp_name;
  for (const std::string_view name : {"NAType", "NaTType"}) {
    if (type.size() >= name.size() && type.substr(type.size() - name.size()) == name) return kNull;
  }
  if (type.rfind("numpy.", 0) != 0) return std::nullopt;
  const py::object item = object.attr("tolist")();
  if (Py_TYPE(item.ptr()) == Py_TYPE(object.ptr())) return std::nullopt;
  return from_python(item, values);
}

}  // namespace

py::object to_python(const ValueTable& values, ValueId value) {
  switch (values.kind(value)) {
    case ValueKind::null:
      return py::none();
    case ValueKind::boolean:
      return py::bool_(value == kTrue);
    case ValueKind::integer:
      return py::int_(*values.as_int64(value));
    case ValueKind::unsigned_integer:
      return py::int_(*values.as_uint64(value));
    case ValueKind::real:
      return py::float_(values.as_double(value));
    case ValueKind::string: {
      const std::string_view text = *values.as_string(value);
      return py::str(text.data(), text.size());
    }
    case ValueKind::array: {
      py::list items;
      for (const ValueId item : values.elements(value)) items.append(to_python(values, item));
      return items;
    }
    case ValueKind::object: {
      py::dict members;
      const auto elements = values.elements(value);
      for (std::size_t i = 0; i < elements.size(); i += 2) {
        members[to_python(values, elements[i])] = to_python(values, elements[i + 1]);
      }
      return members;
    }
  }
  return py::none();
}

ValueId from_python(py::handle object, ValueTable& values) {
  PyObject* const pointer = object.ptr();
  if (pointer == Py_None) return kNull;
  if (PyUnicode_Check(pointer)) return values.string(utf8(object));
  if (PyBool_Check(pointer)) return values.boolean(pointer == Py_True);
  if (PyLong_Check(pointer)) return from_int(object, values);
  if (PyFloat_Check(pointer)) return from_float(PyFloat_AS_DOUBLE(pointer), values);
  if (PyList_Check(pointer) || PyTuple_Check(pointer)) return from_items(object, values);
  if (PyDict_Check(pointer)) return from_dict(object, values);
  if (const auto foreign = from_foreign(object, values)) return *foreign;
  throw py::type_error("no JSON value: " + std::string(py::repr(object)) +
                       " (a value is None, bool, int, float, str, " + "or a list or dict of these)");
}

}  // namespace porpentine::python
