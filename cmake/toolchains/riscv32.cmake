# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds for a bare RISC-V processor of 32 bits (rv32im) with Debian's gcc-riscv64-unknown-elf and
# picolibc. Not rv32im_zicsr: picolibc has no library under that name.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(codekem_riscv32_flags "-march=rv32im -mabi=ilp32")
set(
  CMAKE_C_FLAGS_INIT
  "${codekem_riscv32_flags} --specs=picolibc.specs -ffunction-sections -fdata-sections"
)
set(CMAKE_ASM_FLAGS_INIT "${codekem_riscv32_flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections")
# There is no system to link a test program for.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
