// Histories as text, so that tests can compare them whole: ids of different tables say nothing.
#pragma once

#include <porpentine/history/reader.h>

#include <string>
#include <string_view>

/// One line an operation and one an annotation, without line numbers.
std::string listing(const porpentine::History& history);

/// The same for a text; "error CODE LINE: MESSAGE" where it can't be read.
std::string listing(std::string_view text, const porpentine::ReadOptions& options = {});

/// The history in a file of tests/data, or the error as above.
std::string listing_of_file(const std::string& file, const porpentine::ReadOptions& options = {});

/// The path of a file of tests/data.
std::string data_file(const std::string& file);
