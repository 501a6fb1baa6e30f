// Checking, and what came of it.
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/checker/causal.h>
#include <porpentine/checker/check.h>
#include <porpentine/checker/option_names.h>
#include <porpentine/visualize/html.h>

#include "bindings.h"
#include "explanation.h"
#include "interruptible.h"
#include "judge.h"
#include "memory.h"
#include "python_model.h"
#include "report.h"
#include "values.h"

namespace porpentine::python {
namespace {

/// A history with its verdict, as the command has it.
struct Judged {
  std::shared_ptr<SharedHistory> history;  ///< none: of a trace
  CheckOptions options;
  cli::Judgement judgement;
  bool has_small_cores = false;
  bool has_orders = false;
};

using SharedJudged = std::shared_ptr<Judged>;

template <typename T>
T named_option(const Result<T>& option) {
  if (!option) throw py::value_error(option.error().message);
  return *option;
}

CheckOptions make_options(std::optional<double> time_limit, std::optional<std::uint64_t> memory_limit,
                          std::optional<std::uint64_t> step_limit, unsigned jobs, const std::string& engine,
                          const std::string& order, bool verify, bool test_promises) {
  static const std::uint64_t default_memory = cli::default_memory_limit();
  constexpr double kLongest = 9e9;  // seconds, so that nanoseconds fit
  CheckOptions options;
  if (time_limit) {
    if (!(*time_limit >= 0)) throw py::value_error("a negative time limit");
    options.time_limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(std::min(*time_limit, kLongest)));
  }
  options.memory_limit = memory_limit.value_or(default_memory);
  options.step_limit = step_limit;
  options.jobs = jobs;
  options.engine = named_option(parse_engine(engine));
  options.order = named_option(parse_order(order));
  options.verify = verify;
  options.test_promises = test_promises;
  return options;
}

std::shared_ptr<Specification> named_specification(const std::string& name, SharedHistory& history) {
  if (const auto known = history.models.find(name); known != history.models.end()) return known->second;
  const ValuesAlone alone(history);
  return history.models[name] = value_or_raise(make_specification(name, history.history->values));
}

/// Runs a check's work with its history to itself and others that read, under these options.
template <typename Work>
auto run(Judged& judged, py::object progress, const Work& work) {
  Interruptible interruptible(std::move(progress));
  CheckOptions options = judged.options;
  options.cancel = &interruptible.cancelled();
  if (interruptible.wants_progress()) {
    options.progress = [&](const Progress& state) { interruptible.report(state.operations_done, state.operations); };
  }
  return interruptible.run([&] {
    const std::shared_lock reading(judged.history->values);
    return work(options);
  });
}

CheckResult check_again(Judged& judged, const py::object& progress, Cores cores) {
  return run(judged, progress, [&](CheckOptions options) {
    options.cores = cores;
    return check(*judged.judgement.specification, *judged.history->history, options);
  });
}

SharedJudged check_history(std::shared_ptr<SharedHistory> history, const py::object& model, const CheckOptions& options,
                           const py::object& progress) {
  auto judged = std::make_shared<Judged>();
  judged->history = std::move(history);
  judged->options = options;
  cli::Judgement& judgement = judged->judgement;
  judgement.history = judged->history->history;
  judgement.file = judgement.history->file.empty() ? "<memory>" : judgement.history->file;
  if (py::isinstance<py::str>(model)) {
    judgement.specification = named_specification(py::cast<std::string>(model), *judged->history);
    if (const auto error = run(*judged, py::none(), [&](const CheckOptions&) {
          return judgement.specification->validate(*judgement.history);
        })) {
      raise(*error);
    }
  } else {
    judgement.specification = make_python_specification(model, *judged->history);
    judged->options.jobs = 1;  // one thread at a time can ask it
  }
  judgement.model = judgement.specification->name();
  judgement.result = check_again(*judged, progress, Cores::quick);
  judgement.verified = options.verify && judgement.result.valid();
  return judged;
}

SharedJudged check_trace(const std::shared_ptr<CausalTrace>& trace, const CheckOptions& options, py::object progress) {
  auto judged = std::make_shared<Judged>();
  judged->options = options;
  Interruptible interruptible(std::move(progress));
  CheckOptions checking = options;
  checking.cancel = &interruptible.cancelled();
  cli::CausalJudgement causal;
  causal.result = interruptible.run([&] { return judge_causal_trace(*trace, checking); });
  causal.names = trace->names;
  causal.trace = *trace;
  cli::Judgement& judgement = judged->judgement;
  judgement.file = trace->file.empty() ? "<memory>" : trace->file;
  judgement.take(std::move(causal));
  return judged;
}

/// Looks for the smallest cores, once.
void find_small_cores(Judged& judged, const py::object& progress) {
  if (judged.has_small_cores || judged.judgement.causal || judged.judgement.result.verdict != Verdict::invalid) return;
  CheckResult result = check_again(judged, progress, Cores::small);
  if (result.verdict == Verdict::invalid) judged.judgement.result = std::move(result);
  judged.has_small_cores = true;
}

/// Looks for orders of what is valid, once.
void find_orders_of(Judged& judged, const py::object& progress) {
  if (judged.has_orders || judged.judgement.causal) return;
  judged.judgement.result = run(judged, progress, [&](CheckOptions options) {
    CheckResult result = judged.judgement.result;
    options.step_limit = cli::steps_for_orders(options.step_limit, judged.history->history->size());
    find_orders(*judged.judgement.specification, *judged.history->history, result, options);
    return result;
  });
  judged.has_orders = true;
}

std::string json(const Judged& judged) {
  std::ostringstream text;
  cli::write_json_report(text, judged.judgement);
  return std::move(text).str();
}

std::string explain(Judged& judged, const py::object& progress) {
  find_small_cores(judged, progress);
  std::ostringstream text;
  cli::print_explanation(text, judged.judgement);
  return std::move(text).str();
}

std::string to_html(Judged& judged, const py::object& progress) {
  const cli::Judgement& judgement = judged.judgement;
  if (judgement.causal) return page_of(*judgement.causal->trace, judgement.causal->result);
  find_small_cores(judged, progress);
  find_orders_of(judged, progress);
  return run(judged, py::none(), [&](const CheckOptions&) {
    return page_of(*judgement.history, *judgement.specification, judgement.result);
  });
}

py::dict failure_fields(const History& history, const Failure& failure) {
  py::list stuck;
  for (const StuckConfiguration& configuration : failure.stuck) {
    py::list refused;
    for (const RefusedStep& step : configuration.refused) refused.append(py::make_tuple(step.operation, step.reason));
    stuck.append(py::make_tuple(configuration.state, configuration.added, refused));
  }
  py::dict fields;
  fields["key"] = to_python(history.values, failure.key);
  fields["operation"] = failure.operation;
  fields["message"] = failure.message;
  fields["longest_prefix"] = failure.longest_prefix;
  fields["core"] = failure.core;
  fields["core_is_minimal"] = failure.core_minimal;
  fields["order"] = failure.order;
  fields["stuck"] = stuck;
  return fields;
}

py::dict violation_fields(const CausalViolation& violation, const CausalNames& names) {
  py::dict fields;
  fields["key"] = violation.channel == kNoIndex ? py::object(py::none()) : py::str(names.channels[violation.channel]);
  fields["operation"] = py::none();
  fields["message"] = describe(violation, names);
  return fields;
}

py::list failures(const Judged& judged) {
  py::list all;
  if (judged.judgement.causal) {
    const cli::CausalJudgement& causal = *judged.judgement.causal;
    for (const CausalViolation& violation : causal.result.violations) {
      all.append(violation_fields(violation, causal.names));
    }
  }
  for (const Failure& failure : judged.judgement.result.failures) {
    all.append(failure_fields(*judged.judgement.history, failure));
  }
  return all;
}

/// (key, verdict, order) of each partition; the order is None where none was found.
py::list partitions(const Judged& judged) {
  py::list all;
  for (const PartitionResult& partition : judged.judgement.result.partitions) {
    const bool has_order = !partition.linearization.empty() || partition.operations == partition.indeterminate;
    all.append(py::make_tuple(
        to_python(judged.history->history->values, partition.key), to_string(partition.verdict),
        partition.verdict == Verdict::valid && has_order ? py::cast(partition.linearization) : py::object(py::none())));
  }
  return all;
}

}  // namespace

