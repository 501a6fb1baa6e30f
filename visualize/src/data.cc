// The data block of a page: visualize/README.md tells its form.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <porpentine/history/json_writer.h>

#include "deflate.h"
#include "findings.h"
#include "page_parts.h"

namespace porpentine::detail {
namespace {

constexpr std::size_t kMostPlaced = 20;           // operations that a stuck configuration lists
constexpr std::size_t kMostStateText = 64 << 20;  // bytes that are made of states, most of them again and again
constexpr std::uint64_t kExactDouble = std::uint64_t{1} << 53U;

/// a - b, exactly: it may need 65 bits.
struct Difference {
  Difference(std::int64_t a, std::int64_t b)
      : negative(a < b),
        size(negative ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                      : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)) {}
  bool negative;
  std::uint64_t size;
};

void write(JsonWriter& json, Difference difference) {
  const std::string digits = (difference.negative ? "-" : "") + std::to_string(difference.size);
  if (difference.size > kExactDouble) {
    json.string(digits);
  } else {
    json.raw(digits);
  }
}

class Data {
 public:
  explicit Data(const Findings& findings)
      : findings_(findings), history_(findings.history), numbers_(history_.values.size(), kUnused) {
    number(kNull);
  }

  std::string text() {
    find_partitions();
    for (std::size_t part = 0; part < orders_.size(); ++part) find_states(part);
    const std::string columns = deflated_base64(this->columns());
    std::string head;
    JsonWriter json(head);
    json.begin_object();
    json.name("porpentine").number(1);
    json.name("kind").string("history");
    json.name("title").string(history_.file);
    json.name("model").string(findings_.model == nullptr ? "" : findings_.model->name());
    json.name("timeUnit").string(history_.time_unit);
    json.name("verdict").string(findings_.verdict());
    if (!findings_.reason().empty()) json.name("reason").string(findings_.reason());
    json.name("operations").number(history_.size());
    list(json, "processes", history_.processes,
         [&](ValueId process) { json.string(history_.values.to_json(process)); });
    list(json, "functions", history_.functions, [&](const std::string& function) { json.string(function); });
    json.name("silent").begin_array();
    for (std::size_t function = 0; function < history_.functions.size(); ++function) {
      if (history_.is_silent(function)) json.number(function);
    }
    json.end_array();
    json.name("columns").string(columns);
    json.end_object();
    return without_tags(head);
  }

 private:
  static constexpr std::uint32_t kUnused = 0xffffffff;

  /// The value's index in the page.
  std::uint32_t number(ValueId value) {
    std::uint32_t& number = numbers_[value];
    if (number == kUnused) {
      number = static_cast<std::uint32_t>(values_.size());
      values_.push_back(value);
    }
    return number;
  }

  void find_partitions() {
    partition_of_.assign(history_.size(), findings_.model == nullptr ? 0 : -1);
    if (findings_.model == nullptr) return;
    std::vector<Partition> partitions = findings_.model->partitions(history_);
    for (std::size_t part = 0; part < partitions.size(); ++part) {
      for (const std::uint32_t operation : partitions[part].operations) {
        partition_of_[operation] = static_cast<std::int64_t>(part);
      }
    }
    for (const PartitionResult& partition : findings_.result->partitions) {
      orders_.push_back(partition.linearization);
      number(partition.key);
    }
    for (const Failure& failure : findings_.result->failures) {
      orders_[static_cast<std::size_t>(partition_of_[failure.operation])] = failure.order;
    }
  }

  void find_states(std::size_t part) {
    states_.emplace_back();
    if (orders_[part].empty()) return;
    const std::unique_ptr<Replay> replay = findings_.model->replay(history_);
    std::string last;
    for (const std::uint32_t operation : orders_[part]) {
      if (state_bytes_ > kMostStateText) return;
      replay->apply({operation, is_indeterminate(history_.outcome[operation])});
      std::string state = replay->state();
      state_bytes_ += state.size() + 1;
      if (state == last && !states_[part].empty()) {
        states_[part].push_back(-1);
        continue;
      }
      const auto [known, added] = state_numbers_.try_emplace(state, state_texts_.size());
      if (added) state_texts_.push_back(state);
      states_[part].push_back(static_cast<std::int64_t>(known->second));
      last = std::move(state);
    }
  }

