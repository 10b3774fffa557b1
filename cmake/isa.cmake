# SPDX-License-Identifier: Apache-2.0 OR MIT
# Leaves out the files with the suffix of an instruction set (gf2x_avx2.c) that this processor
# family cannot have. The files themselves say which instructions they use (src/common/base/isa.h);
# only where no compiler knows a form for that, flags are set here.

include(CheckCCompilerFlag)

set(
  codekem_isa_suffixes
  avx2
  vpclmul
  gfni
  avx512
  neon
  neon32
  neon64
  neon_sha3
  rvv
  zbc
  m4
  wasm
)
set(codekem_isa_avx2_processors "^(x86_64|AMD64|amd64)$")
set(codekem_isa_vpclmul_processors "${codekem_isa_avx2_processors}")
set(codekem_isa_gfni_processors "${codekem_isa_avx2_processors}")
set(codekem_isa_avx512_processors "${codekem_isa_avx2_processors}")
set(codekem_isa_neon64_processors "^(aarch64|arm64|ARM64)$")
set(codekem_isa_neon32_processors "^(arm|armv7.*|armv8l)$")
set(codekem_isa_neon_processors "${codekem_isa_neon64_processors}|${codekem_isa_neon32_processors}")
set(codekem_isa_neon_sha3_processors "${codekem_isa_neon64_processors}")
set(codekem_isa_rvv_processors "^riscv64$")
set(codekem_isa_zbc_processors "^riscv64$")
set(codekem_isa_m4_processors "^cortex-m4$")
set(codekem_isa_wasm_processors "^wasm32$")

if(CMAKE_C_COMPILER_ID MATCHES "^Clang$" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 16)
  set(codekem_isa_neon_sha3_flags -march=armv8.2-a+crypto+sha3)
endif()
# clang's arm_neon.h is there for 32-bit Arm only if the flags ask for NEON.
if(
  CMAKE_C_COMPILER_ID MATCHES "Clang"
  AND CMAKE_SYSTEM_PROCESSOR MATCHES "${codekem_isa_neon32_processors}"
)
  set(codekem_isa_neon_flags -mfpu=neon)
  set(codekem_isa_neon32_flags -mfpu=neon)
endif()
set(codekem_isa_zbc_flags -march=rv64gc_zbc)
# The toolchain file has the flags of the Cortex-M4 already; speed matters more than size here.
set(codekem_isa_m4_flags -O2)

# codekem_select_isa(<variable with sources> <variable for definitions>)
#
# Drops from the sources what this processor cannot have. Where flags are set, it defines
# CODEKEM_HAVE_<SUFFIX>, too; otherwise src/common/base/isa.h does.
function(codekem_select_isa sources_variable definitions_variable)
  set(sources ${${sources_variable}})
  set(definitions "")
  # Several processors at once, or a toolchain file that names none: the files know by themselves.
  set(unknown FALSE)
  if(CMAKE_OSX_ARCHITECTURES OR NOT CMAKE_SYSTEM_PROCESSOR)
    set(unknown TRUE)
  endif()
  foreach(suffix IN LISTS codekem_isa_suffixes)
    set(files ${sources})
    list(FILTER files INCLUDE REGEX "_${suffix}\\.(c|S)$")
    set(usable FALSE)
    if(
      (unknown AND NOT codekem_isa_${suffix}_flags)
      OR CMAKE_SYSTEM_PROCESSOR MATCHES "${codekem_isa_${suffix}_processors}"
    )
      set(usable TRUE)
    endif()
    if(usable AND files AND codekem_isa_${suffix}_flags)
      string(TOUPPER ${suffix} upper)
      check_c_compiler_flag("${codekem_isa_${suffix}_flags}" CODEKEM_COMPILER_HAS_${upper})
      set(usable ${CODEKEM_COMPILER_HAS_${upper}})
      if(usable)
        set_source_files_properties(
          ${files}
          PROPERTIES COMPILE_OPTIONS "${codekem_isa_${suffix}_flags}"
        )
        list(APPEND definitions CODEKEM_HAVE_${upper})
      endif()
    endif()
    if(NOT usable)
      list(FILTER sources EXCLUDE REGEX "_${suffix}\\.(c|S)$")
    endif()
  endforeach()
  set(${sources_variable} ${sources} PARENT_SCOPE)
  set(${definitions_variable} ${definitions} PARENT_SCOPE)
endfunction()
