/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the NEON files of the ring arithmetic share. Only files built for Arm include it. */
#ifndef CODEKEM_GF2X_NEON_GF2X_NEON_H
#define CODEKEM_GF2X_NEON_GF2X_NEON_H

#include "base/intrinsics.h"
#include "gf2x/gf2x.h"

#if defined(CODEKEM_HAVE_NEON)
ISA_BEGIN_NEON

/* Two words. */
typedef uint64x2_t block;

#define BLOCK_WORDS 2

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE block xor_blocks(block a, block b) {
  return veorq_u64(a, b);
}

/* Words 1 of low and 0 of high. */
ALWAYS_INLINE block middle_words(block low, block high) {
  return vextq_u64(low, high, 1);
}

#if defined(CODEKEM_HAVE_NEON64)

/* Products of words by PMULL, of the low and of the high ones. In assembly because gcc takes the
 * words that the intrinsics want through general registers. */
ALWAYS_INLINE block multiply_low(block a, block b) {
  block product;

  __asm__("pmull %0.1q, %1.1d, %2.1d" : "=w"(product) : "w"(a), "w"(b));
  return product;
}

ALWAYS_INLINE block multiply_high(block a, block b) {
  block product;

  __asm__("pmull2 %0.1q, %1.2d, %2.2d" : "=w"(product) : "w"(a), "w"(b));
  return product;
}

/* The square of the low word and of the high one. */
#define square_low(x) multiply_low(x, x)
#define square_high(x) multiply_high(x, x)

#else

/* A word has a square whose bytes are those of its bytes. */
ALWAYS_INLINE block square_low(block x) {
  const poly8x8_t bytes = vreinterpret_p8_u64(vget_low_u64(x));

  return vreinterpretq_u64_p16(vmull_p8(bytes, bytes));
}

ALWAYS_INLINE block square_high(block x) {
  const poly8x8_t bytes = vreinterpret_p8_u64(vget_high_u64(x));

  return vreinterpretq_u64_p16(vmull_p8(bytes, bytes));
}

#endif

/* Words of a product, and those that reduce reads after its end. */
#define GF2X_PRODUCT_WORDS_NEON(ring) (2 * (size_t)(ring)->stride + 8)

/* Sets product[GF2X_PRODUCT_WORDS_NEON] = a * b, not reduced. scratch: what GF2X_MUL_SCRATCH_WORDS
 * leaves beside the product. Timing: depends on the ring. */
void ckem_gf2x_multiply_neon(const struct gf2x_ring *ring, uint64_t *product, const uint64_t *a,
                             const uint64_t *b, uint64_t *scratch);

ISA_END
#endif

#endif
