// JSON values as Python's, and back.
#pragma once

#include <pybind11/pybind11.h>

#include <porpentine/history/value.h>

namespace porpentine::python {

namespace py = pybind11;

/// None, bool, int, float, str, list or dict.
py::object to_python(const ValueTable& values, ValueId value);

/// Of these, tuples and NumPy's scalars too; NaN and the missing values of pandas are null. Raises TypeError for what
/// is no JSON value, ValueError for numbers out of range.
ValueId from_python(py::handle object, ValueTable& values);

}  // namespace porpentine::python
