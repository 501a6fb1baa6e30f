#include <porpentine/history/reader.h>

#include <fstream>
#include <iterator>
#include <string>

#include "history_listing.h"
#include "support/catch.h"

using porpentine::ErrorCode;
using porpentine::Format;

namespace {

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += R"({"process": 0, "f": "write", "input": )" + number + R"(, "call": )" + number + R"(, "return": )" +
            number + "}\n";
  }
  return text;
}

std::string content(const std::string& file) {
  std::ifstream in(data_file(file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("gzip, also of several members, and zstd are read as they are") {
  const std::string plain = listing_of_file("good/operations.jsonl");
  CHECK(listing_of_file("good/operations.jsonl.gz") == plain);
  CHECK(listing_of_file("good/operations.jsonl.zst") == plain);
  CHECK(listing(content("good/operations.jsonl.gz")) == plain);
  CHECK(listing(content("good/operations.jsonl.zst") + content("good/operations.jsonl.zst")).rfind("error 11", 0) == 0);
}

TEST_CASE("every format is told by its content and reads the same when it is named") {
  const std::pair<const char*, Format> files[] = {
      {"good/operations.jsonl", Format::jsonl}, {"good/events.jsonl", Format::jsonl},
      {"good/register.edn", Format::edn},       {"good/vector.edn", Format::edn},
      {"good/list.edn", Format::edn},           {"good/register.log", Format::jepsen_log},
      {"good/worker.log", Format::jepsen_log},  {"good/history.txt", Format::jepsen_log},
      {"good/kv.txt", Format::kv_log}};
  for (const auto& [file, format] : files) {
    INFO(file);
    CHECK(listing_of_file(file) == listing_of_file(file, {.format = format}));
    CHECK(listing_of_file(file).rfind("error", 0) != 0);
  }
}

TEST_CASE("a log whose first lines are brackets and chatter is still a log") {
  CHECK(listing("[main] starting\n\n[worker] 0 :invoke :read nil\n[worker] 0 :ok :read 3\n") ==
        "unit event\n0 read(null) ok 3 [0, 1]\n");
}

TEST_CASE("progress is told in bytes, and cancels") {
  const std::string text = many_lines(20000);
  std::uint64_t last = 0;
  const auto history = porpentine::read_history_text(text, {.progress = [&](std::uint64_t done, std::uint64_t total) {
                                                       CHECK(done >= last);
                                                       CHECK(total == text.size());
                                                       last = done;
                                                       return true;
                                                     }});
  CHECK(history.has_value());
  CHECK(last == text.size());
  const auto cancelled =
      porpentine::read_history_text(text, {.progress = [](std::uint64_t, std::uint64_t) { return false; }});
  REQUIRE_FALSE(cancelled.has_value());
  CHECK(cancelled.error().code == ErrorCode::limit);
  CHECK(cancelled.error().message == "cancelled");
}

TEST_CASE("a memory limit ends the reading with an error of its own") {
  const std::string text = many_lines(100000);
  const auto limited = porpentine::read_history_text(text, {.memory_limit = 2000000});
  REQUIRE_FALSE(limited.has_value());
  CHECK(limited.error().code == ErrorCode::limit);
  CHECK(limited.error().message == "memory limit reached");
  CHECK(porpentine::read_history_text(text, {.memory_limit = 100000000}).has_value());
}

TEST_CASE("a history takes about its 41 bytes an operation and its values") {
  const auto history = porpentine::read_history_text(many_lines(100000)).value();
  CHECK(history.memory() - history.values.memory() < 41 * 100000 * 9 / 8 + 10000);
}
