# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the tests of the laboratory need that is built: tools/graph/CMakeLists.txt has the functions.

made_build(
  gcc
  TARGETS
    all
    codekem_dfr
    codekem_internals
    codekem_lab
    codekem_lab_plant_gate
    codekem_lab_plant_key
    codekem_lab_plant_move
    codekem_lab_plant_roulette
    codekem_lab_plant_weight
)
