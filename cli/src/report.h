// What `check` says about a history.
#pragma once

#include <ostream>
#include <string>

#include <porpentine/history/json_writer.h>
#include <porpentine/history/statistics.h>

#include "judge.h"

namespace porpentine::cli {

/// A line with the verdict, and indented lines that say more; ends with a line break. Not for an input error.
[[nodiscard]] std::string text_report(const Judgement& judgement);

/// One JSON object, without a line break.
void write_json_report(std::ostream& out, const Judgement& judgement);

/// Members of the JSON object of `stats`, behind "file".
void write_statistics(JsonWriter& json, const HistoryStatistics& statistics, const std::string& time_unit);

/// As far as they were counted on the way: of max_concurrency, only whether there was any concurrency.
[[nodiscard]] HistoryStatistics statistics_of(const Following& following);

/// Why a history that is valid proves nothing; empty where it may prove something.
[[nodiscard]] std::string emptiness(const HistoryStatistics& statistics);

}  // namespace porpentine::cli
