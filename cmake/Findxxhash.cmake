# xxHash::xxhash, the header alone: it holds all of the hash where XXH_INLINE_ALL is defined.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
mark_as_advanced(XXHASH_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxhash REQUIRED_VARS XXHASH_INCLUDE_DIR)

if(xxhash_FOUND AND NOT TARGET xxHash::xxhash)
  add_library(xxHash::xxhash INTERFACE IMPORTED GLOBAL)
  target_include_directories(xxHash::xxhash INTERFACE ${XXHASH_INCLUDE_DIR})
endif()
