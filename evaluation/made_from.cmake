# SPDX-License-Identifier: Apache-2.0 OR MIT
# Writes a header with a hash of the sources of codekem_dfr and codekem_lab, which they print: so a
# campaign sees which sources a program on another machine was built from.
#
# usage: cmake -DROOT=CHECKOUT -DOUT=HEADER -P made_from.cmake

file(
  GLOB_RECURSE sources
  RELATIVE "${ROOT}"
  "${ROOT}/include/*.h"
  "${ROOT}/src/*.[chS]"
  "${ROOT}/evaluation/dfr/*.[ch]"
  "${ROOT}/evaluation/lab/*.[ch]"
  "${ROOT}/evaluation/made_from.c"
)
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 "${ROOT}/${source}" hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
set(text "#define MADE_FROM \"${hash}\"\n")
set(before "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUT}" "${text}")
endif()
