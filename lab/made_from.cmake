# SPDX-License-Identifier: Apache-2.0 OR MIT
# Writes a header with a hash of the sources of codekem_dfr and codekem_lab, which they print: so a
# campaign sees which sources a program on another machine was built from.
#
# usage: cmake -DROOT=CHECKOUT -DOUT=HEADER -P made_from.cmake

include("${CMAKE_CURRENT_LIST_DIR}/made_from_sources.cmake")
set(all "")
foreach(source ${sources})
  file(SHA256 "${ROOT}/${source}" hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
file(WRITE "${OUT}" "#define MADE_FROM \"${hash}\"\n")
