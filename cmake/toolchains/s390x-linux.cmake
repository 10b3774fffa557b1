# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on s390x, big-endian, with Debian's cross compiler; runs under QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(codekem_triplet s390x-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-s390x;-L;/usr/s390x-linux-gnu")
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
