# `cmake --install`: the libraries, their headers, the command, and the package that find_package(porpentine) reads.
include(CMakePackageConfigHelpers)

# Static libraries are linked with what they stand on, and only a package of the system can be found again.
foreach(dependency IN ITEMS absl simdjson zlib zstd)
  if(DEFINED ${dependency}_SOURCE_DIR)
    message(STATUS "porpentine: nothing can be installed, since ${dependency} is not from the system")
    return()
  endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/porpentine)
install(
  TARGETS porpentine_history porpentine_models porpentine_checker porpentine_porpentine
  EXPORT porpentine
  FILE_SET HEADERS)
install(
  EXPORT porpentine
  NAMESPACE porpentine::
  FILE porpentine-targets.cmake
  DESTINATION ${package_dir})
configure_package_config_file(cmake/porpentine-config.cmake.in porpentine-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(porpentine-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/porpentine-config.cmake ${PROJECT_BINARY_DIR}/porpentine-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cmake/Findzstd.cmake
  DESTINATION ${package_dir})
if(TARGET porpentine)
  install(TARGETS porpentine)
endif()
