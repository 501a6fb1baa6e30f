#include "output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "output.h"

namespace porpentine::cli {
namespace {

/// Where a name leads; the name itself where nothing is there yet.
std::string follow_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved == nullptr ? path : resolved.get();
}

/// The permissions that a new file gets.
unsigned default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

[[noreturn]] void fail(const std::string& name, int error) {
  throw OutputError(name + ": " + std::generic_category().message(error));
}

}  // namespace

void require_writable(const std::string& path) {
  const std::string target = follow_links(path);
  struct stat status = {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, errno);
  if (exists && !S_ISREG(status.st_mode)) return;
  const std::string folder = std::filesystem::path(target).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
}

OutputFile::OutputFile(const std::string& path) : name_(path), target_(follow_links(path)) {
  require_writable(
      path);  // renaming over a file that is read-only would succeed, against the will of whoever made it so
  struct stat status = {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    open_directly();
  } else {
    open_temporary(exists ? status.st_mode & 07777U : default_mode());
  }
}

void OutputFile::open_directly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ == -1) fail(name_, errno);
}

void OutputFile::open_temporary(unsigned mode) {
  temporary_ = target_ + ".XXXXXX";
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ == -1) {
    temporary_.clear();
    fail(name_, errno);
  }
  ::fchmod(descriptor_, mode);
}

void OutputFile::commit() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(name_, errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(name_, errno);
  temporary_.clear();
}

OutputFile::~OutputFile() {
  if (descriptor_ != -1) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool overwrites_input(const std::string& input, const std::string& output) {
  struct stat source = {};
  struct stat target = {};
  const int found = input == "-" ? ::fstat(STDIN_FILENO, &source) : ::stat(input.c_str(), &source);
  if (found != 0 || ::stat(output.c_str(), &target) != 0) return false;
  return S_ISREG(source.st_mode) && source.st_dev == target.st_dev && source.st_ino == target.st_ino;
}

}  // namespace porpentine::cli
