// Writing to descriptors such that a failed write is noticed and told.
#pragma once

#include <array>
#include <atomic>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>

namespace porpentine::cli {

/// A write that failed. what() is "NAME: why".
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A descriptor as a stream. It is not closed here, and nothing is written after the first failure.
class Output {
 public:
  /// `name` stands in errors. Once `*cancel` is true, writing fails.
  Output(int descriptor, std::string name, const std::atomic<bool>* cancel = nullptr);

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Writes what is buffered; throws OutputError where this or an earlier write failed.
  void flush();

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(int descriptor, const std::atomic<bool>* cancel);
    [[nodiscard]] int error() const { return error_; }  ///< errno of the first failure, or 0

   protected:
    int_type overflow(int_type character) override;
    int sync() override;

   private:
    bool drain();

    int descriptor_;
    const std::atomic<bool>* cancel_;
    int error_ = 0;
    std::array<char, 1 << 16> bytes_;
  };

  std::string name_;
  Buffer buffer_;
  std::ostream stream_;
};

/// One line on standard error: "porpentine: MESSAGE".
void print_error(std::string_view message);

}  // namespace porpentine::cli
