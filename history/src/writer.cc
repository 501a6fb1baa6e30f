#include <porpentine/history/writer.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "json_text.h"

namespace porpentine {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;

class JsonlWriter {
 public:
  JsonlWriter(const History& history, std::ostream& out) : history_(history), out_(out) {}

  void write();

 private:
  void write_header();
  void write_operation(std::size_t operation);
  void write_annotation(const Annotation& annotation);
  void add_name(std::string_view name);
  void add_text(std::string_view name, std::string_view text);
  void add_value(std::string_view name, ValueId value);
  void add_value_if_any(std::string_view name, ValueId value);
  void add_integer(std::string_view name, std::int64_t value);
  void add_metadata(ValueId object);
  void end_line();

  const History& history_;
  std::ostream& out_;
  std::string text_;
  std::size_t line_begin_ = 0;
  std::size_t next_metadata_ = 0;
};

// Annotations stand among the operations as they did where they were read.
void JsonlWriter::write() {
  write_header();
  std::size_t next = 0;
  const auto& annotations = history_.annotations;
  for (std::size_t i = 0; i < history_.size(); ++i) {
    while (next < annotations.size() && annotations[next].line < history_.line[i]) {
      write_annotation(annotations[next++]);
    }
    write_operation(i);
  }
  while (next < annotations.size()) write_annotation(annotations[next++]);
  out_ << text_;
}

void JsonlWriter::write_header() {
  add_integer("porpentine", 1);
  if (!history_.model.empty()) add_text("model", history_.model);
  if (!history_.time_unit.empty()) add_text("time-unit", history_.time_unit);
  end_line();
}

void JsonlWriter::write_operation(std::size_t operation) {
  const Outcome outcome = history_.outcome[operation];
  add_value("process", history_.processes[history_.process[operation]]);
  add_text("f", history_.function_name(operation));
  add_value_if_any("key", history_.key[operation]);
  add_value_if_any("input", history_.input[operation]);
  if (outcome == Outcome::ok) add_value("output", history_.output[operation]);
  add_integer("call", history_.call[operation]);
  if (is_indeterminate(outcome)) {
    add_value("return", kNull);
  } else {
    add_integer("return", history_.ret[operation]);
  }
  if (outcome == Outcome::fail || outcome == Outcome::info) add_text("type", to_string(outcome));
  if (next_metadata_ < history_.metadata.size() && history_.metadata[next_metadata_].first == operation) {
    add_metadata(history_.metadata[next_metadata_++].second);
  }
  end_line();
}

void JsonlWriter::write_annotation(const Annotation& annotation) {
  add_text("type", "note");
  add_value_if_any("process", annotation.process);
  add_value_if_any("f", annotation.f);
  add_value_if_any("value", annotation.value);
  add_integer("time", annotation.time);
  add_metadata(annotation.metadata);
  end_line();
}

void JsonlWriter::add_name(std::string_view name) {
  text_ += text_.size() == line_begin_ ? "{" : ", ";
  append_json_string(name, text_);
  text_ += ": ";
}

void JsonlWriter::add_text(std::string_view name, std::string_view text) {
  add_name(name);
  append_json_string(text, text_);
}

void JsonlWriter::add_value(std::string_view name, ValueId value) {
  add_name(name);
  history_.values.append_json(value, text_);
}

void JsonlWriter::add_value_if_any(std::string_view name, ValueId value) {
  if (value != kNull) add_value(name, value);
}

void JsonlWriter::add_integer(std::string_view name, std::int64_t value) {
  add_name(name);
  text_ += std::to_string(value);
}

void JsonlWriter::add_metadata(ValueId object) {
  const auto members = history_.values.elements(object);
  for (std::size_t i = 0; i < members.size(); i += 2) {
    add_value(history_.values.as_string(members[i]).value_or(""), members[i + 1]);
  }
}

void JsonlWriter::end_line() {
  text_ += "}\n";
  if (text_.size() >= kBlock) {
    out_ << text_;
    text_.clear();
  }
  line_begin_ = text_.size();
}

}  // namespace

void write_jsonl(const History& history, std::ostream& out) { JsonlWriter(history, out).write(); }

}  // namespace porpentine
