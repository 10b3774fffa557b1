# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the library need that is built: tools/graph/CMakeLists.txt has the functions.

set(libraries codekem_static codekem_legacy codekem_sofia codekem_mceliece)
set(objects codekem_objects codekem_legacy codekem_mceliece codekem_sofia)
set(with_clang CMAKE_C_COMPILER=clang CODEKEM_BUILD_CLI=OFF)
set(small CODEKEM_SMALL=ON CODEKEM_BUILD_CLI=OFF)

# --- This processor -------------------------------------------------------------------------------

made_build(gcc TARGETS all codekem_internals)
foreach(folder unit kat)
  made_build(gcc FOR ${folder} TARGETS codekem_tests)
  made_build(clang FOR ${folder} TARGETS codekem_tests)
  made_build(asan-ubsan FOR ${folder} TARGETS codekem_tests)
  made_build(msan FOR ${folder} LONG TARGETS codekem_tests)
  made_build(debug FOR ${folder} LONG TARGETS codekem_tests)
endforeach()
made_build(gcc FOR unit OPTIONS CODEKEM_SANITIZE=thread TARGETS test_threads)
made_build(clang FOR unit LONG OPTIONS CODEKEM_SANITIZE=thread TARGETS test_threads)
made_build(clang-16 FOR kat LONG TARGETS kat_check)
made_build(gcc FOR kat LONG OPTIONS CMAKE_C_FLAGS_RELEASE=-Os TARGETS kat_check)

foreach(preset gcc asan-ubsan msan)
  made_build(${preset} FOR properties TARGETS contract_check)
endforeach()
made_build(asan-ubsan FOR legacy TARGETS codekem_legacy)
made_build(msan FOR legacy TARGETS kat_check)

made_build(clang FOR packaging TARGETS ${libraries} codekem_shared)
made_build(clang FOR packaging TARGETS all)
made_build(debug FOR packaging LONG TARGETS codekem_static codekem_sofia)
made_build(
  default
  FOR packaging
  OPTIONS
    CODEKEM_BUILD_CLI=OFF
    CODEKEM_BUILD_LEGACY=ON
    CODEKEM_LEGACY_AES=OFF
    CODEKEM_BUILD_MCELIECE=ON
    CODEKEM_BUILD_SOFIA=ON
    CODEKEM_KEMS=HQC-1
    CODEKEM_MCELIECE_KEMS=mceliece348864
    CMAKE_BUILD_TYPE=Debug
    CMAKE_C_FLAGS_DEBUG=-O0
)

made_build(clang FOR memory TARGETS ${libraries} guard_page memory_check sofia_memory)
made_build(gcc FOR memory OPTIONS ${small} TARGETS memory_check)
made_build(clang FOR memory LONG OPTIONS ${small} TARGETS memory_check)
made_build(
  gcc
  FOR memory
  OPTIONS CMAKE_C_FLAGS=-fno-stack-clash-protection CODEKEM_HAVE_STACK_CLASH_PROTECTION=OFF
  TARGETS guard_page
)

made_build(asan-ubsan FOR sanitizers TARGETS sanitizer_probe sofia_check mceliece_check)
made_build(msan FOR sanitizers TARGETS sanitizer_probe sofia_check mceliece_check)
made_build(asan-ubsan FOR sanitizers OPTIONS ${with_clang} TARGETS sofia_check)
made_build(
  asan-ubsan
  FOR sanitizers
  LONG
  OPTIONS ${with_clang}
  TARGETS codekem_tests sanitizer_probe mceliece_check
)
set(
  fuzzers
  fuzz_encaps
  fuzz_decaps
  fuzz_mceliece
  fuzz_sofia
  fuzz_planted
  fuzz_mceliece_planted
)

# --- Constant time --------------------------------------------------------------------------------

set(
  harnesses
  ct_harness
  ct_harness_leak1
  ct_harness_leak2
  ct_mathematics
  ct_sofia
  ct_sofia_leak
  codekem_mceliece
)
set(
  traced
  trace_compare
  trace_compare_leak1
  trace_compare_leak2
  trace_sofia
  trace_sofia_leak
)
list(APPEND traced trace_mceliece trace_mceliece_leak)
made_build(gcc FOR constant_time TARGETS ${traced})
made_build(clang FOR constant_time LONG TARGETS ${traced})
made_build(gcc FOR constant_time LONG TARGETS timing_test)
made_build(clang FOR constant_time TARGETS ${objects})
made_build(gcc FOR constant_time LONG OPTIONS CMAKE_C_FLAGS_RELEASE=-Os TARGETS ${objects})

# The harness with a compiler, an optimisation and a checker; LONG, and targets.
function(checked checker compiler optimisation)
  set(preset clang)
  set(aes ON)
  if(compiler STREQUAL gcc)
    set(preset gcc)
  endif()
  if(checker STREQUAL msan)
    set(aes OFF) # libcrypto is not instrumented
  endif()
  made_build(
    ${preset}
    FOR constant_time
    OPTIONS
      CMAKE_C_COMPILER=${compiler}
      CODEKEM_CHECK=${checker}
      "CMAKE_C_FLAGS_RELEASE=${optimisation} -DNDEBUG"
      CODEKEM_BUILD_CLI=OFF
      CODEKEM_BUILD_LEGACY=ON
      CODEKEM_LEGACY_AES=${aes}
    ${ARGN}
  )
