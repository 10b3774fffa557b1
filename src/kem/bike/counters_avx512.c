/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters on 512-bit vectors: what counters_quads.template.h asks for. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define VECTOR_WORDS 8

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m512i vector;

ALWAYS_INLINE vector load(const void *from) {
  return _mm512_loadu_si512(from);
}

/* The words that follow those of a vector. */
ALWAYS_INLINE vector following(vector words, vector next) {
  return _mm512_alignr_epi64(next, words, 1);
}

ALWAYS_INLINE void store(void *to, vector x) {
  _mm512_storeu_si512(to, x);
}

ALWAYS_INLINE vector spread(uint64_t word) {
  return _mm512_set1_epi64((long long)word);
}

ALWAYS_INLINE vector vector_xor(vector a, vector b) {
  return _mm512_xor_si512(a, b);
}

ALWAYS_INLINE vector vector_and(vector a, vector b) {
  return _mm512_and_si512(a, b);
}

ALWAYS_INLINE vector sum3(vector a, vector b, vector c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

ALWAYS_INLINE vector carry3(vector a, vector b, vector c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0xE8);
}

struct shift {
  vector count;
  __mmask8 some; /* the lanes that are not to be zero: all or none */
};

ALWAYS_INLINE struct shift make_shift(uint32_t count, uint32_t nothing) {
  const struct shift shift = {spread(count), (__mmask8)(nothing - 1)};

  return shift;
}

ALWAYS_INLINE vector shift_words(vector low, vector high, const struct shift *shift) {
  return _mm512_maskz_shrdv_epi64(shift->some, low, high, shift->count);
}

struct step {
  vector words; /* which words of two vectors */
};

ALWAYS_INLINE struct step make_step(uint32_t words) {
  const struct step step = {
      _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), spread(words))};

  return step;
}

ALWAYS_INLINE vector step_words(vector words, vector next, const struct step *step) {
  return _mm512_permutex2var_epi64(words, step->words, next);
}

#define TEMPLATE_SUFFIX avx512
#include "bike/counters_quads.template.h"

const struct bike_counters ckem_bike_counters_avx512 = {
    .name = "avx512",
    .order_support = order_support_avx512,
    .count_unsatisfied = count_unsatisfied_avx512,
};

ISA_END
#endif
