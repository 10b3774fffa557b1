# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on 64-bit RISC-V, with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(codekem_triplet riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-riscv64;-L;/usr/riscv64-linux-gnu")
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
