# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: Linux on this machine's processor with the C library musl, with Debian's
# musl-tools. Programs are static and run here.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_HOST_SYSTEM_PROCESSOR})
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
