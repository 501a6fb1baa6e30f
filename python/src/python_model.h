// Models that are objects of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include <porpentine/models/specification.h>

#include "bindings.h"

namespace porpentine::python {

/// A specification over the object's `initial` and `step`, for this history. Asks it for the operations' partition
/// keys, where it has a say in them. To be called with the interpreter's lock; `history.values` is taken alone if need
/// be.
std::shared_ptr<Specification> make_python_specification(py::object model, SharedHistory& history);

}  // namespace porpentine::python
