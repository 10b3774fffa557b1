# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on 32-bit Arm (ARMv7-A), with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(codekem_triplet arm-linux-gnueabihf)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-arm;-cpu;cortex-a9;-L;/usr/arm-linux-gnueabihf")
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
