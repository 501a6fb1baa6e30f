// Bytes as a short history of an object that has a monitor: where the monitor decides, the search decides the same.
#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <porpentine/checker/check.h>
#include <porpentine/history/reader.h>

namespace {

using namespace porpentine;

constexpr std::array<const char*, 10> kModels = {
    "register", "register:initial=1", "cas-register", "kv", "log", "queue", "bag", "stack", "priority-queue", "set"};

/// What an operation says but for its place in time.
struct Words {
  std::string f;
  std::string input = "null";
  std::string output = "null";
};

class Generator {
 public:
  Generator(FuzzedDataProvider& bytes, std::string model) : bytes_(bytes), model_(std::move(model)) {}

  /// Each process does one thing after the other, on a coarse grid of times.
  std::string history() {
    std::array<std::int64_t, 4> free_from{};
    std::string text;
    for (int count = below(10); count >= 0; --count) {
      const auto process = static_cast<std::size_t>(below(4));
      const Words words = operation();
      const std::int64_t call = free_from[process] + below(4);
      const std::int64_t ret = call + below(8);
      constexpr std::array<const char*, 8> kTypes = {"ok", "ok", "ok", "ok", "ok", "ok", "info", "fail"};
      const std::string type = kTypes[static_cast<std::size_t>(below(8))];
      free_from[process] = type == "info" ? call : ret;
      text += R"({"process": )" + std::to_string(process) + R"(, "f": ")" + words.f + R"(", "input": )" + words.input +
              R"(, "output": )" + words.output + R"(, "call": )" + std::to_string(call) + R"(, "return": )" +
              std::to_string(ret) + R"(, "type": ")" + type + "\"}\n";
    }
    return text;
  }

 private:
  int below(int bound) { return bytes_.ConsumeIntegralInRange<int>(0, bound - 1); }
  std::string value() { return std::to_string(1 + below(8)); }
  std::string value_or_null() { return below(5) == 0 ? "null" : value(); }
  std::string told() {
    constexpr std::array<const char*, 4> kAnswers = {"true", "true", "false", "null"};
    return kAnswers[static_cast<std::size_t>(below(4))];
  }

  Words operation() {
    if (model_ == "log") return log_operation();
    if (model_ == "set") return set_operation();
    if (model_ == "queue" || model_ == "bag") return container_operation("enqueue", "dequeue");
    if (model_ == "stack") return container_operation("push", "pop");
    if (model_ == "priority-queue") return container_operation("insert", "pop-min");
    return register_operation(model_ == "kv" ? "get" : "read", model_ == "kv" ? "put" : "write");
  }

  Words register_operation(const char* read, const char* write) {
    switch (below(5)) {
      case 0:
      case 1:
        return {read, "null", value_or_null()};
      case 2:
      case 3:
        return {write, value()};
      default:
        return {"cas", '[' + value() + ", " + value() + ']', told()};
    }
  }

  Words container_operation(const char* put, const char* take) {
    if (below(2) == 0) return {put, value()};
    return {take, "null", value_or_null()};
  }

  Words set_operation() {
    const std::string element = std::to_string(1 + below(2));
    switch (below(3)) {
      case 0:
        return {"add", element, told()};
      case 1:
        return {"remove", element, told()};
      default:
        return {"contains", element, below(2) == 0 ? "true" : "false"};
    }
  }

  Words log_operation() {
    const std::string offset = std::to_string(below(5));
    switch (below(6)) {
      case 0:
      case 1:
        return {"append", value(), offset};
      case 2:
        return {"append-batch", below(4) == 0 ? "[]" : '[' + value() + ", " + value() + ']', offset};
      case 3:
        return {"tail", "null", offset};
      case 4:
        return {"scan", offset, below(3) == 0 ? "[]" : "[[" + offset + ", " + value() + "]]"};
      default:
        return {"read", offset, value_or_null()};
    }
  }

  FuzzedDataProvider& bytes_;
  std::string model_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  const std::string name = kModels[bytes.ConsumeIntegralInRange<std::size_t>(0, kModels.size() - 1)];
  const std::string text = Generator(bytes, name).history();
  History history = read_history_text(text, {.format = Format::jsonl}).value();
  const auto model = make_specification(name, history.values).value();
  if (const auto error = model->validate(history)) {
    std::cerr << error->to_string() << '\n' << text;
    std::abort();
  }
  CheckOptions options;
  options.jobs = 1;
  options.engine = Engine::monitor;
  const CheckResult ruled = check(*model, history, options);
  options.engine = Engine::search;
  const CheckResult searched = check(*model, history, options);
  for (std::size_t k = 0; k < ruled.partitions.size(); ++k) {
    if (!ruled.partitions[k].by_monitor || ruled.partitions[k].verdict == searched.partitions[k].verdict) continue;
    std::cerr << name << ": the monitor says " << to_string(ruled.partitions[k].verdict) << '\n' << text;
    std::abort();
  }
  return 0;
}
