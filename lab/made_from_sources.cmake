# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets `sources` to those of codekem_dfr and codekem_lab, below ROOT.
file(
  GLOB_RECURSE sources
  RELATIVE "${ROOT}"
  "${ROOT}/include/*.h"
  "${ROOT}/src/*.[chS]"
  "${ROOT}/lab/decoders/*.[ch]"
  "${ROOT}/lab/dfr/*.[ch]"
  "${ROOT}/lab/made_from.c"
)
list(SORT sources)
