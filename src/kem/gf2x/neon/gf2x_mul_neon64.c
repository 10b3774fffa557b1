/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PMULL on 128-bit blocks.
 *
 * Karatsuba's method (gf2x_karatsuba.template.h) halves the operands until four to seven blocks are
 * left. These are polynomials with a block as coefficient, which the formulas of
 * gf2x_terms.template.h multiply with few products. A block in turn is a polynomial with two words
 * as coefficients and takes three products: of the low words, of the high words, and of the sums of
 * both. Each of the three is carried through the formula on its own, PMULL taking the low words and
 * PMULL2 the high ones, so that words need to be moved to their places only once for each block of
 * the result.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/neon/gf2x_neon.h"

#if defined(CODEKEM_HAVE_NEON64)
ISA_BEGIN_NEON64

typedef block vector;

ALWAYS_INLINE vector xor2(vector a, vector b) {
  return xor_blocks(a, b);
}

enum word_products { LOW, HIGH };

ALWAYS_INLINE vector multiply_words(enum word_products which, block a, block b) {
  return which == LOW ? multiply_low(a, b) : multiply_high(a, b);
}

#define TEMPLATE_SUFFIX neon
#include "gf2x/gf2x_terms.template.h"

/* Puts the products of words together to the blocks out[2 n]: of the low words, of the high ones,
 * and of the sums of words. */
ALWAYS_INLINE void join_words(size_t n, block *out, const vector *low, const vector *high,
                              const vector *sums) {
  const block zero = vdupq_n_u64(0);
  block last_high = zero;
  block last_middle = zero;

  UNROLL
  for (size_t i = 0; i < 2 * n - 1; i++) {
    const block middle = xor_blocks(sums[i], xor_blocks(low[i], high[i]));
    const block across = middle_words(last_middle, middle);
    out[i] = xor_blocks(xor_blocks(low[i], last_high), across);
    last_high = high[i];
    last_middle = middle;
  }
  out[2 * n - 1] = xor_blocks(last_high, middle_words(last_middle, zero));
}

/* What gf2x_karatsuba.template.h asks for. */
ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block sums_a[GF2X_MAX_TERMS], sums_b[GF2X_MAX_TERMS];
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  vector low[2 * GF2X_MAX_TERMS - 1], high[2 * GF2X_MAX_TERMS - 1], sums[2 * GF2X_MAX_TERMS - 1];

  gf2x_forms(n, forms_a, a);
  gf2x_forms(n, forms_b, b);
  gf2x_multiply_forms(LOW, n, low, forms_a, forms_b);
  gf2x_multiply_forms(HIGH, n, high, forms_a, forms_b);
  /* The sum of the two words of each block, in both words. */
  UNROLL
  for (size_t i = 0; i < n; i++) {
    sums_a[i] = xor_blocks(a[i], middle_words(a[i], a[i]));
    sums_b[i] = xor_blocks(b[i], middle_words(b[i], b[i]));
  }
  gf2x_forms(n, forms_a, sums_a);
  gf2x_forms(n, forms_b, sums_b);
  gf2x_multiply_forms(LOW, n, sums, forms_a, forms_b);
  join_words(n, out, low, high, sums);
}

typedef uint64x2x2_t pair;

ALWAYS_INLINE pair load_pair(const block *from) {
  return vld1q_u64_x2((const uint64_t *)from);
}

ALWAYS_INLINE void store_pair(block *to, pair x) {
  vst1q_u64_x2((uint64_t *)to, x);
}

ALWAYS_INLINE pair xor_pairs(pair a, pair b) {
  const pair sum = {{xor_blocks(a.val[0], b.val[0]), xor_blocks(a.val[1], b.val[1])}};

  return sum;
}

#include "gf2x/gf2x_karatsuba.template.h"

void ckem_gf2x_multiply_neon(const struct gf2x_ring *ring, uint64_t *product, const uint64_t *a,
                             const uint64_t *b, uint64_t *scratch) {
  const size_t blocks = (ring->words + 1) / BLOCK_WORDS;
  const size_t words = GF2X_PRODUCT_WORDS_NEON(ring);
  const size_t product_words = 2 * BLOCK_WORDS * blocks;

  assert(words + BLOCK_WORDS * GF2X_MULTIPLY_SCRATCH_BLOCKS(blocks) <=
         GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  multiply_blocks_neon((block *)(void *)product, (const block *)(const void *)a,
                       (const block *)(const void *)b, blocks, (block *)(void *)scratch);
  memset(product + product_words, 0, (words - product_words) * sizeof *product);
}

ISA_END
#endif
