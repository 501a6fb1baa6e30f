// What `explain` says about a history.
#pragma once

#include <ostream>

#include "judge.h"

namespace porpentine::cli {

/// Of what is invalid, each violation with its core; else the report of `check`. Not for an input error.
void print_explanation(std::ostream& out, const Judgement& judgement);

}  // namespace porpentine::cli
