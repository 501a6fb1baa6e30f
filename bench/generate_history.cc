// Writes a history of a simulated system as JSON Lines; see workload.h for how.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <porpentine/simulate/workload.h>

namespace {

using porpentine::simulate::Object;
using porpentine::simulate::parse_fault;
using porpentine::simulate::parse_object;
using porpentine::simulate::WorkloadOperation;
using porpentine::simulate::WorkloadOptions;

struct Arguments {
  WorkloadOptions workload;
  std::string values = "unique";
  std::string file;
};

template <typename Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Choice& chosen,
                        porpentine::Result<Choice> (*parse)(std::string_view), const std::string& help) {
  const auto choose = [&chosen, parse](const std::string& text) {
    const porpentine::Result<Choice> choice = parse(text);
    if (!choice) throw CLI::ValidationError(choice.error().message);
    chosen = *choice;
  };
  return app.add_option_function<std::string>(name, choose, help);
}

void declare(CLI::App& app, Arguments& arguments) {
  WorkloadOptions& workload = arguments.workload;
  add_choice(app, "--model", workload.object, parse_object,
             "register, kv, log, multi-register, queue, stack, bag, priority-queue, set, counter, bank or s2")
      ->required()
      ->type_name("MODEL");
  app.add_option("--operations", workload.operations, "how many operations")->capture_default_str();
  app.add_option("--clients", workload.clients, "clients, each with one operation at a time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--keys", workload.keys, "keys; with one the operations name none")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--read-share", workload.read_share, "share of the operations that read, or take")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--cas-share", workload.cas_share, "share of the writes that are cas (register, kv)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--indeterminate", workload.indeterminate,
                 "share of the writes, and of the takes, whose outcome nobody knows")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--indeterminate-takes", workload.indeterminate_takes, "that of the takes, where it differs")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--indeterminate-start", workload.indeterminate_start,
                 "indeterminate writes called before everything else, besides --operations")
      ->capture_default_str();
  app.add_option("--values", arguments.values,
                 "'unique', or how many different values are written; elements of a set, amounts")
      ->check(CLI::IsMember({"unique"}) | CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--min-held", workload.min_held, "with fewer values in queues, stacks or bags clients put")
      ->capture_default_str();
  app.add_option("--max-held", workload.max_held, "with as many values in queues, stacks or bags clients take")
      ->capture_default_str();
  app.add_option("--load", workload.load, "share of its time that a client waits for an answer")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  app.add_flag("--rounds", workload.rounds, "all clients call, then all return, and again");
  add_choice(app, "--fault", workload.fault, parse_fault,
             "none, stale-read, wrong-record, lost, duplicate, reordered or wrong-sum")
      ->type_name("FAULT");
  app.add_option("--fault-at", workload.fault_at, "the first suitable operation after this share of all")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--seed", workload.seed, "equal seeds give equal histories")->capture_default_str();
  app.add_option("-o,--output", arguments.file, "the file to write")->required();
}

void complete(Arguments& arguments) {
  WorkloadOptions& workload = arguments.workload;
  if (arguments.values != "unique") workload.values = std::stoull(arguments.values);
  if (workload.object == Object::multi_register && workload.keys < 2) workload.keys = 2;
}

/// False where the file could not be written whole.
bool write_history(const Arguments& arguments, std::FILE* file, bool& fault_done) {
  constexpr std::size_t kBuffered = 1 << 20;
  bool written = true;
  std::string buffer = porpentine::simulate::header_line(arguments.workload.object);
  const auto flush = [&] {
    written = std::fwrite(buffer.data(), 1, buffer.size(), file) == buffer.size() && written;
    buffer.clear();
  };
  fault_done = porpentine::simulate::generate(arguments.workload, [&](const WorkloadOperation& operation) {
    append_json_line(operation, buffer);
    if (buffer.size() >= kBuffered) flush();
  });
  flush();
  return written;
}

int run(int argc, char** argv) {
  CLI::App app("Writes a history of a simulated system as JSON Lines");
  Arguments arguments;
  declare(app, arguments);
  CLI11_PARSE(app, argc, argv);
  complete(arguments);
  if (!is_possible(arguments.workload.fault, arguments.workload)) {
    std::fprintf(stderr, "generate_history: the model has no such fault, or only with unique values\n");
    return 2;
  }

  std::FILE* file = std::fopen(arguments.file.c_str(), "wb");
  bool fault_done = true;
  const bool written = file != nullptr && write_history(arguments, file, fault_done);
  if (file == nullptr || std::fclose(file) != 0 || !written) {
    std::perror(("generate_history: " + arguments.file).c_str());
    return 2;
  }
  if (!fault_done) {
    std::fprintf(stderr, "generate_history: nothing after --fault-at could be made certain to be wrong\n");
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate_history: %s\n", error.what());
    return 2;
  }
}