  void write_partitions(JsonWriter& json) {
    json.name("partitions").begin_array();
    if (findings_.result == nullptr) {
      PartitionResult whole;
      whole.operations = history_.size();
      write_partition(json, whole, "", "", "", 0);
    } else {
      const CheckResult& result = *findings_.result;
      for (std::size_t part = 0; part < result.partitions.size(); ++part) {
        const PartitionResult& partition = result.partitions[part];
        write_partition(json, partition, to_string(partition.verdict),
                        partition.verdict == Verdict::unknown ? to_string(partition.limit) : "",
                        partition.by_monitor ? "monitor" : "search", orders_[part].size());
      }
    }
    json.end_array();
  }
  void write_partition(JsonWriter& json, const PartitionResult& partition, const char* verdict, const char* reason,
                       const char* engine, std::uint64_t ordered) {
    const ValueId key = partition.key;
    json.begin_object();
    json.name("key").signed_number(key == kNull ? -1 : static_cast<std::int64_t>(number(key)));
    json.name("verdict").string(verdict);
    json.name("reason").string(reason);
    json.name("engine").string(engine);
    json.name("operations").number(partition.operations);
    json.name("indeterminate").number(partition.indeterminate);
    json.name("reached").number(partition.reached);
    json.name("maxConcurrency").number(partition.max_concurrency);
    json.name("ordered").number(ordered);
    json.end_object();
  }

  void write_failures(JsonWriter& json) const {
    json.name("failures").begin_array();
    if (findings_.result != nullptr) {
      for (const Failure& failure : findings_.result->failures) write_failure(json, failure);
    }
    json.end_array();
  }
  void write_failure(JsonWriter& json, const Failure& failure) const {
    json.begin_object();
    json.name("partition").signed_number(partition_of_[failure.operation]);
    json.name("operation").number(failure.operation);
    json.name("message").string(failure.message);
    json.name("longestPrefix").number(failure.longest_prefix);
    list(json, "core", failure.core, [&](std::uint32_t operation) { json.number(operation); });
    json.name("reasons").begin_object();
    for (const std::uint32_t operation : failure.core) {
      const std::string shown = findings_.shows(failure, operation);
      if (!shown.empty()) json.name(std::to_string(operation)).string(shown);
    }
    json.end_object();
    list(json, "stuck", failure.stuck, [&](const StuckConfiguration& stuck) { write_stuck(json, failure, stuck); });
    json.end_object();
  }
  static void write_stuck(JsonWriter& json, const Failure& failure, const StuckConfiguration& stuck) {
    const std::size_t shown = std::min(failure.order.size(), kMostPlaced - std::min(kMostPlaced, stuck.added.size()));
    std::vector<std::uint32_t> last(failure.order.end() - static_cast<std::ptrdiff_t>(shown), failure.order.end());
    last.insert(last.end(), stuck.added.begin(), stuck.added.end());
    json.begin_object();
    json.name("state").string(stuck.state);
    list(json, "order", last, [&](std::uint32_t operation) { json.number(operation); });
    json.name("placed").number(failure.order.size() + stuck.added.size());
    list(json, "refused", stuck.refused,
         [&](const RefusedStep& step) { json.begin_array().number(step.operation).string(step.reason).end_array(); });
    json.end_object();
  }

  /// `write(item)` for each of the items, which writes one value.
  template <typename Items, typename Write>
  static void list(JsonWriter& json, const char* name, const Items& items, const Write& write) {
    json.name(name).begin_array();
    for (const auto& item : items) write(item);
    json.end_array();
  }

  /// `write(i)` for each operation.
  template <typename Write>
  void column(JsonWriter& json, const char* name, bool wanted, const Write& write) {
    json.name(name).begin_array();
    for (std::size_t i = 0; wanted && i < history_.size(); ++i) write(i);
    json.end_array();
  }

