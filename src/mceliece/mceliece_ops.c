/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of drawing and encoding a back end has. */
#include "mceliece/mceliece_ops.h"

#include "base/isa.h"

const struct mceliece_ops *ckem_mceliece_ops_of(const struct backend *backend) {
  switch (backend->id) {
#if !defined(CODEKEM_SMALL)
    case BACKEND_REFERENCE:
      return &ckem_mceliece_ops_reference;
#endif
#if defined(CODEKEM_HAVE_AVX2)
    case BACKEND_AVX2:
      return &ckem_mceliece_ops_avx2;
#endif
#if defined(CODEKEM_HAVE_AVX512)
    case BACKEND_AVX512:
      return &ckem_mceliece_ops_avx512;
#endif
#if defined(CODEKEM_HAVE_NEON)
    case BACKEND_NEON:
    case BACKEND_NEON_SHA3:
      return &ckem_mceliece_ops_neon;
#endif
#if defined(CODEKEM_HAVE_M4)
    case BACKEND_M4:
      return &ckem_mceliece_ops_m4;
#endif
    default:
      return &ckem_mceliece_ops_portable;
  }
}
