/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for processors with AVX2 and BMI2: one state in general registers, where rorx and
 * andn save moves; two states at once in vectors, lane i of both in one 128-bit register. Four
 * lanes of one state in a vector would be slower than either: AVX2 has no rotation, and the moves
 * between the lanes of a vector use up the gain. Four states are in keccak_many_avx2.c.
 */
#include "base/intrinsics.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- One state ----------------------------------------------------------------------------- */

#define TEMPLATE_SUFFIX avx2
#include "keccak/keccak_one.template.h"

/* --- Two states ---------------------------------------------------------------------------- */

/* Lane i of the first state and lane i of the second. */
typedef __m128i lanes;

ALWAYS_INLINE lanes add(lanes a, lanes b) {
  return _mm_xor_si128(a, b);
}

ALWAYS_INLINE lanes andnot(lanes a, lanes b) {
  return _mm_andnot_si128(a, b);
}

ALWAYS_INLINE lanes broadcast(uint64_t x) {
  return _mm_set1_epi64x((long long)x);
}

/* 0 < n < 64, constant. Rotations by whole bytes are single instructions. */
ALWAYS_INLINE lanes rotate(lanes x, int n) {
  if (n == 8) {
    return _mm_shuffle_epi8(x, _mm_setr_epi8(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14));
  }
  if (n == 56) {
    return _mm_shuffle_epi8(x, _mm_setr_epi8(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8));
  }
  return _mm_or_si128(_mm_slli_epi64(x, n), _mm_srli_epi64(x, 64 - n));
}

#define TEMPLATE_SUFFIX avx2
#include "keccak/keccak_lanes_avx2.template.h"

static void permute_pair_avx2(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  lanes a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm_set_epi64x((long long)second[i], (long long)first[i]);
  }
  permute_lanes_avx2(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    first[i] = (uint64_t)_mm_cvtsi128_si64(a[i]);
    second[i] = (uint64_t)_mm_extract_epi64(a[i], 1);
  }
}

const struct keccak_ops ckem_keccak_avx2 = {
    .name = "avx2",
    .permute = permute_avx2,
    .permute_pair = permute_pair_avx2,
    .width = 4,
    .permute_many = ckem_keccak_permute_many_avx2,
};

ISA_END
#endif
