/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which implementation of the two codes a back end has. */
#include "hqc/hqc_ops.h"

#include "base/isa.h"

/* What a module for WebAssembly does not need is not in it. */
#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_WASM)
#define OTHERWISE ckem_hqc_ops_wasm
#else
#define OTHERWISE ckem_hqc_ops_portable
#endif

const struct hqc_ops *ckem_hqc_ops_of(const struct backend *backend) {
  switch (backend->id) {
#if !defined(CODEKEM_SMALL)
    case BACKEND_REFERENCE:
      return &ckem_hqc_ops_reference;
#endif
#if defined(CODEKEM_HAVE_AVX2)
    case BACKEND_AVX2:
      return &ckem_hqc_ops_avx2;
#endif
#if defined(CODEKEM_HAVE_AVX512)
    case BACKEND_AVX512:
      return &ckem_hqc_ops_avx512;
#endif
#if defined(CODEKEM_HAVE_RVV)
    case BACKEND_RVV:
    case BACKEND_RVV_ZVBC:
      return &ckem_hqc_ops_rvv;
#endif
#if defined(CODEKEM_HAVE_NEON)
    case BACKEND_NEON:
    case BACKEND_NEON_SHA3:
      return &ckem_hqc_ops_neon;
#endif
#if defined(CODEKEM_HAVE_WASM)
    case BACKEND_WASM:
      return &ckem_hqc_ops_wasm;
#endif
    default:
      return &OTHERWISE;
  }
}
