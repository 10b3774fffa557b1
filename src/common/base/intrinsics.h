/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The compiler's functions for vector instructions, on the processors that have back ends for
 * them. */
#ifndef CODEKEM_BASE_INTRINSICS_H
#define CODEKEM_BASE_INTRINSICS_H

#include "base/isa.h"

/* For clang-cl clang's header leaves out what the flags do not ask for, although functions can. */
#if defined(CODEKEM_HAVE_AVX2) && defined(__clang__) && defined(_MSC_VER)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#pragma push_macro("_MSC_VER")
#undef _MSC_VER
#include <immintrin.h>
#pragma pop_macro("_MSC_VER")
#pragma clang diagnostic pop
#elif defined(CODEKEM_HAVE_AVX2)
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
