// Times checks of histories that lie in memory, as a program would see it that links the library.
//
// It prints one JSON object a file, in the order of the arguments:
//
//   {"verdict": "valid", "engine": "search", "check_s": 0.2}
//
// A check is repeated until a tenth of a second is spent on it or it was done a hundred times, and check_s is the
// least.
#include <porpentine/checker/check.h>
#include <porpentine/history/reader.h>
#include <porpentine/models/specification.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace porpentine;

constexpr double kEnough_s = 0.1;
constexpr int kMostRuns = 100;

void time_check(const std::string& file, const std::string& model_name, const CheckOptions& options) {
  History history = read_history(file).value();
  const std::unique_ptr<Specification> model = make_specification(model_name, history.values).value();
  if (const auto error = model->validate(history)) throw InputError(*error);
  double least = std::numeric_limits<double>::infinity();
  double spent = 0;
  CheckResult result;
  for (int run = 0; run < kMostRuns && spent < kEnough_s; ++run) {
    result = check(*model, history, options);
    spent += result.elapsed_s;
    least = std::min(least, result.elapsed_s - result.explain_s);
  }
  std::printf("{\"verdict\": \"%s\", \"engine\": \"%s\", \"check_s\": %.9f}\n", to_string(result.verdict),
              result.by_monitor() ? "monitor" : "search", least);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times checks of histories that lie in memory");
  std::string model;
  std::vector<std::string> files;
  CheckOptions options;
  options.cores = Cores::none;
  double seconds = 60;
  app.add_option("--model", model, "what the histories are of")->required();
  app.add_option("--jobs", options.jobs, "threads; 0: one a processor")->capture_default_str();
  app.add_option("--time-limit", seconds, "of each check, such as 30s")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}}));
  app.add_option("files", files, "histories")->required();
  CLI11_PARSE(app, argc, argv);
  options.time_limit = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  try {
    for (const std::string& file : files) time_check(file, model, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "time_checks: %s\n", error.what());
    return 2;
  }
  return 0;
}
