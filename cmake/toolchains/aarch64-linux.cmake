# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on 64-bit Arm, with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(codekem_triplet aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-cpu;max;-L;/usr/aarch64-linux-gnu")
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
