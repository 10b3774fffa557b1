# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets `sources` to those of codekem_dfr and codekem_lab, below ROOT.
file(
  GLOB_RECURSE sources
  RELATIVE "${ROOT}"
  "${ROOT}/include/*.h"
  "${ROOT}/src/*.[chS]"
  "${ROOT}/evaluation/dfr/*.[ch]"
  "${ROOT}/evaluation/lab/*.[ch]"
  "${ROOT}/evaluation/made_from.c"
)
list(SORT sources)
