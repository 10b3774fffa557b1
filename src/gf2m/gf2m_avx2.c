/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 256-bit registers. */
#include <stdbool.h>

#include "base/intrinsics.h"
#include "gf2m/gf2m.h"
#include "gf2m/gf2m_pack.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;

#define VECTOR_WORDS 4
#define TEMPLATE_SUFFIX avx2
#define TEMPLATE_BACKEND "avx2"
#define vector_load(p) _mm256_load_si256((const __m256i *)(p))
#define vector_store(p, x) _mm256_store_si256((__m256i *)(p), (x))
#define vector_store_any(p, x) _mm256_storeu_si256((__m256i *)(p), (x))
#define vector_xor(a, b) _mm256_xor_si256((a), (b))
#define vector_and(a, b) _mm256_and_si256((a), (b))
#define vector_add_product(sum, a, b) _mm256_xor_si256((sum), _mm256_and_si256((a), (b)))
#define vector_fill(w) _mm256_set1_epi64x((long long)(w))
#define vector_shift_left(x, count) _mm256_slli_epi64((x), (int)(count))
#define vector_shift_right(x, count) _mm256_srli_epi64((x), (int)(count))
#define pack_elements gf2m_pack_words
#define unpack_elements gf2m_unpack_words

static inline __attribute__((always_inline)) void vector_split(unsigned log_h, vector *lo,
                                                               vector *hi, vector x, vector y) {
  if (log_h == 6) {
    *lo = _mm256_unpacklo_epi64(x, y);
    *hi = _mm256_unpackhi_epi64(x, y);
  } else {
    *lo = _mm256_permute2x128_si256(x, y, 0x20);
    *hi = _mm256_permute2x128_si256(x, y, 0x31);
  }
}

/* Word i is filled with bit i << log_step of x. */
static inline __attribute__((always_inline)) vector vector_spread(uint64_t x, unsigned log_step) {
  const vector places =
      _mm256_sub_epi64(_mm256_set1_epi64x(63), _mm256_sllv_epi64(_mm256_setr_epi64x(0, 1, 2, 3),
                                                                 _mm256_set1_epi64x(log_step)));

  return _mm256_cmpgt_epi64(_mm256_setzero_si256(),
                            _mm256_sllv_epi64(_mm256_set1_epi64x((long long)x), places));
}

/* The parities of 16 half words, parity i at bit i << log_step. */
static inline uint64_t vector_parities(const uint64_t *words, unsigned log_step) {
  uint64_t parities = 0;

  for (unsigned i = 0; i < 16; i++) {
    const uint32_t half = (uint32_t)(words[i / 2] >> (32 * (i % 2)));
    parities |= (uint64_t)(_mm_popcnt_u32(half) & 1) << (i << log_step);
  }
  return parities;
}
#define vector_parities vector_parities

#include "gf2m/gf2m_taylor_256.template.h"
#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"

ISA_END
#endif
