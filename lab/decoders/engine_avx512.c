/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine on 512-bit vectors. */
#include "engine.h"

#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define V __m512i
#define V_WORDS 8
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_XOR(a, b) _mm512_xor_si512(a, b)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_OR(a, b) _mm512_or_si512(a, b)
#define V_NOT_AND(a, b) _mm512_andnot_si512(a, b)
#define V_ZERO _mm512_setzero_si512()
#define V_ONES _mm512_set1_epi64(-1)
#define V_ADD3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define V_CARRY3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xE8)
#define V_DOWN(low, high, n) _mm512_shrdi_epi64(low, high, n)
#define V_NONZERO(v) _mm512_test_epi64_mask(v, v)
#define V_BITS_ADDED(sum, v) _mm512_add_epi64(sum, _mm512_popcnt_epi64(v))
#define V_TOTAL(sum) ((uint32_t)_mm512_reduce_add_epi64(sum))
#define ENGINE engine_avx512
#define ENGINE_NAME "avx512"
#include "engine.template.h"

ISA_END
#else
const struct engine *engine_avx512(void) {
  return NULL;
}
#endif
