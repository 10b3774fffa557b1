# SPDX-License-Identifier: Apache-2.0 OR MIT
# After an installation on Linux: renews the cache of the loader, so that programs find the shared
# library at once; where the loader does not look, says what a program needs instead. With DESTDIR
# nothing is done: the files are not in their place yet.
#
# CODEKEM_LIBDIR        the folder of libraries, absolute or below the prefix
# CMAKE_INSTALL_PREFIX  the prefix now

if(NOT "$ENV{DESTDIR}" STREQUAL "")
  return()
endif()
find_program(CODEKEM_LDCONFIG ldconfig PATHS /usr/sbin /sbin)
if(NOT CODEKEM_LDCONFIG)
  return()
endif()

cmake_path(
  ABSOLUTE_PATH CODEKEM_LIBDIR
  BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
  NORMALIZE
  OUTPUT_VARIABLE folder
)
execute_process(
  COMMAND "${CODEKEM_LDCONFIG}" -v -N -X # shows the folders and changes nothing
  OUTPUT_VARIABLE shown
  ERROR_QUIET
)
string(REGEX MATCHALL "(^|\n)/[^:\n]+:" lines "${shown}")
file(REAL_PATH "${folder}" real_folder)
set(known FALSE)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\n|:$" "" place "${line}")
  if(EXISTS "${place}")
    file(REAL_PATH "${place}" place)
  endif()
  if(place STREQUAL real_folder)
    set(known TRUE)
  endif()
endforeach()

if(NOT known)
  message(
    "
Programs do not find a library in ${folder} by themselves. Build one like this:

export PKG_CONFIG_PATH=${folder}/pkgconfig
cc app.c $(pkg-config --cflags --libs codekem) -Wl,-rpath,${folder}"
  )
  return()
endif()
execute_process(COMMAND "${CODEKEM_LDCONFIG}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
  message("\nRun ldconfig as root, so that programs find the library in ${folder}.")
endif()
