# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the toolchain files of this folder share: Debian's gcc for the triplet, or clang with
# -DCMAKE_C_COMPILER=clang, and the libraries below /usr/<triplet>.
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER ${codekem_triplet}-gcc)
endif()
set(CMAKE_C_COMPILER_TARGET ${codekem_triplet}) # gcc has it built in
list(APPEND CMAKE_FIND_ROOT_PATH /usr/${codekem_triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
