/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of recurrences a back end has. */
#include "recurrence/recurrence.h"

#include "base/isa.h"

const struct recurrence_ops *ckem_recurrence_ops_of(const struct backend *backend) {
  switch (backend->id) {
    case BACKEND_REFERENCE:
      return &ckem_recurrence_reference;
#if defined(CODEKEM_HAVE_AVX2)
    case BACKEND_AVX2:
      return &ckem_recurrence_avx2;
#endif
#if defined(CODEKEM_HAVE_AVX512)
    case BACKEND_AVX512:
      return &ckem_recurrence_avx512;
#endif
#if defined(CODEKEM_HAVE_NEON64)
    case BACKEND_NEON:
    case BACKEND_NEON_SHA3:
      return &ckem_recurrence_neon;
#endif
    default:
      return &ckem_recurrence_portable;
  }
}
