// Histories written as they are read, judged in one line.
#pragma once

#include <porpentine/checker/check.h>
#include <porpentine/history/reader.h>

#include <string>
#include <string_view>

namespace porpentine::testing {

inline CheckResult judge(std::string_view model, std::string_view lines, const CheckOptions& options = {}) {
  History history = read_history_text(lines).value();
  const auto specification = make_specification(model, history.values).value();
  if (auto error = specification->validate(history)) throw InputError(*error);
  return check(*specification, history, options);
}

/// "valid", "invalid" or "unknown"; the two orders and their portfolio must agree, and the order found must hold.
inline std::string verdict(std::string_view model, std::string_view lines) {
  const auto with = [&](SearchOrder order) {
    CheckOptions options;
    options.order = order;
    options.verify = true;
    return std::string(to_string(judge(model, lines, options).verdict));
  };
  std::string verdict = with(SearchOrder::portfolio);
  if (with(SearchOrder::breadth_first) != verdict) return "breadth first disagrees";
  if (with(SearchOrder::depth_first) != verdict) return "depth first disagrees";
  return verdict;
}

/// One line of a history in the operation form, from "process f call return" and the values as JSON.
inline std::string line(int process, std::string_view f, std::string_view input, std::string_view output,
                        std::int64_t call, std::int64_t ret) {
  return R"({"process": )" + std::to_string(process) + R"(, "f": ")" + std::string(f) + R"(", "input": )" +
         std::string(input) + R"(, "output": )" + std::string(output) + R"(, "call": )" + std::to_string(call) +
         R"(, "return": )" + std::to_string(ret) + "}\n";
}
inline std::string indeterminate(int process, std::string_view f, std::string_view input, std::int64_t call) {
  return R"({"process": )" + std::to_string(process) + R"(, "f": ")" + std::string(f) + R"(", "input": )" +
         std::string(input) + R"(, "call": )" + std::to_string(call) + R"(, "type": "info"})" + "\n";
}

/// The lines with a key.
inline std::string keyed(std::string_view key, std::string_view lines) {
  std::string with_key;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    with_key += R"({"key": ")" + std::string(key) + R"(", )" + std::string(lines.substr(begin + 1, end - begin - 1));
    begin = end;
  }
  return with_key;
}

/// Texts of which no order is known to be right or wrong soon: `count` appends that all run at once, and a get of a
/// text that has their letters but for two neighbours.
inline std::string hard_history(int count) {
  std::string lines;
  std::string text;
  std::uint64_t random = 12345;
  for (int i = 0; i < count; ++i) {
    std::string piece;
    for (int letter = 0; letter < 3 + i % 5; ++letter) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      piece += (random >> 40) % 2 == 0 ? 'a' : 'b';
    }
    lines += line(i, "append", '"' + piece + '"', "null", i, 1000 + i);
    text = i % 2 == 0 ? text + piece : piece + text;
  }
  const std::size_t swapped = text.find("ab", text.size() / 2);
  std::swap(text[swapped], text[swapped + 1]);
  return lines + line(count, "get", "null", '"' + text + '"', 2000, 2001);
}

}  // namespace porpentine::testing
