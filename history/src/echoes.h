// Functions whose output can say nothing more than that they succeeded.
#pragma once

#include <string_view>

namespace porpentine {

/// Whether an `ok` event that repeats the input of `function` says only that it succeeded, in every format.
bool repeats_input(std::string_view function);
/// The same for the formats that Jepsen and its kin write, which repeat the input of whatever is no read.
bool repeats_input_in_jepsen(std::string_view function);

}  // namespace porpentine
