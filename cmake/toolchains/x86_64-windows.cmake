# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Windows on x86-64, with Debian's mingw-w64; runs under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(codekem_triplet x86_64-w64-mingw32)
# The one whose threads are those of C++.
set(CMAKE_CXX_COMPILER ${codekem_triplet}-g++-posix)
set(CMAKE_RC_COMPILER ${codekem_triplet}-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
