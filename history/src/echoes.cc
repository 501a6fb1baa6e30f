#include "echoes.h"

#include <algorithm>
#include <array>

namespace porpentine {

bool repeats_input(std::string_view function) {
  constexpr std::array<std::string_view, 7> kWords = {"write", "put", "cas", "add", "enqueue", "push", "insert"};
  return std::find(kWords.begin(), kWords.end(), function) != kWords.end();
}

bool repeats_input_in_jepsen(std::string_view function) {
  constexpr std::array<std::string_view, 6> kWords = {"append", "delete", "remove", "transfer", "acquire", "release"};
  return repeats_input(function) || std::find(kWords.begin(), kWords.end(), function) != kWords.end();
}

}  // namespace porpentine
