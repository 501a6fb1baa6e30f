#include "explanation.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <porpentine/history/message_text.h>

#include "report.h"

namespace porpentine::cli {
namespace {

constexpr std::size_t kMostContext = 20;  // operations that are listed

/// A text in a column: what does not fit is cut, by characters of UTF-8, and shows that it was.
std::string fitted(const std::string& text, std::size_t width) {
  const std::string line = harmless(text);
  std::vector<std::size_t> begins;  // of characters
  for (std::size_t k = 0; k < line.size(); ++k) {
    if ((static_cast<unsigned char>(line[k]) & 0xc0U) != 0x80U) begins.push_back(k);
  }
  if (begins.size() <= width) return line + std::string(width - begins.size(), ' ');
  return line.substr(0, begins[width - 1]) + "…";
}

/// The core as a diagram: time runs down, with a column a process.
class Diagram {
 public:
  Diagram(const History& history, const Failure& failure) : history_(history), failure_(failure) {
    for (const std::uint32_t operation : failure.core) {
      events_.push_back({history.call[operation], false, operation});
      events_.push_back({history.ret[operation], true, operation});
      const std::uint32_t process = history.process[operation];
      if (std::find(processes_.begin(), processes_.end(), process) == processes_.end()) processes_.push_back(process);
    }
    std::sort(events_.begin(), events_.end());
    width_ = std::clamp<std::size_t>(kScreen / std::max<std::size_t>(processes_.size(), 1), kNarrowest, kWidest);
  }

  /// Whether the columns are few enough for a screen.
  [[nodiscard]] bool fits() const { return processes_.size() * (kNarrowest + 1) <= kMostColumns; }

  void print(std::ostream& out) const {
    std::size_t times = history_.time_unit.size();
    for (const Event& event : events_) times = std::max(times, std::to_string(event.time).size());
    const auto begin_row = [&](const std::string& first) {
      return "  " + std::string(times - std::min(times, first.size()), ' ') + first + "  ";
    };
    std::string header = begin_row(harmless(history_.time_unit));
    for (const std::uint32_t process : processes_) {
      header += fitted("process " + history_.describe_name(history_.processes[process]), width_) + " ";
    }
    out << trimmed(header);
    std::vector<bool> running(processes_.size(), false);
    for (const Event& event : events_) {
      std::string row = begin_row(std::to_string(event.time));
      for (std::size_t column = 0; column < processes_.size(); ++column) {
        row += fitted(cell(event, column, running), width_) + " ";
      }
      out << trimmed(row);
    }
  }

 private:
  static constexpr std::size_t kScreen = 96;
  static constexpr std::size_t kMostColumns = 160;
  static constexpr std::size_t kNarrowest = 24;
  static constexpr std::size_t kWidest = 40;

  struct Event {
    std::int64_t time;
    bool is_return;  // after the calls of the same time
    std::uint32_t operation;
    bool operator<(const Event& other) const {
      return std::tie(time, is_return, operation) < std::tie(other.time, other.is_return, other.operation);
    }
  };

  std::string cell(const Event& event, std::size_t column, std::vector<bool>& running) const {
    if (history_.process[event.operation] != processes_[column]) return running[column] ? "|" : "";
    running[column] = !event.is_return;
    if (event.is_return) return "]";
    return (event.operation == failure_.operation ? "[* " : "[ ") + history_.describe_call(event.operation);
  }
  static std::string trimmed(std::string row) {
    row.erase(row.find_last_not_of(' ') + 1);
    return row + "\n";
  }

  const History& history_;
  const Failure& failure_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> processes_;  // in order of their first events
  std::size_t width_ = 0;
};

/// The core as a list in order of calls.
void print_list(std::ostream& out, const History& history, const Failure& failure) {
  std::vector<std::uint32_t> core = failure.core;
  std::stable_sort(core.begin(), core.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return history.call[a] < history.call[b]; });
  for (const std::uint32_t operation : core) {
    out << (operation == failure.operation ? "* " : "  ") << "[" << history.call[operation] << ", "
        << history.ret[operation] << "] " << harmless(history.describe(operation)) << "\n";
  }
}

/// What stands in the file of the core beside it.
void print_context(std::ostream& out, const History& history, const Failure& failure) {
  if (failure.context.empty()) return;
  out << "\nWhatever the others did: also if these had any outcome, or never happened:\n\n";
  for (std::size_t k = 0; k < std::min(failure.context.size(), kMostContext); ++k) {
    out << "  " << harmless(history.describe(failure.context[k], false)) << "\n";
  }
  if (failure.context.size() > kMostContext) out << "  ... and " << failure.context.size() - kMostContext << " more\n";
}

/// Where the failed operation was tried.
void print_stuck(std::ostream& out, const History& history, const Failure& failure) {
  if (failure.stuck.empty()) return;
  const std::size_t placed = failure.order.size();
  const auto returned = static_cast<std::uint64_t>(
      std::count_if(failure.order.begin(), failure.order.end(), [&](std::uint32_t operation) {
        return !is_indeterminate(history.outcome[operation]) &&
               history.ret[operation] <= history.ret[failure.operation];
      }));
  const std::string operations = placed == 1 ? " operation" : " operations";
  if (returned < failure.longest_prefix) {
    out << "\nOthers need it after the first " << placed << operations << " of an order, which lead to:\n\n";
  } else {
    out << "\nWhat orders of the " << placed << operations << " before it lead to:\n\n";
  }
  for (const StuckConfiguration& stuck : failure.stuck) {
    out << "  the state " << harmless(stuck.state);
    for (const std::uint32_t added : stuck.added) {
      out << ", after " << harmless(history.describe(added))
          << (is_indeterminate(history.outcome[added]) ? "" : ", which still ran");
    }
    out << "\n";
    for (const RefusedStep& step : stuck.refused) {
      const bool is_it = step.operation == failure.operation;
      out << "    " << harmless(is_it ? history.describe_call(step.operation) : history.describe(step.operation))
          << " is refused: " << harmless(step.reason) << "\n";
    }
  }
}

void print_failure(std::ostream& out, const History& history, const Failure& failure) {
  out << "\n" << harmless(failure.message) << "\n";
  if (failure.core.empty()) {
    out << "\n  no core was found: "
        << (failure.order.empty() ? "where the history goes wrong is not known exactly\n" : "a limit was reached\n");
    print_stuck(out, history, failure);
    return;
  }
  out << "\nThe core, operations that can't be ordered whatever the others did";
  if (!failure.core_minimal) out << " (perhaps not the fewest: a longer --time-limit looks longer for fewer)";
  out << ":\n\n";
  const Diagram diagram(history, failure);
  if (diagram.fits()) {
    diagram.print(out);
  } else {
    print_list(out, history, failure);
  }
  if (std::find(failure.core.begin(), failure.core.end(), failure.operation) != failure.core.end()) {
    out << "\n  * can't be placed\n";
  }
  print_context(out, history, failure);
  print_stuck(out, history, failure);
}

}  // namespace

void print_explanation(std::ostream& out, const Judgement& judgement) {
  const bool invalid = judgement.status() == ExitStatus::invalid;
  if (invalid && judgement.causal && judgement.causal->trace) {
    out << harmless(judgement.file) << ": invalid\n";
    print_causal_violations(out, *judgement.causal);
  } else if (!invalid || !judgement.history) {
    out << text_report(judgement);
  } else {
    out << harmless(judgement.file) << ": invalid\n";
    for (const Failure& failure : judgement.result.failures) print_failure(out, *judgement.history, failure);
  }
}

}  // namespace porpentine::cli
