// The built-in models: what specification.cc lists and makes.
#pragma once

#include <memory>
#include <optional>

#include <porpentine/history/result.h>
#include <porpentine/history/value.h>
#include <porpentine/models/specification.h>

#include "model_options.h"

namespace porpentine::detail {

ModelInfo register_info();
ModelInfo cas_register_info();
ModelInfo kv_info();
ModelInfo multi_register_info();
ModelInfo log_info();
ModelInfo queue_info();
ModelInfo bag_info();
ModelInfo stack_info();
ModelInfo priority_queue_info();
ModelInfo mutex_info();
ModelInfo set_info();
ModelInfo counter_info();
ModelInfo semaphore_info();
ModelInfo bank_info();
ModelInfo causal_info();
ModelInfo s2_info();

std::unique_ptr<Specification> make_register(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_cas_register(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_kv(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_multi_register(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_log(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_queue(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_bag(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_stack(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_priority_queue(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_mutex(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_set(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_counter(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_semaphore(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_bank(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_causal(const ModelOptions& options, ValueTable& values);
std::unique_ptr<Specification> make_s2(const ModelOptions& options, ValueTable& values);

/// What is wrong with the values of a model's options, if anything. Without an error the model can be made.
std::optional<Error> semaphore_options_error(const ModelOptions& options, ValueTable& values);
std::optional<Error> bank_options_error(const ModelOptions& options, ValueTable& values);

}  // namespace porpentine::detail
