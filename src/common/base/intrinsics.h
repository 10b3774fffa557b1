/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The compiler's functions for vector instructions, on the processors that have back ends for
 * them. */
#ifndef CODEKEM_BASE_INTRINSICS_H
#define CODEKEM_BASE_INTRINSICS_H

#include "base/isa.h"

#if defined(CODEKEM_HAVE_AVX2)
#include <immintrin.h>
#endif
#if defined(CODEKEM_HAVE_NEON)
#include <arm_neon.h>
#endif
#if defined(CODEKEM_HAVE_WASM)
#include <wasm_simd128.h>
#endif
#if defined(CODEKEM_HAVE_NEON32)
#include "base/intrinsics_neon32.h"
#endif

#endif
