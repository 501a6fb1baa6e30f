# What porpentine stands on: from the system where it is there, fetched and built where it is not.
include(FetchContent)

# SYSTEM comes first, since CMake 3.25 takes it for one more URL where it comes after one.
FetchContent_Declare(
  absl
  SYSTEM
  URL https://github.com/abseil/abseil-cpp/archive/refs/tags/20240722.0.tar.gz
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(
  simdjson
  SYSTEM
  URL https://github.com/simdjson/simdjson/archive/refs/tags/v3.10.1.tar.gz
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(
  ZLIB
  SYSTEM
  URL https://github.com/madler/zlib/archive/refs/tags/v1.3.1.tar.gz
  FIND_PACKAGE_ARGS)
FetchContent_Declare(
  zstd
  SYSTEM
  URL https://github.com/facebook/zstd/archive/refs/tags/v1.5.6.tar.gz
  SOURCE_SUBDIR build/cmake
  FIND_PACKAGE_ARGS)
# Only its header is used, so there is nothing to build: the folder of its CMakeLists.txt is left alone.
FetchContent_Declare(
  xxhash
  SYSTEM
  URL https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS)
FetchContent_Declare(
  CLI11
  SYSTEM
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(
  Catch2
  SYSTEM
  URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(
  benchmark
  SYSTEM
  URL https://github.com/google/benchmark/archive/refs/tags/v1.9.0.tar.gz
  FIND_PACKAGE_ARGS CONFIG)

# Fetched ones build their libraries and nothing else.
block()
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(BUILD_TESTING OFF)
  set(ABSL_PROPAGATE_CXX_STD ON)
  set(ZLIB_BUILD_EXAMPLES OFF)
  set(ZSTD_BUILD_PROGRAMS OFF)
  set(ZSTD_BUILD_SHARED OFF)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  FetchContent_MakeAvailable(absl simdjson ZLIB zstd xxhash)
  if(NOT TARGET ZLIB::ZLIB)
    add_library(ZLIB::ZLIB INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ZLIB::ZLIB INTERFACE zlibstatic)
    target_include_directories(ZLIB::ZLIB INTERFACE ${zlib_SOURCE_DIR} ${zlib_BINARY_DIR})
  endif()
  if(NOT TARGET zstd::zstd)
    add_library(zstd::zstd INTERFACE IMPORTED GLOBAL)
    target_link_libraries(zstd::zstd INTERFACE libzstd_static)
    target_include_directories(zstd::zstd INTERFACE ${zstd_SOURCE_DIR}/lib)
  endif()
  if(NOT TARGET xxHash::xxhash)
    add_library(xxHash::xxhash INTERFACE IMPORTED GLOBAL)
    target_include_directories(xxHash::xxhash INTERFACE ${xxhash_SOURCE_DIR})
  endif()
  if(PORPENTINE_BUILD_CLI OR PORPENTINE_BUILD_BENCH)
    FetchContent_MakeAvailable(CLI11)
  endif()
  if(PORPENTINE_BUILD_TESTS)
    FetchContent_MakeAvailable(Catch2)
  endif()
  if(PORPENTINE_BUILD_BENCH)
    FetchContent_MakeAvailable(benchmark)
  endif()
endblock()
find_package(Threads REQUIRED)
