/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 512-bit registers. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_pack.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;

#define VECTOR_WORDS 8
#define TEMPLATE_SUFFIX avx512
#define TEMPLATE_BACKEND "avx512"
#define vector_load(p) _mm512_load_si512(p)
#define vector_load_half(p) _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(p)))
#define vector_store(p, x) _mm512_store_si512((p), (x))
#define vector_store_any(p, x) _mm512_storeu_si512((p), (x))
#define vector_xor(a, b) _mm512_xor_si512((a), (b))
#define vector_and(a, b) _mm512_and_si512((a), (b))
#define vector_add_product(sum, a, b) _mm512_ternarylogic_epi64((sum), (a), (b), 0x78)
#define vector_fill(w) _mm512_set1_epi64((long long)(w))
#define vector_shift_left(x, count) _mm512_slli_epi64((x), (unsigned)(count))
#define vector_shift_right(x, count) _mm512_srli_epi64((x), (unsigned)(count))
#define pack_elements gf2m_pack_words
#define unpack_elements gf2m_unpack_words

static inline __attribute__((always_inline)) void vector_split(unsigned log_h, vector *lo,
                                                               vector *hi, vector x, vector y) {
  if (log_h == 6) {
    *lo = _mm512_unpacklo_epi64(x, y);
    *hi = _mm512_unpackhi_epi64(x, y);
  } else if (log_h == 7) {
    *lo = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), y);
    *hi = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), y);
  } else {
    *lo = _mm512_shuffle_i64x2(x, y, 0x44);
    *hi = _mm512_shuffle_i64x2(x, y, 0xEE);
  }
}

#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"

ISA_END
#endif
