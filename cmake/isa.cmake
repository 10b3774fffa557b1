# SPDX-License-Identifier: Apache-2.0 OR MIT
# Gives each file with an instruction-set suffix (gf2x_avx2.c) its compiler flags, and leaves out
# the files that this processor family or compiler cannot build.

include(CheckCCompilerFlag)

set(
  codekem_isa_suffixes
  avx2
  avx512
  neon
  neon_sha3
  zbc
  m4
)
set(codekem_isa_avx2_processors "^(x86_64|AMD64|amd64)$")
set(
  codekem_isa_avx2_flags
  -mavx2
  -mpclmul
  -mbmi
  -mbmi2
  -mlzcnt
  -mpopcnt
)
set(codekem_isa_avx512_processors ${codekem_isa_avx2_processors})
set(
  codekem_isa_avx512_flags
  ${codekem_isa_avx2_flags}
  -mavx512f
  -mavx512bw
  -mavx512dq
  -mavx512vl
  -mavx512vbmi
  -mavx512vbmi2
  -mavx512vpopcntdq
  -mvpclmulqdq
  -mgfni
  -mprefer-vector-width=512
)
set(codekem_isa_neon_processors "^(aarch64|arm64|ARM64)$")
set(codekem_isa_neon_flags -march=armv8-a+crypto)
set(codekem_isa_neon_sha3_processors ${codekem_isa_neon_processors})
set(codekem_isa_neon_sha3_flags -march=armv8.2-a+crypto+sha3)
set(codekem_isa_zbc_processors "^riscv64$")
set(codekem_isa_zbc_flags -march=rv64gc_zbc)

# The toolchain file has the flags of the Cortex-M4 already; speed matters more than size here.
set(codekem_isa_m4_processors "^cortex-m4$")
set(codekem_isa_m4_flags -O2)
set(codekem_isa_m4_pointer_bytes 4)

# codekem_select_isa(<variable with sources> <variable for definitions>)
#
# Drops from the sources what cannot be built, sets the flags of the rest, and defines
# CODEKEM_HAVE_<SUFFIX> for every instruction set that has files here and stays in.
function(codekem_select_isa sources_variable definitions_variable)
  set(sources ${${sources_variable}})
  set(definitions "")
  foreach(suffix IN LISTS codekem_isa_suffixes)
    string(TOUPPER ${suffix} upper)
    set(files ${sources})
    list(FILTER files INCLUDE REGEX "_${suffix}\\.(c|S)$")
    set(usable FALSE)
    set(pointer_bytes 8)
    if(codekem_isa_${suffix}_pointer_bytes)
      set(pointer_bytes ${codekem_isa_${suffix}_pointer_bytes})
    endif()
    if(
      files
      AND CMAKE_SYSTEM_PROCESSOR MATCHES "${codekem_isa_${suffix}_processors}"
      AND CMAKE_SIZEOF_VOID_P EQUAL ${pointer_bytes}
    )
      set(flags ${codekem_isa_${suffix}_flags})
      string(REPLACE ";" " " flags_text "${flags}")
      check_c_compiler_flag("${flags_text}" CODEKEM_COMPILER_HAS_${upper})
      set(usable ${CODEKEM_COMPILER_HAS_${upper}})
    endif()
    if(usable)
      set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "${flags}")
      list(APPEND definitions CODEKEM_HAVE_${upper})
    else()
      list(FILTER sources EXCLUDE REGEX "_${suffix}\\.(c|S)$")
    endif()
  endforeach()
  set(${sources_variable} ${sources} PARENT_SCOPE)
  set(${definitions_variable} ${definitions} PARENT_SCOPE)
endfunction()
