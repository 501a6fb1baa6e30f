// Takes "name:option=value:option" apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <porpentine/history/result.h>
#include <porpentine/history/value.h>
#include <porpentine/models/specification.h>

namespace porpentine::detail {

class ModelOptions {
 public:
  /// An Error of code usage where `info` has no such option, or where a value is missing or superfluous.
  static Result<ModelOptions> parse(std::string_view text, const ModelInfo& info);

  /// The part before the first colon.
  static std::string_view model_name(std::string_view text) { return text.substr(0, text.find(':')); }

  /// As the user wrote it.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Whether the option is there and not `=false`; `otherwise` where it isn't there.
  [[nodiscard]] bool is_on(std::string_view option, bool otherwise = false) const;
  /// Its value, JSON or else text; null where it isn't there.
  [[nodiscard]] ValueId json(std::string_view option, ValueTable& values) const;

 private:
  struct Option {
    std::string name;
    std::optional<std::string> value;
  };
  [[nodiscard]] const Option* find(std::string_view name) const;

  std::string text_;
  std::vector<Option> options_;
};

}  // namespace porpentine::detail
