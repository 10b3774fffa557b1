# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of boards need that is built: tools/graph/CMakeLists.txt has the functions.

set(cpu "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft -ffunction-sections -fdata-sections")
set(small CODEKEM_BUILD_MCELIECE=ON)
set(full ${small} CODEKEM_SMALL=OFF)
made_build(gcc TARGETS codekem_internals leakage_engine) # what the boards must give, and looks
made_build(
  cortex-m4
  OPTIONS ${small}
  TARGETS all conformance mceliece_check code_mathematics_m4
)
made_build(cortex-m4 LONG OPTIONS ${full} TARGETS hosted_tests mceliece_check conformance)
made_build(cortex-m4 OPTIONS CODEKEM_KEMS=BIKE-L1)
made_build(
  cortex-m4
  LONG
  OPTIONS
    CODEKEM_KEMS=BIKE-L1
    "CMAKE_C_FLAGS=${cpu} -mno-unaligned-access"
  TARGETS codekem_static
)
made_build(riscv32 TARGETS operations example)
