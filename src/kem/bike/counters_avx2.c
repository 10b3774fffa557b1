/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder's counters for AVX2: what counters_levels.template.h asks for. */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define VECTOR_WORDS 4
#define STEP_LEVELS 2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m256i vector;

ALWAYS_INLINE vector load(const void *from) {
  return _mm256_loadu_si256((const vector *)from);
}

ALWAYS_INLINE void store(void *to, vector x) {
  _mm256_storeu_si256((vector *)to, x);
}

ALWAYS_INLINE vector spread(uint64_t word) {
  return _mm256_set1_epi64x((long long)word);
}

ALWAYS_INLINE vector vector_xor(vector a, vector b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE vector vector_and(vector a, vector b) {
  return _mm256_and_si256(a, b);
}

ALWAYS_INLINE vector sum3(vector a, vector b, vector c) {
  return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

/* If a = b, the carry is a, otherwise it is c. */
ALWAYS_INLINE vector carry3(vector a, vector b, vector c) {
  const vector differ = _mm256_xor_si256(a, b);

  return _mm256_or_si256(_mm256_andnot_si256(differ, a), _mm256_and_si256(differ, c));
}

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return _mm256_blendv_epi8(zero, one, mask);
}

/* Counts of 64 and more give zero. */
struct shift {
  vector right;
  vector left;
};

ALWAYS_INLINE struct shift make_shift(uint32_t count, uint32_t nothing) {
  const struct shift shift = {spread(count + 64 * nothing), spread(64 - count + 64 * nothing)};

  return shift;
}

ALWAYS_INLINE vector shift_words(vector low, vector high, const struct shift *shift) {
  return _mm256_or_si256(_mm256_srlv_epi64(low, shift->right),
                         _mm256_sllv_epi64(high, shift->left));
}

/* The masks of a step, and where the halves of words go within vectors. */
struct step {
  vector level[STEP_LEVELS];
  vector halves;
};

ALWAYS_INLINE struct step make_step(uint32_t words) {
  const vector lane = _mm256_setr_epi64x(0, 1, 2, 3);
  /* Words that wrap around come from one vector further on. */
  const vector carried = _mm256_cmpgt_epi64(_mm256_set1_epi64x(words % VECTOR_WORDS), lane);
  const vector places = _mm256_sub_epi64(_mm256_set1_epi64x(words / VECTOR_WORDS), carried);
  struct step step;

  UNROLL
  for (unsigned l = 0; l < STEP_LEVELS; l++) {
    const vector bit = _mm256_set1_epi64x(1LL << l);
    step.level[l] = _mm256_cmpeq_epi64(_mm256_and_si256(places, bit), bit);
  }
  /* Numbers of halves count modulo eight. */
  step.halves = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                 _mm256_set1_epi32((int)(2 * words)));
  return step;
}

ALWAYS_INLINE vector rotate_words(vector x, const struct step *step) {
  return _mm256_permutevar8x32_epi32(x, step->halves);
}

#define TEMPLATE_SUFFIX avx2
#include "bike/counters_levels.template.h"

const struct bike_counters ckem_bike_counters_avx2 = {
    .name = "avx2",
    .order_support = order_support_avx2,
    .count_unsatisfied = count_unsatisfied_avx2,
};

ISA_END
#endif
