// Histories and causal traces: reading, writing, and what they hold.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <porpentine/history/arrow.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/statistics.h>
#include <porpentine/history/writer.h>
#include <porpentine/visualize/html.h>

#include "bindings.h"
#include "compressor.h"
#include "interruptible.h"
#include "output.h"
#include "report.h"
#include "values.h"
#include "whole_file.h"

namespace porpentine::python {
namespace {

using Whole = cli::Whole;
using History_ = std::shared_ptr<SharedHistory>;
using Trace_ = std::shared_ptr<CausalTrace>;

/// A column as a read-only array that keeps the history alive.
template <typename T>
py::array view(const std::shared_ptr<History>& history, const T* data, std::size_t size) {
  const py::capsule owner(new std::shared_ptr<History>(history),
                          [](void* held) { delete static_cast<std::shared_ptr<History>*>(held); });
  py::array_t<T> array({static_cast<py::ssize_t>(size)}, {static_cast<py::ssize_t>(sizeof(T))}, data, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

template <auto column>
py::array view_of(const SharedHistory& self) {
  const auto& items = (*self.history).*column;
  return view(self.history, std::as_const(items).data(), items.size());
}

py::array view_of_outcomes(const SharedHistory& self) {
  static_assert(sizeof(Outcome) == 1);
  // NOLINTNEXTLINE: an enumeration of bytes
  return view(self.history, reinterpret_cast<const std::uint8_t*>(self.history->outcome.data()), self.history->size());
}

template <typename Read>
Result<Whole> widened(Result<Read> read) {
  if (!read) return std::move(read).error();
  return Whole(std::move(*read));
}

py::object wrap(Whole whole) {
  if (auto* const history = std::get_if<History>(&whole)) {
    return py::cast(std::make_shared<SharedHistory>(std::move(*history)));
  }
  return py::cast(std::make_shared<CausalTrace>(std::move(std::get<CausalTrace>(whole))));
}

/// Reads a file, or text where there is some. What is asked for in a format of its own is no trace.
py::object read(const std::string& name, const std::optional<py::bytes>& text, const std::string& format,
                bool independent, std::uint64_t memory_limit, py::object progress) {
  Interruptible interruptible(std::move(progress));
  ReadOptions options;
  options.format = value_or_raise(parse_format(format));
  options.independent = independent;
  options.memory_limit = memory_limit;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    interruptible.report(done, total);
    return !interruptible.cancelled();
  };
  const std::string_view content = text ? std::string_view(*text) : std::string_view();
  const bool may_be_trace = options.format == Format::automatic || options.format == Format::jsonl;
  auto whole = interruptible.run([&]() -> Result<Whole> {
    if (!may_be_trace) {
      return widened(text ? read_history_text(content, options, name) : read_history(name, options));
    }
    auto reader = text ? CausalTraceReader::open_text(content, options, name) : CausalTraceReader::open(name, options);
    if (!reader) return std::move(reader).error();
    const Result<bool> is_trace = (*reader)->is_trace();
    if (!is_trace) return is_trace.error();
    return *is_trace ? widened(read_causal_trace(**reader, name)) : widened((*reader)->read_history());
  });
  return wrap(value_or_raise(std::move(whole)));
}

/// The fields of an operation, as Operation takes them.
py::tuple operation(const SharedHistory& self, std::size_t index) {
  const History& history = *self.history;
  const auto value = [&](ValueId id) { return to_python(history.values, id); };
  const bool returned = !is_indeterminate(history.outcome[index]);
  const auto metadata =
      std::lower_bound(history.metadata.begin(), history.metadata.end(), index,
                       [](const auto& entry, std::size_t operation) { return entry.first < operation; });
  const bool has_metadata = metadata != history.metadata.end() && metadata->first == index;
  const History& columns = history;
  return py::make_tuple(index, value(history.processes[history.process[index]]), history.function_name(index),
                        value(history.key[index]), value(history.input[index]), value(history.output[index]),
                        columns.call[index], returned ? py::object(py::int_(columns.ret[index])) : py::none(),
                        to_string(history.outcome[index]), history.line[index],
                        has_metadata ? value(metadata->second) : py::dict());
}

py::list annotations(const SharedHistory& self) {
  const History& history = *self.history;
  py::list all;
  for (const Annotation& annotation : history.annotations) {
    const auto value = [&](ValueId id) { return to_python(history.values, id); };
    py::dict fields;
    fields["time"] = annotation.time;
    fields["process"] = value(annotation.process);
    fields["f"] = value(annotation.f);
    fields["value"] = value(annotation.value);
    fields["metadata"] = value(annotation.metadata);
    fields["line"] = annotation.line;
    all.append(std::move(fields));
  }
  return all;
}

HistoryStatistics counted(const History& history) {
  const py::gil_scoped_release released;
  return statistics(history);
}

/// What `porpentine stats --json` says, but for the file's name.
std::string statistics_json(const SharedHistory& self) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  cli::write_statistics(json, counted(*self.history), self.history->time_unit);
  json.end_object();
  return text;
}

template <typename Recorded>
void write_file(const Recorded& recorded, const std::string& path, void (*write)(const Recorded&, std::ostream&)) {
  cli::write_whole(path, [&](std::ostream& out) {
    cli::write_as_named(path, out, [&](std::ostream& text) { write(recorded, text); });
  });
}

py::capsule arrow_stream(const SharedHistory& self) {
  auto stream = std::make_unique<ArrowArrayStream>();
  write_arrow(self.history, *stream);
  return py::capsule(stream.release(), "arrow_array_stream", [](PyObject* capsule) {
    auto* const held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (held->release != nullptr) held->release(held);
    delete held;  // NOLINT: as the protocol asks
  });
}

template <typename T>
py::array copy(const std::vector<T>& items) {
  return py::array_t<T>({static_cast<py::ssize_t>(items.size())}, {static_cast<py::ssize_t>(sizeof(T))}, items.data());
}

template <typename T>
std::vector<T> items_of(py::handle array) {
  const auto items = py::cast<py::array_t<T, py::array::c_style | py::array::forcecast>>(array);
  return {items.data(), items.data() + items.size()};
}

/// All that a history holds, as pickle takes it: columns, and what the ids in them stand for.
py::tuple state_of(const SharedHistory& self) {
  const History& history = *self.history;
  py::list values(history.values.size());
  for (std::size_t id = 0; id < values.size(); ++id) {
    values[id] = to_python(history.values, static_cast<ValueId>(id));
  }
  py::list noted;
  for (const Annotation& note : history.annotations) {
    noted.append(py::make_tuple(note.time, note.process, note.f, note.value, note.metadata, note.line));
  }
  return py::make_tuple(values, copy(history.processes), history.functions, view_of<&History::process>(self),
                        view_of<&History::function>(self), view_of<&History::key>(self), view_of<&History::input>(self),
                        view_of<&History::output>(self), view_of<&History::call>(self), view_of<&History::ret>(self),
                        view_of_outcomes(self), view_of<&History::line>(self), copy(history.return_line), noted,
                        history.metadata, history.file, history.model, history.time_unit);
}

std::shared_ptr<SharedHistory> history_of(const py::tuple& state) {
  History history;
  std::size_t field = 0;
  const auto next = [&] { return state[field++]; };
  std::vector<ValueId> ids;  // an id in the state is another one here
  for (const py::handle value : py::cast<py::list>(next())) ids.push_back(from_python(value, history.values));
  const auto ids_of = [&](py::handle array) {
    std::vector<ValueId> items = items_of<ValueId>(array);
    for (ValueId& id : items) id = ids.at(id);
    return items;
  };
  history.processes = ids_of(next());
  history.functions = py::cast<std::vector<std::string>>(next());
  history.process = items_of<std::uint32_t>(next());
  history.function = items_of<std::uint16_t>(next());
  history.key = ids_of(next());
  history.input = ids_of(next());
  history.output = ids_of(next());
  history.call = items_of<std::int64_t>(next());
  history.ret = items_of<std::int64_t>(next());
  for (const std::uint8_t outcome : items_of<std::uint8_t>(next())) {
    history.outcome.push_back(static_cast<Outcome>(outcome));
  }
  history.line = items_of<std::uint64_t>(next());
  history.return_line = items_of<std::uint64_t>(next());
  for (const py::handle fields : py::cast<py::list>(next())) {
    const auto note = py::cast<py::tuple>(fields);
    const auto id = [&](std::size_t place) { return ids.at(py::cast<ValueId>(note[place])); };
    history.annotations.push_back(
        {py::cast<std::int64_t>(note[0]), id(1), id(2), id(3), id(4), py::cast<std::uint64_t>(note[5])});
  }
  history.metadata = py::cast<decltype(history.metadata)>(next());
  for (auto& [operation, fields] : history.metadata) fields = ids.at(fields);
  history.file = py::cast<std::string>(next());
  history.model = py::cast<std::string>(next());
  history.time_unit = py::cast<std::string>(next());
  return std::make_shared<SharedHistory>(std::move(history));
}

}  // namespace

void register_history(py::module_& module) {
  module.def("read", &read, py::arg("name"), py::arg("text"), py::arg("format"), py::arg("independent"),
             py::arg("memory_limit"), py::arg("progress"));

  py::class_<SharedHistory, History_>(module, "History")
      .def("__len__", [](const SharedHistory& self) { return self.history->size(); })
      .def("operation", &operation, py::arg("index"))
      .def(
          "value",
          [](const SharedHistory& self, ValueId id) {
            if (id >= self.history->values.size()) throw py::index_error("there is no such value");
            return to_python(self.history->values, id);
          },
          py::arg("id"))
      .def(
          "describe", [](const SharedHistory& self, std::size_t index) { return self.history->describe(index); },
          py::arg("index"))
      .def(
          "describe_call", [](const SharedHistory& self, std::size_t i) { return self.history->describe_call(i); },
          py::arg("index"))
      .def_property_readonly("process", &view_of<&History::process>)
      .def_property_readonly("function", &view_of<&History::function>)
      .def_property_readonly("key", &view_of<&History::key>)
      .def_property_readonly("input", &view_of<&History::input>)
      .def_property_readonly("output", &view_of<&History::output>)
      .def_property_readonly("call", &view_of<&History::call>)
      .def_property_readonly("ret", &view_of<&History::ret>)
      .def_property_readonly("line", &view_of<&History::line>)
      .def_property_readonly("outcome", &view_of_outcomes)
      .def_property_readonly("processes",
                             [](const SharedHistory& self) {
                               py::list names;
                               for (const ValueId name : self.history->processes)
                                 names.append(to_python(self.history->values, name));
                               return names;
                             })
      .def_property_readonly("functions", [](const SharedHistory& self) { return self.history->functions; })
      .def_property_readonly("annotations", &annotations)
      .def_property_readonly("file", [](const SharedHistory& self) { return self.history->file; })
      .def_property(
          "model", [](const SharedHistory& self) { return self.history->model; },
          [](SharedHistory& self, std::string name) { self.history->model = std::move(name); })
      .def_property_readonly("time_unit", [](const SharedHistory& self) { return self.history->time_unit; })
      .def_property_readonly("nbytes", [](const SharedHistory& self) { return self.history->memory(); })
      .def("statistics_json", &statistics_json)
      .def(
          "write",
          [](SharedHistory& self, const std::string& path) {
            const std::shared_lock reading(self.values);
            write_file<History>(*self.history, path, &write_jsonl);
          },
          py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def(
          "to_html",
          [](SharedHistory& self) {
            const std::shared_lock reading(self.values);
            return page_of(*self.history);
          },
          py::call_guard<py::gil_scoped_release>())
      .def("arrow_stream", &arrow_stream)
      .def(py::pickle(&state_of, &history_of));

  py::class_<CausalTrace, Trace_>(module, "Trace")
      .def("__len__", [](const CausalTrace& self) { return self.events.size(); })
      .def_property_readonly("file", [](const CausalTrace& self) { return self.file; })
      .def_property_readonly("actors", [](const CausalTrace& self) { return self.names.actors; })
      .def_property_readonly("channels", [](const CausalTrace& self) { return self.names.channels; })
      .def(
          "write",
          [](const CausalTrace& self, const std::string& path) {
            write_file<CausalTrace>(self, path, &write_causal_trace);
          },
          py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def("to_html", &page_of<CausalTrace>, py::call_guard<py::gil_scoped_release>());

  py::register_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const cli::OutputError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

}  // namespace porpentine::python
