#include <porpentine/models/specification.h>

#include <simdjson.h>

#include "builtin_models.h"
#include "model_options.h"
#include "words.h"

namespace porpentine {

namespace {

struct Builtin {
  ModelInfo info;
  std::unique_ptr<Specification> (*make)(const detail::ModelOptions&, ValueTable&);
  std::optional<Error> (*options_error)(const detail::ModelOptions&, ValueTable&) = nullptr;
};

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> all = {
      {detail::register_info(), detail::make_register},
      {detail::cas_register_info(), detail::make_cas_register},
      {detail::kv_info(), detail::make_kv},
      {detail::multi_register_info(), detail::make_multi_register},
      {detail::log_info(), detail::make_log},
      {detail::queue_info(), detail::make_queue},
      {detail::bag_info(), detail::make_bag},
      {detail::stack_info(), detail::make_stack},
      {detail::priority_queue_info(), detail::make_priority_queue},
      {detail::mutex_info(), detail::make_mutex},
      {detail::set_info(), detail::make_set},
      {detail::counter_info(), detail::make_counter},
      {detail::semaphore_info(), detail::make_semaphore, detail::semaphore_options_error},
      {detail::bank_info(), detail::make_bank, detail::bank_options_error},
      {detail::causal_info(), detail::make_causal},
      {detail::s2_info(), detail::make_s2},
  };
  return all;
}

Error unknown_model(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelInfo& info : models()) names.push_back(info.name);
  return {ErrorCode::usage, "there is no model \"" + std::string(name) + "\"" + detail::did_you_mean(name, names) +
                                " (there are " + detail::list(names) + ")"};
}

}  // namespace

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> infos = [] {
    std::vector<ModelInfo> all;
    for (const Builtin& builtin : builtins()) all.push_back(builtin.info);
    return all;
  }();
  return infos;
}

Result<std::unique_ptr<Specification>> make_specification(std::string_view name, ValueTable& values) {
  if (!simdjson::validate_utf8(name.data(), name.size())) {
    return Error{ErrorCode::usage, "the name of the model is not UTF-8"};
  }
  const std::string_view model = detail::ModelOptions::model_name(name);
  for (const Builtin& builtin : builtins()) {
    if (builtin.info.name != model) continue;
    const Result<detail::ModelOptions> options = detail::ModelOptions::parse(name, builtin.info);
    if (!options) return options.error();
    if (builtin.options_error != nullptr) {
      if (auto error = builtin.options_error(*options, values)) return *std::move(error);
    }
    return builtin.make(*options, values);
  }
  return unknown_model(model);
}

}  // namespace porpentine
