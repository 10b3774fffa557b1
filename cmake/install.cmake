# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the libraries, the public headers, the pkg-config files and the CMake package.
# The command's own files (binary, man page, completions) are installed by apps/command.

include(CMakePackageConfigHelpers)

set(codekem_headers include/codekem.h)
if(TARGET codekem_hybrid)
  list(APPEND codekem_headers include/codekem_hybrid.h)
endif()
if(TARGET codekem_legacy)
  list(APPEND codekem_headers include/codekem_legacy.h)
endif()
if(TARGET codekem_masked)
  list(APPEND codekem_headers include/codekem_masked.h)
endif()
if(TARGET codekem_sofia)
  list(APPEND codekem_headers include/codekem_sofia.h)
endif()
if(TARGET codekem_mceliece)
  list(APPEND codekem_headers include/codekem_mceliece.h)
endif()
install(FILES ${codekem_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS ${codekem_installed} EXPORT codekem-targets)

# Paths in the pkg-config files follow the file when the whole tree is moved; they are written out
# where a folder is not below the prefix, which cmake/install_folders.cmake has left absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  cmake_path(NORMAL_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE codekem_pc_prefix)
else()
  cmake_path(
    RELATIVE_PATH codekem_install_prefix
    BASE_DIRECTORY "${codekem_install_prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    OUTPUT_VARIABLE codekem_pc_prefix
  )
  set(codekem_pc_prefix "\${pcfiledir}/${codekem_pc_prefix}")
endif()
foreach(name libdir includedir)
  string(TOUPPER "CMAKE_INSTALL_${name}" folder)
  set(codekem_pc_${name} "\${prefix}/${${folder}}")
  if(IS_ABSOLUTE "${${folder}}")
    set(codekem_pc_${name} "${${folder}}")
  endif()
endforeach()
set(codekem_packages codekem)
if(TARGET codekem_hybrid)
  list(APPEND codekem_packages codekem-hybrid)
endif()
if(TARGET codekem_legacy)
  list(APPEND codekem_packages codekem-legacy)
  set(codekem_legacy_requires "")
  if(CODEKEM_LEGACY_AES)
    set(codekem_legacy_requires "libcrypto >= 3.0")
  endif()
endif()
if(TARGET codekem_masked)
  list(APPEND codekem_packages codekem-masked)
endif()
if(TARGET codekem_sofia)
  list(APPEND codekem_packages codekem-sofia)
endif()
if(TARGET codekem_mceliece)
  list(APPEND codekem_packages codekem-mceliece)
endif()
foreach(package IN LISTS codekem_packages)
  configure_file("cmake/${package}.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
  install(
    FILES "${PROJECT_BINARY_DIR}/${package}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  )
endforeach()

set(codekem_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/codekem")
install(EXPORT codekem-targets NAMESPACE codekem:: DESTINATION "${codekem_cmake_dir}")
configure_package_config_file(
  cmake/codekem-config.cmake.in
  "${PROJECT_BINARY_DIR}/codekem-config.cmake"
  INSTALL_DESTINATION "${codekem_cmake_dir}"
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/codekem-config-version.cmake"
  COMPATIBILITY SameMinorVersion
)
install(
  FILES
    "${PROJECT_BINARY_DIR}/codekem-config.cmake"
    "${PROJECT_BINARY_DIR}/codekem-config-version.cmake"
  DESTINATION "${codekem_cmake_dir}"
)

if(TARGET codekem_shared AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "set(CODEKEM_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")")
  install(SCRIPT cmake/loader_cache.cmake)
endif()
