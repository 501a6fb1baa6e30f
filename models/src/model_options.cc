#include "model_options.h"

#include <algorithm>

#include "json_value.h"
#include "words.h"

namespace porpentine::detail {

namespace {

/// Where the value that starts `text` ends: at the next colon that is in no quotes and brackets, also where these are
/// never closed.
std::size_t value_end(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ':' && depth <= 0) return i;
  }
  return text.size();
}

Error usage(std::string message) { return {ErrorCode::usage, std::move(message)}; }

/// Digits and what numbers are written with, and nothing else: whoever writes that means a number.
bool looks_like_number(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

bool looks_like_json(std::string_view text) {
  return !text.empty() && (text.front() == '"' || text.front() == '[' || text.front() == '{');
}

std::string described(const ModelOption& option) {
  return option.value.empty() ? option.name : option.name + "=" + option.value;
}

Error unknown_option(const std::string& name, const ModelInfo& info) {
  std::vector<std::string> names;
  std::vector<std::string> all;
  for (const ModelOption& option : info.options) {
    names.push_back(option.name);
    all.push_back(described(option));
  }
  const std::string known = all.empty() ? " (it has none)" : " (it has " + list(all) + ")";
  return usage("the model " + info.name + " has no option \"" + name + "\"" + did_you_mean(name, names) + known);
}

/// What is wrong with the option, if anything.
std::optional<Error> wrong(const std::string& name, const std::optional<std::string>& value, const ModelInfo& info) {
  const auto known = std::find_if(info.options.begin(), info.options.end(),
                                  [&](const ModelOption& option) { return option.name == name; });
  if (known == info.options.end()) return unknown_option(name, info);
  const bool is_switch = known->value.empty() || known->value == "false";
  if (is_switch) {
    if (!value || *value == "true" || *value == "false") return std::nullopt;
    return usage("the option " + name + " of the model " + info.name + " is true or false, not \"" + *value + "\"");
  }
  if (value && (looks_like_number(*value) || looks_like_json(*value))) {
    ValueTable values;
    if (!parse_json(*value, values)) {
      const char* const what = looks_like_json(*value) ? "is no JSON" : "is no number that can be held exactly";
      return usage("the option " + name + " of the model " + info.name + " " + what + ": " + *value +
                   " (as text, write it in quotes)");
    }
  }
  if (!value)
    return usage("the option " + name + " of the model " + info.name + " needs a value: " + described(*known));
  if (known->value != "VALUE" && *value != known->value) {
    return usage("the option " + name + " of the model " + info.name + " can only be " + described(*known) +
                 ", not \"" + *value + "\"");
  }
  return std::nullopt;
}

}  // namespace

Result<ModelOptions> ModelOptions::parse(std::string_view text, const ModelInfo& info) {
  ModelOptions options;
  options.text_ = text;
  std::size_t at = model_name(text).size();
  while (at < text.size()) {
    const std::string_view rest = text.substr(at + 1);
    const std::size_t name_end = std::min(rest.find_first_of("=:"), rest.size());
    const std::string name(rest.substr(0, name_end));
    std::optional<std::string> value;
    at += 1 + name_end;
    if (name_end < rest.size() && rest[name_end] == '=') {
      const std::string_view after = rest.substr(name_end + 1);
      value = after.substr(0, value_end(after));
      at += 1 + value->size();
    }
    if (auto error = wrong(name, value, info)) return *std::move(error);
    if (options.find(name) != nullptr) return usage("the option " + name + " is given twice");
    options.options_.push_back({name, std::move(value)});
  }
  return options;
}

const ModelOptions::Option* ModelOptions::find(std::string_view name) const {
  const auto place =
      std::find_if(options_.begin(), options_.end(), [&](const Option& option) { return option.name == name; });
  return place == options_.end() ? nullptr : &*place;
}

bool ModelOptions::is_on(std::string_view option, bool otherwise) const {
  const Option* const found = find(option);
  return found == nullptr ? otherwise : found->value != "false";
}

ValueId ModelOptions::json(std::string_view option, ValueTable& values) const {
  const Option* const found = find(option);
  if (found == nullptr) return kNull;
  const std::optional<ValueId> value = parse_json(*found->value, values);
  return value ? *value : values.string(*found->value);
}

}  // namespace porpentine::detail
