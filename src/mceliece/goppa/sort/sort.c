/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of sorting a back end has. */
#include "sort/sort.h"

#include "base/isa.h"

const struct sort_ops *ckem_sort_ops_of(const struct backend *backend) {
  switch (backend->id) {
#if !defined(CODEKEM_SMALL)
    case BACKEND_REFERENCE:
      return &ckem_sort_reference;
#endif
#if defined(CODEKEM_HAVE_AVX2)
    case BACKEND_AVX2:
      return &ckem_sort_avx2;
#endif
#if defined(CODEKEM_HAVE_AVX512)
    case BACKEND_AVX512:
      return &ckem_sort_avx512;
#endif
#if defined(CODEKEM_HAVE_NEON64)
    case BACKEND_NEON:
    case BACKEND_NEON_SHA3:
      return &ckem_sort_neon;
#endif
    default:
      return &ckem_sort_portable;
  }
}
