/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the NEON files of the ring arithmetic share. Only files built for AArch64 include it. */
#ifndef CODEKEM_GF2X_NEON_GF2X_NEON_H
#define CODEKEM_GF2X_NEON_GF2X_NEON_H

#include "base/intrinsics.h"
#include "gf2x/gf2x.h"
#include "gf2x/names.h"

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

/* Scratch memory of gf2x_multiply_blocks_neon in blocks. */
#define GF2X_MULTIPLY_SCRATCH_BLOCKS(n) (2 * (n) + 32)

/* Sets out[2 n] = a[n] * b[n], for n >= 4 blocks of 128 bits; out is neither a nor b.
 * Timing: depends on n. */
void gf2x_multiply_blocks_neon(block *out, const block *a, const block *b, size_t n,
                               block *scratch);

ISA_END
#endif

#endif
