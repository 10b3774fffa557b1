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

/* A product: out[2 n] = a[n] * b[n], for n >= 4 blocks of 128 bits; out is neither a nor b, and
 * scratch starts at a multiple of 32 bytes. Timing: depends on n. */
typedef void gf2x_multiply(block *out, const block *a, const block *b, size_t n, block *scratch);

/* By Karatsuba's method, with scratch memory of 2 n blocks, none up to n = 20. */
gf2x_multiply ckem_gf2x_multiply_blocks_avx2;

/* Faster for long operands, with scratch memory of so many blocks: more where there is more. */
#define GF2X_LONG_SCRATCH_BLOCKS(n) \
  ((n) < GF2X_SMALLEST_TOOM ? 7 * (n) + 7 : (n) <= 330 ? 16 * ((n) + 8) / 3 : 2 * (n) + 340)
gf2x_multiply ckem_gf2x_multiply_long_avx2;

/* From so many blocks on, five products of a third are faster than three of a half. */
#define GF2X_SMALLEST_TOOM 90

/* Two products, of which the second is no longer than the first. */
struct gf2x_pair {
  block *out[2];
  const block *a[2];
  const block *b[2];
  size_t n[2];
};

/* The operations mul and mul_add of struct gf2x_ops by a product. */
void ckem_gf2x_mul_by_avx2(const struct gf2x_ring *ring, gf2x_multiply *multiply, uint64_t *out,
                           const uint64_t *a, const uint64_t *b, uint64_t *scratch);
void ckem_gf2x_mul_add_by_avx2(const struct gf2x_ring *ring, gf2x_multiply *multiply, uint64_t *out,
                               const uint64_t *a0, const uint64_t *b0, const uint64_t *a1,
                               const uint64_t *b1, uint64_t *scratch);

/* Those operations of struct gf2x_ops. */
void ckem_gf2x_square_times_avx2(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                 uint32_t k, uint64_t *scratch);
uint32_t ckem_gf2x_weight_avx2(const struct gf2x_ring *ring, const uint64_t *a);

/* Sets out = a^(2^plan->k) as ckem_gf2x_power_apply does; out may be a. */
void ckem_gf2x_power_apply_avx2(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                uint64_t *out, const uint64_t *a, uint64_t *scratch);

ISA_END
#endif

#endif