void register_check(py::module_& module) {
  py::class_<CheckOptions>(module, "CheckOptions")
      .def(py::init(&make_options), py::kw_only(), py::arg("time_limit"), py::arg("memory_limit"),
           py::arg("step_limit"), py::arg("jobs"), py::arg("engine"), py::arg("order"), py::arg("verify"),
           py::arg("test_promises"));

  module.def("check_history", &check_history, py::arg("history"), py::arg("model"), py::arg("options"),
             py::arg("progress"));
  module.def("check_trace", &check_trace, py::arg("trace"), py::arg("options"), py::arg("progress"));

  py::class_<Judged, SharedJudged>(module, "Judgement")
      .def_property_readonly("verdict", [](const Judged& self) { return to_string(self.judgement.result.verdict); })
      .def_property_readonly("reason", [](const Judged& self) { return to_string(self.judgement.result.limit); })
      .def_property_readonly("model", [](const Judged& self) { return self.judgement.model; })
      .def_property_readonly("elapsed_s", [](const Judged& self) { return self.judgement.result.elapsed_s; })
      .def_property_readonly("failures", &failures)
      .def_property_readonly("partitions", &partitions)
      .def("report", [](const Judged& self) { return cli::text_report(self.judgement); })
      .def("json", &json)
      .def("find_orders", &find_orders_of, py::arg("progress"))
      .def("explain", &explain, py::arg("progress"))
      .def("to_html", &to_html, py::arg("progress"));
}

}  // namespace porpentine::python
