# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the cores need that is made: tools/graph/CMakeLists.txt has the functions.

made_build(gcc) # the command and the provider, with a simulated core
if(EXISTS "${TOP}/devices")
  made_build(riscv32 TARGETS operations example)
  made_build(riscv32 OPTIONS CODEKEM_SOC_RAM=262144 TARGETS operations example exchange)
endif()