endfunction()
set(quick gcc-O2 clang-Os)
foreach(compiler gcc clang clang-16)
  foreach(optimisation -O2 -O3 -Os)
    set(long LONG)
    if("${compiler}${optimisation}" IN_LIST quick)
      set(long "")
    endif()
    checked(valgrind ${compiler} ${optimisation} ${long} TARGETS ${harnesses})
    checked(valgrind ${compiler} ${optimisation} LONG TARGETS mceliece_leaks mceliece_leaks_leak)
  endforeach()
endforeach()
foreach(optimisation -O3 -Os)
  checked(msan clang-16 ${optimisation} LONG TARGETS ${harnesses})
endforeach()
checked(msan clang-16 -O2 TARGETS ${harnesses} mceliece_leaks mceliece_leaks_leak)
checked(valgrind gcc -O2 TARGETS mceliece_leaks mceliece_leaks_leak)
set(vectors CODEKEM_CHECK=wasm CMAKE_C_FLAGS=-msimd128 "CMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG")
made_build(wasm32 FOR constant_time OPTIONS ${vectors} TARGETS codekem_static)

# --- Other processors and systems -----------------------------------------------------------------

set(
  emulated
  kat_check
  conformance
  memory_check
  run_operation
  mceliece_check
  sofia_check
)
foreach(
  processor
  aarch64
  armv7
  riscv64
  riscv64-zbc
  s390x
  i686
)
  set(long "")
  if(processor STREQUAL riscv64-zbc)
    set(long LONG)
  endif()
  made_build(${processor} FOR constant_time ${long} TARGETS ${objects})
  made_build(${processor} FOR platforms TARGETS ${emulated} run_sofia)
  made_build(${processor} FOR platforms TARGETS codekem_tests)
  made_build(${processor} FOR platforms LONG TARGETS run_mceliece run_mceliece_leak run_sofia_leak)
  made_build(${processor} FOR packaging LONG TARGETS ${libraries})
endforeach()
made_build(aarch64 FOR platforms TARGETS run_mceliece run_mceliece_leak run_sofia_leak)
made_build(armv7 FOR platforms TARGETS run_mceliece)
made_build(aarch64 FOR packaging TARGETS codekem_static codekem_sofia)
made_build(gcc FOR platforms TARGETS trace_plugin)
made_build(gcc FOR platforms OPTIONS ${small} TARGETS conformance)
made_build(clang FOR platforms TARGETS conformance)
made_build(asan-ubsan FOR platforms TARGETS conformance)
made_build(msan FOR platforms TARGETS conformance)
made_build(
  x86_64-windows
  FOR platforms
  TARGETS kat_check conformance small_thread codekem_shared codekem_static
)
made_build(musl FOR platforms TARGETS kat_check conformance small_thread)
made_build(
  x86_64-windows
  FOR platforms
  LONG
  OPTIONS CMAKE_C_COMPILER=clang-19
  TARGETS kat_check
)
foreach(flags "" "-msimd128")
  foreach(size "" CODEKEM_SMALL=OFF)
    made_build(
      wasm32
      FOR platforms
      OPTIONS CMAKE_C_FLAGS=${flags} CODEKEM_BUILD_LEGACY=ON CODEKEM_LEGACY_AES=OFF ${size}
      TARGETS codekem_static codekem_legacy
    )
  endforeach()
endforeach()
made_build(wasm32 FOR packaging LONG TARGETS codekem_static)
made_build(cortex-m4 FOR packaging TARGETS codekem_static)
made_build(cortex-m4 FOR packaging LONG OPTIONS CODEKEM_BUILD_MCELIECE=ON)
foreach(processor aarch64 armv7)
  made_build(
    ${processor}
    FOR constant_time
    LONG
    OPTIONS CMAKE_C_COMPILER=clang CMAKE_C_FLAGS=
    TARGETS ${objects}
  )
endforeach()

if(EXISTS "${TOP}/apps")
  made_build(gcc FOR platforms LONG OPTIONS CODEKEM_STATIC_COMMAND=ON TARGETS codekem)
  made_build(x86_64-windows FOR platforms TARGETS codekem)
  list(
    APPEND fuzzers
    fuzz_key_file
    fuzz_signature_file
    fuzz_pem
    fuzz_provider_keys
    fuzz_provider_shares
  )
endif()
made_build(
  asan-ubsan
  FOR fuzz
  LONG
  OPTIONS
    CMAKE_C_COMPILER=clang
    CMAKE_CXX_COMPILER=clang++
    CODEKEM_SANITIZE=fuzzer-no-link,address,undefined
    CODEKEM_BUILD_LEGACY=OFF
  TARGETS ${fuzzers}
)
