# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds for a bare Cortex-M4 with Debian's gcc-arm-none-eabi and newlib. No FPU is used, so the
# code also runs on an M4 without one.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(
  CMAKE_C_FLAGS_INIT
  "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft -ffunction-sections -fdata-sections"
)
set(CMAKE_ASM_FLAGS_INIT "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft")
set(CMAKE_EXE_LINKER_FLAGS_INIT "--specs=nano.specs -Wl,--gc-sections")
# There is no system to link a test program for.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(
  CMAKE_CROSSCOMPILING_EMULATOR
  qemu-system-arm
  -M
  mps2-an386
  -nographic
  -monitor
  none
  -serial
  null
  -semihosting-config
  enable=on,target=native
  -icount
  shift=6
  -kernel
)
