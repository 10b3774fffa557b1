# SPDX-License-Identifier: Apache-2.0 OR MIT
# Toolchain file: WebAssembly with 32-bit addresses, with Debian's clang 19, lld and wasi-libc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER clang-19)
endif()
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# CMake does not know this system, so the test program of the compiler is a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
