# SPDX-License-Identifier: Apache-2.0 OR MIT
# Brings the folders of GNUInstallDirs, which users set, into one form: relative to the prefix where
# they lie below it, however they were given, absolute elsewhere; no "//", no slash at the end.

cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE codekem_install_prefix)
string(REGEX REPLACE "(.)/$" "\\1" codekem_install_prefix "${codekem_install_prefix}")
foreach(
  name
  BINDIR
  DATADIR
  INCLUDEDIR
  LIBDIR
  MANDIR
)
  cmake_path(
    ABSOLUTE_PATH CMAKE_INSTALL_${name}
    BASE_DIRECTORY "${codekem_install_prefix}"
    NORMALIZE
    OUTPUT_VARIABLE folder
  )
  string(REGEX REPLACE "(.)/$" "\\1" folder "${folder}")
  cmake_path(IS_PREFIX codekem_install_prefix "${folder}" below)
  if(below)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${codekem_install_prefix}")
  endif()
  set(CMAKE_INSTALL_${name} "${folder}")
endforeach()
