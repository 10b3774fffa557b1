/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine on 256-bit vectors. */
#include "engine.h"

#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define V __m256i
#define V_WORDS 4
#define V_LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define V_STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define V_XOR(a, b) _mm256_xor_si256(a, b)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_OR(a, b) _mm256_or_si256(a, b)
#define V_NOT_AND(a, b) _mm256_andnot_si256(a, b)
#define V_ZERO _mm256_setzero_si256()
#define V_ONES _mm256_set1_epi64x(-1)
#define V_ADD3(a, b, c) V_XOR(V_XOR(a, b), c)
#define V_CARRY3(a, b, c) V_OR(V_AND(a, b), V_AND(c, V_XOR(a, b)))
#define V_DOWN(low, high, n) V_OR(_mm256_srli_epi64(low, n), _mm256_slli_epi64(high, 64 - (n)))
#define V_NONZERO(v) \
  (15 ^ _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(v, _mm256_setzero_si256()))))
#define ENGINE engine_avx2
#define ENGINE_NAME "avx2"
#include "engine.template.h"

ISA_END
#else
const struct engine *engine_avx2(void) {
  return NULL;
}
#endif
