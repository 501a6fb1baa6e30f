#include <porpentine/history/reader.h>

#include <cstdint>
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

std::string little_endian(std::uint32_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
  return text;
}

std::uint32_t crc32(const std::string& text) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

/// gzip in which the text stands as it is, so that what is damaged in the one is damaged in the other (RFC
/// 1951, 3.2.4).
std::string stored_gzip(const std::string& text) {
  constexpr std::size_t kBlock = 65535;
  std::string out("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
  for (std::size_t begin = 0; begin < text.size(); begin += kBlock) {
    const std::string block = text.substr(begin, kBlock);
    const auto length = static_cast<std::uint32_t>(block.size());
    out += begin + kBlock < text.size() ? '\0' : '\1';
    out += little_endian(length, 2) + little_endian(~length, 2) + block;
  }
  return out + little_endian(crc32(text), 4) + little_endian(static_cast<std::uint32_t>(text.size()), 4);
}

}  // namespace

TEST_CASE("gzip, also of several members, and zstd are read as they are") {
  const std::string plain = listing_of_file("good/operations.jsonl");
  CHECK(listing_of_file("good/operations.jsonl.gz") == plain);
  CHECK(listing_of_file("good/operations.jsonl.zst") == plain);
  CHECK(listing(content("good/operations.jsonl.gz")) == plain);
  CHECK(listing(content("good/operations.jsonl.zst") + content("good/operations.jsonl.zst")).rfind("error 11", 0) == 0);
}

TEST_CASE("damage to compressed data is blamed on them, never on a line of the text") {
  for (const std::string ending : {".gz", ".zst"}) {
    const std::string plain = listing_of_file("good/operations.jsonl");
    const std::string whole = content("good/operations.jsonl" + ending);
    for (std::size_t i = 4; i < whole.size(); ++i) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
      INFO(ending << ", byte " << i);
      const std::string read = listing(damaged);
      CHECK((read == plain || read.rfind("error 0: ", 0) == 0));
    }
  }
}

TEST_CASE("damage that shows in the text long before the checksum is found all the same") {
  std::string damaged = stored_gzip(many_lines(10000));
  REQUIRE(damaged.size() > 500000);
  CHECK(listing(damaged).rfind("error", 0) != 0);
  damaged[damaged.find('\n') + 1] = '[';
  CHECK(listing(damaged) == "error 0: damaged gzip data: incorrect data check\n");
  damaged.resize(200000);
  CHECK(listing(damaged) == "error 0: truncated gzip data\n");
}

TEST_CASE("an error in a compressed text that is whole names its line") {
  CHECK(listing(content("good/operations.jsonl.gz") + content("good/operations.jsonl.gz")).rfind("error 11", 0) == 0);
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

TEST_CASE("where calls and returns have lines of their own, an operation takes 8 bytes more") {
  std::string text;
  for (int i = 0; i < 100000; ++i) {
    text += "{\"process\": 0, \"type\": \"invoke\", \"f\": \"read\"}\n";
    text += "{\"process\": 0, \"type\": \"ok\", \"f\": \"read\", \"value\": 1}\n";
  }
  const auto history = porpentine::read_history_text(text).value();
  const std::size_t bytes = history.memory() - history.values.memory();
  CHECK(bytes >= 49 * 100000);
  CHECK(bytes < 49 * 100000 * 9 / 8 + 10000);
}
