// Writing pages to files.
#pragma once

#include <string>

#include "judge.h"
#include "whole_file.h"

namespace porpentine::cli {

/// The page of a history that was judged without an input error. Where it was not kept, for a limit, an error is
/// printed and nothing is written. Throws OutputError.
void write_page(const Judgement& judgement, const std::string& file);

/// The page of a history or trace that was not judged; "-" is standard output. Throws OutputError.
void write_page(const Whole& whole, const std::string& file);

}  // namespace porpentine::cli
