#include "window.h"

#include <algorithm>

namespace porpentine::detail {

namespace {

ValueId copied(const ValueTable& from, ValueId id, ValueTable& to) {
  std::vector<ValueId> elements;
  const auto copy_elements = [&] {
    for (const ValueId element : from.elements(id)) elements.push_back(copied(from, element, to));
  };
  switch (from.kind(id)) {
    case ValueKind::null:
    case ValueKind::boolean:
      return id;
    case ValueKind::integer:
      return to.integer(*from.as_int64(id));
    case ValueKind::unsigned_integer:
      return to.unsigned_integer(*from.as_uint64(id));
    case ValueKind::real:
      return to.real(from.as_double(id));
    case ValueKind::string:
      return to.string(*from.as_string(id));
    case ValueKind::array:
      copy_elements();
      return to.array(elements);
    case ValueKind::object:
      break;
  }
  copy_elements();
  return to.object(elements);
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(std::string_view model) {
  auto window = std::make_unique<Window>();
  auto made = make_specification(model, window->history().values);
  if (!made) return std::move(made).error();
  window->content_->model = std::move(*made);
  window->model_name_ = model;
  window->size_when_new_ = window->size();
  return window;
}

std::uint32_t Window::process(ValueId name) {
  auto& processes = history().processes;
  const auto [entry, is_new] = content_->process_of.try_emplace(name, static_cast<std::uint32_t>(processes.size()));
  if (is_new) processes.push_back(name);
  return entry->second;
}

std::uint32_t Window::add(ValueId process_name, std::string_view f) {
  History& history = content_->history;
  auto function = std::find(history.functions.begin(), history.functions.end(), f);
  if (function == history.functions.end()) function = history.functions.emplace(function, f);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(history.size()));
    in_use_.push_back(false);
    history.process.push_back(0);
    history.function.push_back(0);
    history.key.push_back(kNull);
    history.input.push_back(kNull);
    history.output.push_back(kNull);
    history.call.push_back(0);
    history.ret.push_back(0);
    history.outcome.push_back(Outcome::open);
    history.line.push_back(0);
  }
  const std::uint32_t row = free_.back();
  free_.pop_back();
  in_use_[row] = true;
  history.process[row] = process(process_name);
  history.function[row] = static_cast<std::uint16_t>(function - history.functions.begin());
  history.key[row] = history.input[row] = history.output[row] = kNull;
  history.outcome[row] = Outcome::open;
  history.line[row] = 0;
  return row;
}

void Window::release(std::uint32_t row) {
  in_use_[row] = false;
  free_.push_back(row);
}

bool Window::is_stale() const {
  constexpr std::size_t kWorthwhile = 16384;
  return size() > 2 * size_when_new_ + kWorthwhile;
}

StateArchive::Translation Window::move_rows(const Content& old) {
  Content& content = *content_;
  const ValueTable& from = old.history.values;
  // The model's own values first, as when it was made.
  content.model = make_specification(model_name_, content.history.values).value();
  StateArchive::Translation translation = {
      [&from, &content](ValueId id) { return copied(from, id, content.history.values); },
      [this, &old, &content](std::uint32_t index) {
        return process(copied(old.history.values, old.history.processes[index], content.history.values));
      }};
  History& history = content.history;
  history.functions = old.history.functions;
  history.process = old.history.process;
  history.function = old.history.function;
  history.key = old.history.key;
  history.input = old.history.input;
  history.output = old.history.output;
  history.call = old.history.call;
  history.ret = old.history.ret;
  history.outcome = old.history.outcome;
  history.line = old.history.line;
  for (std::uint32_t row = 0; row < history.size(); ++row) {
    if (!in_use_[row]) continue;
    history.process[row] = translation.process(history.process[row]);
    for (auto* const column : {&history.key, &history.input, &history.output}) {
      (*column)[row] = translation.value((*column)[row]);
    }
  }
  return translation;
}

std::uint64_t Window::memory() const {
  constexpr std::uint64_t kBytesARow = 64;
  return history().values.memory() + history().size() * kBytesARow + history().processes.size() * 32;
}

}  // namespace porpentine::detail
