/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine on 512-bit vectors. It asks for no more than the first processors with AVX-512 have:
 * unlike the library's code for no VPOPCNTDQ and no VBMI2. */
#include "engine.h"

#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"

#if defined(CODEKEM_HAVE_AVX512)
#define ISA_FIRST_AVX512 "avx2,popcnt,avx512f,avx512bw,avx512dq,avx512vl"
ISA_BEGIN(ISA_FIRST_AVX512, ISA_FIRST_AVX512 ",prefer-vector-width=512")

/* The bits of each byte, by halves of it, summed over each word. */
static inline __attribute__((always_inline)) __m512i bits_of_words(__m512i v) {
  const __m512i bits =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i low = _mm512_set1_epi8(15);
  const __m512i sums =
      _mm512_add_epi8(_mm512_shuffle_epi8(bits, _mm512_and_si512(v, low)),
                      _mm512_shuffle_epi8(bits, _mm512_and_si512(_mm512_srli_epi16(v, 4), low)));

  return _mm512_sad_epu8(sums, _mm512_setzero_si512());
}

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
#define V_DOWN(low, high, n) \
  _mm512_or_si512(_mm512_srli_epi64(low, n), _mm512_slli_epi64(high, 64 - (n)))
#define V_NONZERO(v) _mm512_test_epi64_mask(v, v)
#define V_BITS_ADDED(sum, v) _mm512_add_epi64(sum, bits_of_words(v))
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
