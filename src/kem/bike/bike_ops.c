/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the decoder's counters a back end has. */
#include "bike/bike_ops.h"

#include "base/isa.h"

/* What a module for WebAssembly does not need is not in it. */
#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_WASM)
#define OTHERWISE ckem_bike_ops_wasm
#else
#define OTHERWISE ckem_bike_ops_portable
#endif

const struct bike_ops *ckem_bike_ops_of(const struct backend *backend) {
#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_M4)
  (void)backend; /* there is no other, and no room for the portable one */
  return &ckem_bike_ops_m4;
#else
  switch (backend->id) {
#if !defined(CODEKEM_SMALL)
    case BACKEND_REFERENCE:
      return &ckem_bike_ops_reference;
#endif
#if defined(CODEKEM_HAVE_AVX2)
    case BACKEND_AVX2:
      return &ckem_bike_ops_avx2;
#endif
#if defined(CODEKEM_HAVE_AVX512)
    case BACKEND_AVX512:
      return &ckem_bike_ops_avx512;
#endif
#if defined(CODEKEM_HAVE_RVV)
    case BACKEND_RVV:
    case BACKEND_RVV_ZVBC:
      return &ckem_bike_ops_rvv;
#endif
#if defined(CODEKEM_HAVE_ZBC)
    case BACKEND_ZBC:
      return &ckem_bike_ops_zbc;
#endif
#if defined(CODEKEM_HAVE_NEON)
    case BACKEND_NEON:
    case BACKEND_NEON_SHA3:
      return &ckem_bike_ops_neon;
#endif
#if defined(CODEKEM_HAVE_M4)
    case BACKEND_M4:
      return &ckem_bike_ops_m4;
#endif
#if defined(CODEKEM_HAVE_WASM)
    case BACKEND_WASM:
      return &ckem_bike_ops_wasm;
#endif
    default:
      return &OTHERWISE;
  }
#endif
}
