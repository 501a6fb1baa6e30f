// A file that is either written whole or not touched.
#pragma once

#include <string>

namespace porpentine::cli {

/// Writes to a temporary file beside the target, which commit() puts in its place. Devices and pipes are written
/// directly. Failures throw OutputError.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;  // it owns a descriptor and a temporary file
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Everything must have been written to the descriptor.
  void commit();

 private:
  void open_directly();
  void open_temporary(unsigned mode);

  std::string name_;       ///< as the caller wrote it
  std::string target_;     ///< with symbolic links followed
  std::string temporary_;  ///< empty where there is none
  int descriptor_ = -1;
};

/// Throws OutputError where a file of that name can't be written, so that long work is not done in vain.
void require_writable(const std::string& path);

/// Whether `output` names the regular file that `input` ("-": standard input) is read from.
[[nodiscard]] bool overwrites_input(const std::string& input, const std::string& output);

}  // namespace porpentine::cli
