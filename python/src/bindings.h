// What the bindings have in common. Each register_*.cc binds an area and holds no logic.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <utility>

#include <porpentine/history/history.h>
#include <porpentine/history/result.h>
#include <porpentine/models/specification.h>
#include <porpentine/visualize/html.h>

namespace porpentine::python {

namespace py = pybind11;

/// A history of which several threads may know. Its values are read by checks that run without the interpreter's lock,
/// and added to where a model with options is made.
struct SharedHistory {
  explicit SharedHistory(History read) : history(std::make_shared<History>(std::move(read))) {}

  std::shared_ptr<History> history;
  std::shared_timed_mutex
      values;  ///< held by whoever reads them without the interpreter's lock, alone by whoever adds some
  std::map<std::string, std::shared_ptr<Specification>> models;  ///< that were made for it, by name
};

/// The right to add values to a history: waits for the checks that read them, in such a way that Ctrl-C ends the wait.
/// To be made with the interpreter's lock, which others may have meanwhile.
class ValuesAlone {
 public:
  explicit ValuesAlone(SharedHistory& history);

 private:
  std::unique_lock<std::shared_timed_mutex> lock_;
};

/// Raises porpentine.InputError, or MemoryError where a limit was reached.
[[noreturn]] void raise(const Error& error);

template <typename T>
T value_or_raise(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

/// A page of these, as write_html takes them.
template <typename... Parts>
std::string page_of(const Parts&... parts) {
  std::ostringstream page;
  write_html(page, parts...);
  return std::move(page).str();
}

void register_history(py::module_& module);
void register_columns(py::module_& module);
void register_check(py::module_& module);
void register_models(py::module_& module);
void register_generate(py::module_& module);

}  // namespace porpentine::python
