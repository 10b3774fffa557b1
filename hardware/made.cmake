# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the cores need that is made: tools/graph/CMakeLists.txt has the functions.

# The library, its codes, and the command and the provider, which take a simulated core.
made_build(gcc TARGETS all codekem_internals)
if(EXISTS "${TOP}/devices")
  made_build(riscv32 TARGETS operations example)
  made_build(riscv32 LONG TARGETS exchange)
  made_build(riscv32 LONG OPTIONS CODEKEM_SOC_RAM=524288 TARGETS operations example)
endif()
