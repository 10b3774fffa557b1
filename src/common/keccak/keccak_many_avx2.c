/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] of four states at once: a 256-bit register has one lane of each. */
#include "base/intrinsics.h"
#include "keccak/keccak.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lane i of four states. */
typedef __m256i lanes;

ALWAYS_INLINE lanes add(lanes a, lanes b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE lanes andnot(lanes a, lanes b) {
  return _mm256_andnot_si256(a, b);
}

ALWAYS_INLINE lanes broadcast(uint64_t x) {
  return _mm256_set1_epi64x((long long)x);
}

/* 0 < n < 64, constant. Rotations by whole bytes are single instructions. */
ALWAYS_INLINE lanes rotate(lanes x, int n) {
  if (n == 8) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                      7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14)));
  }
  if (n == 56) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                      1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8)));
  }
  return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

#define TEMPLATE_SUFFIX many_avx2
#include "keccak/keccak_lanes_avx2.template.h"

void ckem_keccak_permute_many_avx2(uint64_t *states) {
  lanes a[KECCAK_LANES];

  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = _mm256_loadu_si256((const __m256i *)(const void *)(states + 4 * i));
  }
  permute_lanes_many_avx2(a);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    _mm256_storeu_si256((__m256i *)(void *)(states + 4 * i), a[i]);
  }
}

ISA_END
#endif
