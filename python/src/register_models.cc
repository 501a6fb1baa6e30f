// The built-in models, as the library describes them.
#include "bindings.h"

namespace porpentine::python {
namespace {

py::dict describe(const ModelInfo& info) {
  py::list options;
  for (const ModelOption& option : info.options) {
    options.append(py::make_tuple(option.name, option.value, option.description));
  }
  py::dict fields;
  fields["name"] = info.name;
  fields["summary"] = info.summary;
  fields["vocabulary"] = info.vocabulary;
  fields["options"] = options;
  fields["example"] = info.example;
  return fields;
}

}  // namespace

void register_models(py::module_& module) {
  module.def("models", [] {
    py::list all;
    for (const ModelInfo& info : models()) all.append(describe(info));
    return all;
  });
}

}  // namespace porpentine::python