  std::string columns() {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    const auto number_column = [&](const char* name, const std::vector<ValueId>& values) {
      column(json, name, true, [&](std::size_t i) { json.number(number(values[i])); });
    };
    column(json, "process", true, [&](std::size_t i) { json.number(history_.process[i]); });
    column(json, "f", true, [&](std::size_t i) { json.number(history_.function[i]); });
    bool keys = false;
    for (const ValueId key : history_.key) keys |= key != kNull;
    column(json, "key", keys, [&](std::size_t i) {
      json.signed_number(history_.key[i] == kNull ? -1 : static_cast<std::int64_t>(number(history_.key[i])));
    });
    number_column("input", history_.input);
    number_column("output", history_.output);
    column(json, "outcome", true, [&](std::size_t i) { json.number(static_cast<std::uint64_t>(history_.outcome[i])); });
    column(json, "call", true, [&](std::size_t i) {
      write(json, {history_.call[i], i == 0 ? 0 : history_.call[i - 1]});
    });
    column(json, "took", true, [&](std::size_t i) {
      if (is_indeterminate(history_.outcome[i])) {
        json.signed_number(-1);
      } else {
        write(json, {history_.ret[i], history_.call[i]});
      }
    });
    const auto line = [&](std::size_t i) { return static_cast<std::int64_t>(history_.line[i]); };
    column(json, "line", true, [&](std::size_t i) { write(json, {line(i), i == 0 ? 0 : line(i - 1)}); });
    column(json, "returnLine", !history_.return_line.empty(), [&](std::size_t i) {
      const auto own = static_cast<std::int64_t>(history_.return_line[i]);
      write(json, {own == 0 ? line(i) : own, line(i)});
    });
    column(json, "partition", true, [&](std::size_t i) { json.signed_number(partition_of_[i]); });
    write_partitions(json);
    write_failures(json);
    list(json, "orders", orders_, [&](const std::vector<std::uint32_t>& order) {
      json.begin_array();
      for (const std::uint32_t operation : order) json.number(operation);
      json.end_array();
    });
    list(json, "states", states_, [&](const std::vector<std::int64_t>& states) {
      json.begin_array();
      for (const std::int64_t state : states) json.signed_number(state);
      json.end_array();
    });
    list(json, "stateTexts", state_texts_, [&](const std::string& state) { json.string(state); });
    list(json, "metadata", history_.metadata, [&](const std::pair<std::uint32_t, ValueId>& entry) {
      json.begin_array().number(entry.first).number(number(entry.second)).end_array();
    });
    write_annotations(json);
    // Last, since the others find out which are used.
    list(json, "values", values_, [&](ValueId value) { json.string(history_.values.to_json(value)); });
    json.end_object();
    return text;
  }

  void write_annotations(JsonWriter& json) const {
    const auto shown = [&](ValueId value) { return value == kNull ? "" : history_.describe_name(value); };
    json.name("annotations").begin_array();
    for (const Annotation& annotation : history_.annotations) {
      json.begin_object();
      write(json.name("time"), {annotation.time, 0});
      json.name("process").string(shown(annotation.process));
      json.name("f").string(shown(annotation.f));
      json.name("value").string(annotation.value == kNull ? "" : history_.values.to_json(annotation.value));
      json.name("line").number(annotation.line);
      if (annotation.metadata != kNull) json.name("metadata").string(history_.values.to_json(annotation.metadata));
      json.end_object();
    }
    json.end_array();
  }

  const Findings& findings_;
  const History& history_;
  std::vector<std::uint32_t> numbers_;  // by id
  std::vector<ValueId> values_;         // by number
  std::vector<std::int64_t> partition_of_;
  std::vector<std::vector<std::uint32_t>> orders_;  // by partition
  std::vector<std::vector<std::int64_t>> states_;   // by partition
  std::vector<std::string> state_texts_;
  std::unordered_map<std::string, std::size_t> state_numbers_;
  std::size_t state_bytes_ = 0;
};

}  // namespace

std::string page_data(const Findings& findings) { return Data(findings).text(); }

}  // namespace porpentine::detail
