# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of command and provider need that is built: tools/graph/CMakeLists.txt has the
# functions.

made_build(gcc)
made_build(gcc FOR command TARGETS file_faults)
made_build(gcc FOR openssl-provider TARGETS two_libcryptos linked_plugin)
made_build(
  gcc
  FOR openssl-provider
  OPTIONS CODEKEM_SANITIZE=thread "CMAKE_C_FLAGS_RELEASE=-O1 -fno-var-tracking"
  TARGETS test_threads pool_races_0 pool_races_1 pool_races_2
)

# One KEM alone, not optimised: nothing here takes long but the compiler.
set(
  subset
  CODEKEM_BUILD_PROVIDER=ON
  CODEKEM_BUILD_LEGACY=ON
  CODEKEM_WERROR=ON
  CMAKE_BUILD_TYPE=Debug
  CMAKE_C_FLAGS_DEBUG=-O0
  CMAKE_CXX_FLAGS_DEBUG=-O0
)
foreach(
  kem
  # kems: made by parameters/generate.py
  BIKE-L1
  BIKE-L3
  BIKE-L5
  HQC-1
  HQC-3
  HQC-5
  # kems: end
)
  made_build(default LONG OPTIONS CODEKEM_KEMS=${kem} ${subset})
endforeach()
