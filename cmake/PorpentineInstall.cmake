# `cmake --install`: the libraries, their headers, the command, and the package that find_package(porpentine) reads.
include(CMakePackageConfigHelpers)

# Whoever links the static libraries must find what these stand on, and can't where it was built in this tree.
foreach(library IN ITEMS absl::flat_hash_map simdjson::simdjson zlibstatic libzstd_static)
  if(TARGET ${library})
    get_target_property(from_system ${library} IMPORTED)
    if(NOT from_system)
      message(STATUS "porpentine: no install rules, since ${library} is not from the system")
      return()
    endif()
  endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/porpentine)
install(
  TARGETS porpentine_history porpentine_models porpentine_checker porpentine_visualize porpentine_simulate porpentine_porpentine
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
