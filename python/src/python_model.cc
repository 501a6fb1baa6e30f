#include "python_model.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <porpentine/models/foreign_model.h>

#include "values.h"

namespace porpentine::python {
namespace {

/// The interpreter's lock, in a thread that never runs Python's own code. The thread keeps one state of the interpreter
/// for all its calls: making one takes longer than most calls do.
class Locked {
 public:
  Locked() = default;

 private:
  struct State {
    py::gil_scoped_acquire acquired;
    py::gil_scoped_release released;
  };
  static const State& state_of_thread() {
    thread_local const State state;
    return state;
  }

  const State& state_ = state_of_thread();
  py::gil_scoped_acquire lock_;
};

/// Operations as a model sees them: porpentine.ModelOperation, each made once.
class Operations {
 public:
  Operations(const History& history, bool tells_processes)
      : history_(history),
        tells_processes_(tells_processes),
        type_(py::module_::import("porpentine._operation").attr("ModelOperation")) {}

  [[nodiscard]] const History& history() const { return history_; }

  const py::object& operation(const BoundOperation& bound) {
    py::object& known = made_[std::uint64_t{bound.operation} << 1U | (bound.indeterminate ? 1U : 0U)];
    if (!known) known = make(bound);
    return known;
  }

 private:
  /// Without a call of the class, which would take longer than most steps.
  [[nodiscard]] py::object make(const BoundOperation& bound) const {
    const std::uint32_t i = bound.operation;
    auto* const type = reinterpret_cast<PyTypeObject*>(type_.ptr());  // NOLINT: as Python's interface has it
    py::object made = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
    if (!made) throw py::error_already_set();
    const auto set = [&](const py::str& name, const py::object& value) {
      if (PyObject_SetAttr(made.ptr(), name.ptr(), value.ptr()) != 0) throw py::error_already_set();
    };
    const auto value = [&](ValueId id) { return to_python(history_.values, id); };
    set(f_, functions_[history_.function[i]]);
    set(key_, value(history_.key[i]));
    set(input_, value(history_.input[i]));
    set(output_, bound.indeterminate ? py::none() : value(history_.output[i]));
    set(indeterminate_, py::bool_(bound.indeterminate));
    if (tells_processes_) set(process_, value(history_.processes[history_.process[i]]));
    return made;
  }

  static py::str interned(const char* name) { return py::reinterpret_steal<py::str>(PyUnicode_InternFromString(name)); }
  static std::vector<py::str> interned(const std::vector<std::string>& names) {
    std::vector<py::str> all;
    for (const std::string& name : names) all.push_back(interned(name.c_str()));
    return all;
  }

