// Any bytes as a history: they are one, or there is an error; what is one is written and read again without a loss, and
// every model takes it or says why not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include <porpentine/checker/check.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/writer.h>

namespace {

using namespace porpentine;

[[noreturn]] void fail(std::string_view what, std::string_view more) {
  std::cerr << what << ": " << more << '\n';
  std::abort();
}

void write_and_read(const History& history) {
  std::ostringstream out;
  write_jsonl(history, out);
  const Result<History> again = read_history_text(out.str(), {.format = Format::jsonl});
  if (!again) fail("what was written can't be read", again.error().to_string());
  if (again->size() != history.size() || again->call != history.call ||
      again->annotations.size() != history.annotations.size()) {
    fail("what was written is read as something else", out.str());
  }
}

void check_with_all_models(History& history) {
  constexpr std::size_t kShort = 12;  // operations: what is long may take long
  for (const ModelInfo& info : models()) {
    const auto model = make_specification(info.name, history.values);
    if (!model || (*model)->validate(history)) continue;
    if (history.size() > kShort) continue;
    CheckOptions options;
    options.jobs = 1;
    options.step_limit = 20'000;
    const Verdict verdict = check(**model, history, options).verdict;
    options.engine = Engine::search;
    const Verdict searched = check(**model, history, options).verdict;
    if (verdict != Verdict::unknown && searched != Verdict::unknown && verdict != searched) {
      fail("the engines disagree", info.name);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.format = parse_format(FUZZED_FORMAT).value();
  options.memory_limit = std::uint64_t{1} << 28U;
  Result<History> history = read_history_text(text, options);
  if (!history) {
    if (history.error().message.empty()) fail("an error without a word", text);
    return 0;
  }
  write_and_read(*history);
  check_with_all_models(*history);
  return 0;
}
