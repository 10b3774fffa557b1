# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of packages need that is made: tools/graph/CMakeLists.txt has the functions.

made_build(gcc)
foreach(optimisation -O3 -Os)
  foreach(flags "" "-msimd128")
    made_build(
      wasm32
      OPTIONS
        CODEKEM_CHECK=wasm
        CMAKE_C_FLAGS=${flags}
        "CMAKE_C_FLAGS_RELEASE=${optimisation} -DNDEBUG"
      TARGETS codekem_static
    )
  endforeach()
endforeach()
