/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 512-bit registers. */
#include <stdbool.h>
#include <string.h>

#include "base/intrinsics.h"
#include "base/unroll.h"
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
#define pack_elements ckem_gf2m_pack_words
#define unpack_elements ckem_gf2m_unpack_words

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

/* Word i is filled with bit i << log_step of x. */
static inline __attribute__((always_inline)) vector vector_spread(uint64_t x, unsigned log_step) {
  const vector places =
      _mm512_sllv_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(log_step));

  return _mm512_movm_epi64(_mm512_test_epi64_mask(_mm512_set1_epi64((long long)x),
                                                  _mm512_sllv_epi64(_mm512_set1_epi64(1), places)));
}

/* Groups are half words or words. */
static void sum_groups_avx512(unsigned m, unsigned levels, uint64_t *lanes,
                              const uint64_t *values) {
  const unsigned log_step = 8 - levels;
  const unsigned groups = m - levels == 6 ? 8 : 16; /* of a block */
  const uint64_t places = log_step == 0   ? ~UINT64_C(0)
                          : log_step == 1 ? UINT64_C(0x5555555555555555)
                                          : UINT64_C(0x1111111111111111);

  for (size_t block = 0; block < GF2M_FIELD_BLOCKS(m); block++) {
    const uint64_t *from = values + block * GF2M_BLOCK_WORDS(m);
    const size_t lane = (groups * block) << log_step;
    for (unsigned b = 0; b < m; b++) {
      const vector x = vector_load(from + (size_t)b * GF2M_PLANE_WORDS);
      const uint64_t sums =
          groups == 8 ? _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), _mm512_set1_epi64(1))
                      : _mm512_test_epi32_mask(_mm512_popcnt_epi32(x), _mm512_set1_epi32(1));
      lanes[(size_t)b * GF2M_PLANE_WORDS + lane / 64] ^= _pdep_u64(sums, places) << (lane % 64);
    }
  }
}
#define vector_gather sum_groups_avx512

#include "gf2m/gf2m_lanes_256.template.h"
#include "gf2m/gf2m_taylor_256.template.h"
#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"

ISA_END
#endif
