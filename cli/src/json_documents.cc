#include "json_documents.h"

#include <porpentine/history/json_writer.h>

namespace porpentine::cli {

void JsonDocuments::add(const std::function<void(std::ostream&)>& write) {
  const bool array = count_ > 1;
  if (array && written_ == 0) out_ << "[\n";
  ++written_;
  write(out_);
  out_ << (written_ < count_ ? ",\n" : "\n");
  if (array && written_ == count_) out_ << "]\n";
}

std::string json_error(std::string_view file, const Error& error) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().name("file").string(file);
  json.name("error").begin_object().name("line");
  if (error.line == 0) {
    json.raw("null");
  } else {
    json.number(error.line);
  }
  json.name("message").string(error.message).end_object().end_object();
  return text;
}

}  // namespace porpentine::cli
