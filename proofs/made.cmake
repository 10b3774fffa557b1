# SPDX-License-Identifier: Apache-2.0 OR MIT
# What proofs need that is built, which is only how each build compiles the sources:
# tools/graph/CMakeLists.txt has the functions.

foreach(preset gcc clang aarch64 cortex-m4)
  made_build(${preset} FOR kernels CONFIGURED)
endforeach()

# The library whose machine code is proved.
made_build(gcc FOR machine TARGETS codekem_shared)
made_build(clang FOR machine CONFIGURED)
made_build(aarch64 FOR machine TARGETS codekem_shared)
