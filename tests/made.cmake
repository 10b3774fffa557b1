# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the library need that is built: tools/graph/CMakeLists.txt has the functions.

set(
  libraries
  codekem_static
  codekem_hybrid
  codekem_legacy
  codekem_masked
  codekem_sofia
  codekem_mceliece
)
set(
  objects
  codekem_objects
  codekem_hybrid
  codekem_legacy
  codekem_masked
  codekem_mceliece
  codekem_sofia
)
set(with_clang CMAKE_C_COMPILER=clang CODEKEM_BUILD_CLI=OFF)
set(small CODEKEM_SMALL=ON CODEKEM_BUILD_CLI=OFF)

# --- This processor -------------------------------------------------------------------------------

made_build(gcc TARGETS all codekem_internals)
set(
  quick_units
  test_ct
  test_decoder
  test_entry_points
  test_gf2m
  test_hqc
  test_hybrid
  test_keccak
  test_masked
  test_options
  test_ring_memory
  test_sampling
  test_sort
  test_threads
)
made_build(asan-ubsan FOR unit TARGETS ${quick_units})
made_build(asan-ubsan FOR kat TARGETS kat_check)
foreach(folder unit kat)
  foreach(preset clang asan-ubsan msan debug)
    made_build(${preset} FOR ${folder} LONG TARGETS codekem_tests)
  endforeach()
endforeach()
set(races CODEKEM_SANITIZE=thread "CMAKE_C_FLAGS_RELEASE=-O1 -fno-var-tracking")
made_build(gcc FOR unit OPTIONS ${races} TARGETS test_threads)
made_build(clang FOR unit LONG OPTIONS ${races} TARGETS test_threads)
made_build(clang-16 FOR kat LONG TARGETS kat_check)
made_build(gcc FOR kat LONG OPTIONS CMAKE_C_FLAGS_RELEASE=-Os TARGETS kat_check)

made_build(gcc FOR masked LONG OPTIONS CODEKEM_MASKED_ORDER=2 TARGETS masked_check)
made_build(gcc FOR properties TARGETS failing_source short_source)
made_build(asan-ubsan FOR properties TARGETS contract_check)
made_build(msan FOR properties LONG TARGETS contract_check)
made_build(asan-ubsan FOR legacy TARGETS codekem_legacy)
made_build(aarch64 FOR legacy TARGETS codekem_legacy)

made_build(clang FOR packaging CONFIGURED)
made_build(clang FOR packaging LONG TARGETS all)
made_build(debug FOR packaging LONG TARGETS codekem_static codekem_sofia)
made_build(
  default
  FOR packaging
  LONG
  OPTIONS
    CODEKEM_BUILD_CLI=OFF
    CODEKEM_BUILD_LEGACY=ON
    CODEKEM_LEGACY_AES=OFF
    CODEKEM_BUILD_MCELIECE=ON
    CODEKEM_BUILD_SOFIA=ON
    CODEKEM_BUILD_MASKED=ON
    CODEKEM_KEMS=HQC-1
    CODEKEM_MCELIECE_KEMS=mceliece348864
    CMAKE_BUILD_TYPE=Debug
    CMAKE_C_FLAGS_DEBUG=-O0
)

made_build(gcc FOR memory TARGETS guard memory)
made_build(clang FOR memory LONG TARGETS ${libraries} guard memory)
made_build(gcc FOR memory LONG OPTIONS ${small} TARGETS memory)
made_build(clang FOR memory LONG OPTIONS ${small} TARGETS memory)
made_build(
  gcc
  FOR memory
  LONG
  OPTIONS CMAKE_C_FLAGS=-fno-stack-clash-protection CODEKEM_HAVE_STACK_CLASH_PROTECTION=OFF
  TARGETS guard
)

