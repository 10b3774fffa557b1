# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on 32-bit x86, with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(codekem_triplet i686-linux-gnu)
# The loader would take another version of libc that this machine has for 32-bit programs.
set(
  CMAKE_CROSSCOMPILING_EMULATOR
  "qemu-i386;-E;LD_LIBRARY_PATH=/usr/i686-linux-gnu/lib;-L;/usr/i686-linux-gnu"
)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
