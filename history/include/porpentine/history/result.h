// Errors as values: what a function returns when its input may be malformed.
//
// Malformed input is never a verdict and never an exception: every function that reads something a
// person wrote returns a Result<T>, which holds either the value or one Error with its place.
// The library itself never prints, aborts or exits.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace porpentine {

enum class ErrorCode : std::uint8_t {
  io,          ///< the file can't be opened, read or decompressed
  syntax,      ///< a line that is not JSON, EDN, UTF-8 or whatever the format asks for
  field,       ///< a field is missing or has the wrong type or range
  order,       ///< completions, invocations and times that contradict one another
  vocabulary,  ///< an `f`, a value or an option that the model doesn't know
  usage,       ///< the caller asked for something that does not exist
  limit,       ///< a limit of the caller's was reached, or the caller cancelled: nothing is said about the input
};

/// What was wrong with an input, and where. `line` counts from 1; 0 means "no particular line".
struct Error {
  ErrorCode code = ErrorCode::syntax;
  std::string message;    ///< one line, without the place
  std::string file = {};  ///< as the caller named it; "-" is standard input; may be empty
  std::uint64_t line = 0;

  /// "FILE:LINE: message", leaving out what is not known.
  [[nodiscard]] std::string to_string() const {
    std::string text = file;
    if (line != 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
    return text.empty() ? message : text + ": " + message;
  }
};

/// Thrown by Result<T>::value() alone.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Error error) : std::runtime_error(error.to_string()), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

/// A T or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value; throws InputError where there is none.
  T& value() & { return require(), *std::get_if<0>(&content_); }
  const T& value() const& { return require(), *std::get_if<0>(&content_); }
  T&& value() && { return require(), std::move(*std::get_if<0>(&content_)); }

  T& operator*() & { return *std::get_if<0>(&content_); }
  const T& operator*() const& { return *std::get_if<0>(&content_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&content_)); }
  T* operator->() { return std::get_if<0>(&content_); }
  const T* operator->() const { return std::get_if<0>(&content_); }

  /// Only where has_value() is false.
  [[nodiscard]] const Error& error() const& { return *std::get_if<1>(&content_); }
  [[nodiscard]] Error&& error() && { return std::move(*std::get_if<1>(&content_)); }

 private:
  void require() const {
    if (!has_value()) throw InputError(*std::get_if<1>(&content_));
  }
  std::variant<T, Error> content_;
};

}  // namespace porpentine
