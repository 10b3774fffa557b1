/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the AVX2 files of the ring arithmetic share. Only files built for AVX2 include it. */
#ifndef CODEKEM_GF2X_AVX2_GF2X_AVX2_H
#define CODEKEM_GF2X_AVX2_GF2X_AVX2_H

#include "base/intrinsics.h"
#include "gf2x/gf2x.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

typedef __m256i vector;
typedef __m128i block;

#define VECTOR_WORDS 4
#define BLOCK_WORDS 2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE vector xor2(vector a, vector b) {
  return _mm256_xor_si256(a, b);
}

ALWAYS_INLINE block xor_blocks(block a, block b) {
  return _mm_xor_si128(a, b);
}

ALWAYS_INLINE vector load_vector(const void *from) {
  return _mm256_loadu_si256((const vector *)from);
}

ALWAYS_INLINE void store_vector(void *to, vector v) {
  _mm256_storeu_si256((vector *)to, v);
}

/* Scratch memory of ckem_gf2x_multiply_blocks_avx2 in blocks. */
#define GF2X_MULTIPLY_SCRATCH_BLOCKS(n) (2 * (n) + 32)

/* Sets out[2 n] = a[n] * b[n], for n >= 4 blocks of 128 bits; out is neither a nor b.
 * Timing: depends on n. */
void ckem_gf2x_multiply_blocks_avx2(block *out, const block *a, const block *b, size_t n,
                                    block *scratch);

/* Sets out = a^(2^plan->k) as ckem_gf2x_power_apply does; out may be a. */
void ckem_gf2x_power_apply_avx2(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                uint64_t *out, const uint64_t *a, uint64_t *scratch);

ISA_END
#endif

#endif
