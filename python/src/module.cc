#include <pybind11/pybind11.h>

#include <chrono>

#include <porpentine/history/version.h>

#include "bindings.h"

namespace porpentine::python {

ValuesAlone::ValuesAlone(SharedHistory& history) : lock_(history.values, std::try_to_lock) {
  constexpr std::chrono::milliseconds kPause(25);
  while (!lock_.owns_lock()) {
    {
      const py::gil_scoped_release released;
      static_cast<void>(lock_.try_lock_for(kPause));
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void raise(const Error& error) {
  if (error.code == ErrorCode::limit) {
    PyErr_SetString(PyExc_MemoryError, error.to_string().c_str());
    throw py::error_already_set();
  }
  const py::object type = py::module_::import("porpentine._errors").attr("InputError");
  const py::object file = error.file.empty() ? py::object(py::none()) : py::str(error.file);
  const py::object line = error.line == 0 ? py::object(py::none()) : py::int_(error.line);
  const py::object exception = type(error.message, file, line);
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw py::error_already_set();
}

}  // namespace porpentine::python

PYBIND11_MODULE(_core, module) {
  using namespace porpentine::python;
  module.attr("__version__") = porpentine::kVersion;
  register_history(module);
  register_columns(module);
  register_check(module);
  register_models(module);
  register_generate(module);
}
