#include <porpentine/history/reader.h>
#include <porpentine/history/statistics.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "history_listing.h"
#include "support/catch.h"

using porpentine::HistoryStatistics;
using porpentine::Outcome;

TEST_CASE("statistics count outcomes, processes, keys, annotations and functions") {
  const HistoryStatistics s = statistics(porpentine::read_history(data_file("good/operations.jsonl")).value());
  CHECK(s.operations == 7);
  CHECK(s.ok == 4);
  CHECK(s.fail == 1);
  CHECK(s.info == 2);
  CHECK(s.processes == 4);
  CHECK(s.keys == 2);
  CHECK(s.annotations == 1);
  CHECK(s.first_call == std::numeric_limits<std::int64_t>::min());
  CHECK(s.last_event == std::numeric_limits<std::int64_t>::max());
  REQUIRE(s.functions.size() == 4);
  CHECK(s.functions[0].name == "append");
  CHECK(s.functions[0].ok == 1);
  CHECK(s.functions[0].fail == 1);
  CHECK(s.functions[0].info == 2);
}

TEST_CASE("an empty history has nothing to count") {
  const HistoryStatistics s = statistics(porpentine::read_history_text("").value());
  CHECK(s.operations == 0);
  CHECK(s.max_concurrency == 0);
  CHECK(s.overlapping_pairs == 0);
  CHECK(s.first_call == 0);
}

TEST_CASE("operations that touch in one moment overlap") {
  const HistoryStatistics s = statistics(porpentine::read_history_text(
                                             R"({"process": 0, "f": "w", "call": 1, "return": 2}
{"process": 1, "f": "w", "call": 2, "return": 3}
{"process": 2, "f": "w", "call": 3, "return": 3})")
                                             .value());
  CHECK(s.max_concurrency == 2);
  CHECK(s.overlapping_pairs == 2);
}

TEST_CASE("concurrency and overlapping pairs are what counting one by one gives") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      const auto call = random() % 20;
      text += R"({"process": )" + std::to_string(i) + R"(, "f": "w", "call": )" + std::to_string(call) +
              R"(, "return": )" + std::to_string(call + random() % 6) +
              (random() % 8 == 0 ? R"(, "type": "fail")" : "") + "}\n";
    }
    const auto history = porpentine::read_history_text(text).value();
    std::uint64_t pairs = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
      std::uint64_t running = 0;
      for (std::size_t j = 0; j < history.size(); ++j) {
        if (history.outcome[i] != Outcome::ok || history.outcome[j] != Outcome::ok) continue;
        if (i < j && history.call[i] <= history.ret[j] && history.call[j] <= history.ret[i]) ++pairs;
        if (history.call[j] <= history.call[i] && history.call[i] <= history.ret[j]) ++running;
      }
      most = std::max(most, running);
    }
    const HistoryStatistics s = statistics(history);
    REQUIRE(s.overlapping_pairs == pairs);
    REQUIRE(s.max_concurrency == most);
  }
}

TEST_CASE("operations of one process never overlap, also where they touch") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    std::int64_t now[3] = {};
    for (int i = 0; i < 12; ++i) {
      const auto process = random() % 3;
      const std::int64_t call = now[process] + std::int64_t(random() % 2);
      now[process] = call + std::int64_t(random() % 3);
      text += R"({"process": )" + std::to_string(process) + R"(, "f": "w", "call": )" + std::to_string(call) +
              R"(, "return": )" + std::to_string(now[process]) + "}\n";
    }
    const auto history = porpentine::read_history_text(text).value();
    std::uint64_t pairs = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
      std::uint64_t running = 0;
      for (std::uint32_t process = 0; process < history.processes.size(); ++process) {
        bool runs = false;
        for (std::size_t j = 0; j < history.size(); ++j) {
          if (history.process[j] != process) continue;
          runs |= history.call[j] <= history.call[i] && history.call[i] <= history.ret[j];
          const bool overlap = history.call[i] <= history.ret[j] && history.call[j] <= history.ret[i];
          pairs += i < j && history.process[i] != process && overlap ? 1 : 0;
        }
        running += runs ? 1 : 0;
      }
      most = std::max(most, running);
    }
    const HistoryStatistics s = statistics(history);
    REQUIRE(s.overlapping_pairs == pairs);
    REQUIRE(s.max_concurrency == most);
  }
}
