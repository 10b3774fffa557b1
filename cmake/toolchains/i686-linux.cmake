# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on 32-bit x86, with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(codekem_triplet i686-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-i386;-L;/usr/i686-linux-gnu")
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
