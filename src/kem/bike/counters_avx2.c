/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters for AVX2: what counters_steps.template.h asks for.
 *
 * Blends are scarce on most processors (two a cycle, or two micro-operations each), logic is not.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define VECTOR_WORDS 4
#define MAX_LEVELS 8
#define MAX_CHAIN_LENGTH 24
#define BLENDS_ARE_SCARCE 1

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m256i vector;

ALWAYS_INLINE vector load(const void *from) {
  return _mm256_loadu_si256((const vector *)from);
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

ALWAYS_INLINE vector shift_right(vector x, vector counts) {
  return _mm256_srlv_epi64(x, counts);
}

ALWAYS_INLINE vector shift_left(vector x, vector counts) {
  return _mm256_sllv_epi64(x, counts);
}

ALWAYS_INLINE vector choose(vector zero, vector one, vector mask) {
  return _mm256_blendv_epi8(zero, one, mask);
}

/* The same without a blend. */
ALWAYS_INLINE vector choose_by_logic(vector zero, vector one, vector mask) {
  return _mm256_or_si256(_mm256_andnot_si256(mask, zero), _mm256_and_si256(mask, one));
}

/* The masks of one rotation. */
struct rotation {
  vector level[MAX_LEVELS];
  vector halves;            /* where the halves of words go in step 2 */
};

ALWAYS_INLINE struct rotation make_rotation(size_t top, uint32_t position) {
  const uint32_t words = position / 64 % VECTOR_WORDS;
  const vector lane = _mm256_setr_epi64x(0, 1, 2, 3);
  /* Words that wrap around in step 2 come from one vector further on. */
  const vector carried = _mm256_cmpgt_epi64(_mm256_set1_epi64x(words), lane);
  const uint32_t vectors = position / (64 * VECTOR_WORDS);
  const vector places = _mm256_sub_epi64(_mm256_set1_epi64x(vectors), carried);
  struct rotation rotation;

  UNROLL
  for (unsigned l = 0; (size_t)1 << l <= top; l++) {
    const vector bit = _mm256_set1_epi64x(1LL << l);
    rotation.level[l] = _mm256_cmpeq_epi64(_mm256_and_si256(places, bit), bit);
  }
  rotation.halves = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                     _mm256_set1_epi32((int)(2 * words)));
  return rotation;
}

ALWAYS_INLINE vector rotate_words(vector x, const struct rotation *rotation) {
  return _mm256_permutevar8x32_epi32(x, rotation->halves);
}

#define TEMPLATE_SUFFIX avx2
#include "bike/counters_steps.template.h"

const struct bike_counters ckem_bike_counters_avx2 = {
    .name = "avx2",
    .count_unsatisfied = count_unsatisfied_avx2,
};

ISA_END
#endif