  const History& history_;
  bool tells_processes_;
  py::object type_;
  std::vector<py::str> functions_ = interned(history_.functions);
  py::str f_ = interned("f");
  py::str key_ = interned("key");
  py::str input_ = interned("input");
  py::str output_ = interned("output");
  py::str indeterminate_ = interned("indeterminate");
  py::str process_ = interned("process");
  std::unordered_map<std::uint64_t, py::object> made_;
};

/// Calls the model, and says in what it raises which operation it was about.
template <typename Call>
py::object about(const Operations& operations, const BoundOperation& bound, const py::object& operation,
                 const Call& call) {
  try {
    return call();
  } catch (const py::error_already_set& error) {
    const py::object exception = error.value();
    const std::string note = "in the model, about " + operations.history().describe(bound.operation);
    if (PyObject_SetAttrString(exception.ptr(), "operation", operation.ptr()) != 0) PyErr_Clear();
    if (py::hasattr(exception, "add_note")) exception.attr("add_note")(note);
    throw;
  }
}

class PythonModel final : public ForeignModel {
 public:
  PythonModel(py::object model, const History& history)
      : model_(std::move(model)),
        tells_processes_(py::bool_(py::getattr(model_, "tells_processes", py::bool_(false)))),
        operations_(history, tells_processes_),
        step_(model_.attr("step")),
        read_only_(py::getattr(model_, "read_only", py::none())),
        describe_(py::getattr(model_, "describe", py::none())),
        refusal_(py::module_::import("porpentine._model").attr("Refusal")),
        any_of_(py::module_::import("porpentine._model").attr("AnyOf")),
        name_(py::str(py::getattr(model_, "name", py::type::of(model_).attr("__name__")))) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] StateId initial() override {
    const Locked locked;
    const py::object initial = model_.attr("initial");
    return intern(PyCallable_Check(initial.ptr()) != 0 ? initial() : initial);
  }
  [[nodiscard]] Answer step(StateId state, const BoundOperation& bound) override {
    const Locked locked;
    const py::object& operation = operations_.operation(bound);
    Answer answer;
    about(operations_, bound, operation, [&] {
      PyObject* const arguments[] = {states_[state].ptr(), operation.ptr()};
      const auto next = py::reinterpret_steal<py::object>(
          PyObject_Vectorcall(step_.ptr(), static_cast<PyObject* const*>(arguments), 2, nullptr));
      if (!next) throw py::error_already_set();
      if (py::type::handle_of(next).is(refusal_)) {
        answer.reason = py::str(next.attr("reason"));
      } else if (py::type::handle_of(next).is(any_of_)) {
        for (const py::handle one : next.attr("states")) answer.next.push_back(intern(one));
      } else {
        answer.next.push_back(intern(next));
      }
      return next;
    });
    return answer;
  }
  [[nodiscard]] std::string describe(StateId state) override {
    const Locked locked;
    return py::str(describe_.is_none() ? py::object(py::repr(states_[state])) : describe_(states_[state]));
  }
  [[nodiscard]] bool read_only(const BoundOperation& bound) override {
    const Locked locked;
    if (read_only_.is_none()) return false;
    const py::object& operation = operations_.operation(bound);
    return py::bool_(about(operations_, bound, operation, [&] { return read_only_(operation); }));
  }
  [[nodiscard]] bool tells_processes() const override { return tells_processes_; }

  /// Whether the model has a say in what can be judged apart.
  [[nodiscard]] bool splits() const { return py::hasattr(model_, "partition_key"); }
  /// One for each operation.
  [[nodiscard]] std::vector<ValueId> partition_keys(ValueTable& values) {
    std::vector<ValueId> keys;
    const py::object partition_key = model_.attr("partition_key");
    const History& history = operations_.history();
    for (std::uint32_t i = 0; i < history.size(); ++i) {
      const BoundOperation bound = {i, is_indeterminate(history.outcome[i])};
      const py::object& operation = operations_.operation(bound);
      about(operations_, bound, operation, [&] {
        const py::object key = partition_key(operation);
        keys.push_back(from_python(key, values));
        return key;
      });
    }
    return keys;
  }

 private:
  StateId intern(py::handle state) {
    const py::object next_id = py::int_(states_.size());
    PyObject* const id = PyDict_SetDefault(ids_.ptr(), state.ptr(), next_id.ptr());
    if (id == nullptr) throw py::error_already_set();
    if (id == next_id.ptr()) states_.push_back(py::reinterpret_borrow<py::object>(state));
    return static_cast<StateId>(PyLong_AsUnsignedLong(id));
  }

  py::object model_;
  bool tells_processes_;
  Operations operations_;
  py::object step_;
  py::object read_only_;
  py::object describe_;
  py::object refusal_;
  py::object any_of_;
  std::string name_;
  py::dict ids_;  // by state
  std::vector<py::object> states_;
};

}  // namespace

std::shared_ptr<Specification> make_python_specification(py::object model, SharedHistory& history) {
  if (!py::hasattr(model, "initial") || !py::hasattr(model, "step")) {
    throw py::type_error("a model is the name of one, or has `initial` and `step`: " + std::string(py::repr(model)));
  }
  auto python_model = std::make_shared<PythonModel>(std::move(model), *history.history);
  std::vector<ValueId> keys;
  if (python_model->splits()) {
    const ValuesAlone alone(history);
    keys = python_model->partition_keys(history.history->values);
  }
  return make_foreign_specification(std::move(python_model), *history.history, std::move(keys));
}

}  // namespace porpentine::python
