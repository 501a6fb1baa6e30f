#include "memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace porpentine::cli {
namespace {

std::uint64_t page_size() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

std::uint64_t physical_memory() { return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_size(); }

/// The limit of the control group, which is what a container may hold.
std::uint64_t container_memory() {
  std::uint64_t bytes = 0;
  std::ifstream file("/sys/fs/cgroup/memory.max");
  return file >> bytes ? bytes : std::numeric_limits<std::uint64_t>::max();  // it reads "max" where there is none
}

}  // namespace

void return_large_blocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);  // left alone, glibc raises it to the largest block that was ever freed
#endif
}

std::uint64_t resident_memory() {
#ifdef __GLIBC__
  malloc_trim(0);  // what an earlier history took is free again, but not yet returned
#endif
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * page_size();
}

std::uint64_t default_memory_limit() { return std::min(physical_memory(), container_memory()) / 5 * 4; }

}  // namespace porpentine::cli
