// Histories of simulated clients.
#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>
#include <string>

#include <porpentine/history/reader.h>
#include <porpentine/simulate/workload.h>

#include "bindings.h"
#include "interruptible.h"

namespace porpentine::python {
namespace {

using simulate::WorkloadOperation;
using simulate::WorkloadOptions;

/// Thrown out of a generator that is no longer wanted.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

std::string generate_text(const WorkloadOptions& options, Interruptible& interruptible) {
  std::string text = simulate::header_line(options.object);
  std::uint64_t done = 0;
  const bool is_wrong = simulate::generate(options, [&](const WorkloadOperation& operation) {
    if (interruptible.cancelled()) throw Cancelled();
    simulate::append_json_line(operation, text);
    interruptible.report(++done, options.operations);
  });
  if (!is_wrong) throw py::value_error("no operation after fault_at could be made certain to be wrong");
  return text;
}

std::shared_ptr<SharedHistory> generate(const std::string& model, std::uint64_t operations, std::uint32_t clients,
                                        std::uint32_t keys, double read_share, double cas_share, double indeterminate,
                                        std::uint64_t values, bool rounds, const std::string& fault, double fault_at,
                                        std::uint64_t seed, py::object progress) {
  WorkloadOptions options;
  options.object = value_or_raise(simulate::parse_object(model));
  options.fault = value_or_raise(simulate::parse_fault(fault));
  options.operations = operations;
  options.clients = clients;
  options.keys = options.object == simulate::Object::multi_register ? std::max(keys, 2U) : keys;
  options.read_share = read_share;
  options.cas_share = cas_share;
  options.indeterminate = indeterminate;
  options.values = values;
  options.rounds = rounds;
  options.fault_at = fault_at;
  options.seed = seed;
  if (clients == 0 || keys == 0) throw py::value_error("there is at least one client, and one key");
  if (!simulate::is_possible(options.fault, options)) {
    throw py::value_error("the model has no fault \"" + fault + "\", or only with unique values");
  }
  Interruptible interruptible(std::move(progress));
  auto history =
      interruptible.run([&] { return read_history_text(generate_text(options, interruptible), {}, "<generated>"); });
  return std::make_shared<SharedHistory>(value_or_raise(std::move(history)));
}

}  // namespace

void register_generate(py::module_& module) {
  module.def("generate", &generate, py::arg("model"), py::kw_only(), py::arg("operations"), py::arg("clients"),
             py::arg("keys"), py::arg("read_share"), py::arg("cas_share"), py::arg("indeterminate"), py::arg("values"),
             py::arg("rounds"), py::arg("fault"), py::arg("fault_at"), py::arg("seed"), py::arg("progress"));
}

}  // namespace porpentine::python