made_build(asan-ubsan FOR sanitizers TARGETS sanitizer_probe sofia_check mceliece_check)
made_build(asan-ubsan FOR sanitizers LONG TARGETS hybrid_check masked_check)
made_build(msan FOR sanitizers LONG TARGETS hybrid_check masked_check)
made_build(msan FOR sanitizers LONG TARGETS sanitizer_probe sofia_check mceliece_check)
made_build(
  asan-ubsan
  FOR sanitizers
  LONG
  OPTIONS ${with_clang}
  TARGETS codekem_tests sanitizer_probe
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

# --- Vectors in Wycheproof's form -----------------------------------------------------------------

file(GLOB made_of RELATIVE "${TOP}" "${TOP}/tests/wycheproof/*.py" "${TOP}/tests/vectors/*/*")
made_build(gcc FOR wycheproof TARGETS codekem_internals)
made_by(
  vectors
  FOR wycheproof
  LONG
  OUTPUT vectors/made
  COMMAND "${MADE_PYTHON}" -m tests.wycheproof.make "${MADE_BUILDS}/vectors" --mark made
  DEPENDS
    ${made_of}
    tests/wycheproof/digests.json
    tests/wycheproof/found.json
    tests/decoder_cases.py
    tools/known_answers.py
)

# --- Constant time --------------------------------------------------------------------------------

made_build(gcc FOR constant_time TARGETS path path_leaky)
made_build(clang FOR constant_time LONG TARGETS path path_leaky)
made_build(gcc FOR constant_time LONG TARGETS timing_test)
made_build(clang FOR constant_time LONG TARGETS ${objects})
made_build(gcc FOR constant_time LONG OPTIONS CMAKE_C_FLAGS_RELEASE=-Os TARGETS ${objects})

# The harness with a compiler, an optimisation and a checker; LONG, and targets.
function(checked for checker compiler optimisation)
  set(preset clang)
  set(aes ON)
  if("${compiler}" STREQUAL "gcc")
    set(preset gcc)
  endif()
  if("${checker}" STREQUAL "msan")
    set(aes OFF) # libcrypto is not instrumented
  endif()
  made_build(
    ${preset}
    FOR ${for}
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
set(taint taint taint_leaky taint_functions)
foreach(compiler gcc clang clang-16)
  foreach(level -O2 -O3 -Os)
    set(long LONG)
    if("${compiler}${level}" STREQUAL "gcc-O2")
      set(long "")
    endif()
    checked(constant_time valgrind ${compiler} ${level} ${long} TARGETS ${taint} codekem_objects)
  endforeach()
endforeach()
checked(constant_time msan clang-16 -O3 LONG TARGETS ${taint} codekem_objects)
checked(constant_time msan clang-16 -O2 LONG TARGETS ${taint} codekem_objects)
checked(kat msan clang-16 -O2 LONG TARGETS kat_check)
set(vectors CODEKEM_CHECK=wasm CMAKE_C_FLAGS=-msimd128 "CMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG")
made_build(wasm32 FOR constant_time LONG OPTIONS ${vectors} TARGETS codekem_static)

# --- Other processors and systems -----------------------------------------------------------------

set(
  quick_aarch64
  test_ct
  test_decoder
  test_hqc
  test_hybrid
  test_keccak
  test_options
  test_ring_memory
  test_sampling
  mceliece_check
  sofia_check
  conformance
  memory
  decode_steps
  marked
  marked_leaky
)
set(quick_armv7 test_ct test_sampling hybrid_check)
set(quick_s390x sofia_check)
foreach(
  processor
  aarch64
  armv7
  riscv64
  riscv64-zbc
  s390x
  i686
)
  made_build(${processor} FOR constant_time LONG TARGETS ${objects})
  if(NOT processor STREQUAL "i686")
    made_build(${processor} FOR platforms TARGETS kat_check marked_kems ${quick_${processor}})
  endif()
  made_build(${processor} FOR platforms LONG
             TARGETS codekem_tests memory marked marked_leaky marked_kems
  )
  made_build(${processor} FOR packaging LONG TARGETS ${libraries})
endforeach()
made_build(aarch64 FOR packaging TARGETS codekem_static codekem_sofia)
made_build(gcc FOR platforms TARGETS trace_plugin marked_kems)
made_build(gcc FOR platforms LONG OPTIONS ${small} TARGETS conformance)
made_build(clang FOR platforms LONG TARGETS conformance)
made_build(asan-ubsan FOR platforms TARGETS conformance)
made_build(msan FOR platforms LONG TARGETS conformance)
made_build(
  x86_64-windows
  FOR platforms
  LONG
  TARGETS kat_check conformance small_thread codekem_shared codekem_static
)
made_build(musl FOR platforms LONG TARGETS kat_check conformance small_thread)
made_build(
  x86_64-windows
  FOR platforms
  LONG
  OPTIONS CMAKE_C_COMPILER=clang-19
  TARGETS kat_check
)
foreach(flags "" "-msimd128")
  foreach(size "" CODEKEM_SMALL=OFF)
    set(long LONG)
    if(flags AND NOT size)
      set(long "")
    endif()
    made_build(
      wasm32
      FOR platforms
      ${long}
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
  made_build(x86_64-windows FOR platforms LONG TARGETS codekem)
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
