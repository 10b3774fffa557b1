/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PMULL on 128-bit blocks.
 *
 * Karatsuba's method halves the operands, exactly to the block, until four to seven blocks are left.
 * These are polynomials with a block as coefficient, which the formulas of gf2x_terms.h multiply with
 * few products. A block in turn is a polynomial with two words as coefficients and takes three
 * products: of the low words, of the high words, and of the sums of both. Each of the three is
 * carried through the formula on its own, PMULL taking the low words and PMULL2 the high ones, so
 * that words need to be moved to their places only once for each block of the result.
 */
#include <assert.h>

#include "base/unroll.h"
#include "gf2x/gf2x_neon.h"

typedef block vector;

ALWAYS_INLINE vector xor2(vector a, vector b) {
  return xor_blocks(a, b);
}

enum word_products { LOW, HIGH };

ALWAYS_INLINE vector multiply_words(enum word_products which, block a, block b) {
  return which == LOW ? multiply_low(a, b) : multiply_high(a, b);
}

#include "gf2x/gf2x_terms.h"

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

/* out[2 n] = a[n] * b[n] for n from GF2X_MIN_TERMS to GF2X_MAX_TERMS. */
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

#define NOT_INLINE static __attribute__((noinline))

NOT_INLINE void multiply_4(block *out, const block *a, const block *b) {
  multiply_terms(4, out, a, b);
}

NOT_INLINE void multiply_5(block *out, const block *a, const block *b) {
  multiply_terms(5, out, a, b);
}

NOT_INLINE void multiply_6(block *out, const block *a, const block *b) {
  multiply_terms(6, out, a, b);
}

NOT_INLINE void multiply_7(block *out, const block *a, const block *b) {
  multiply_terms(7, out, a, b);
}

/* sum[low] = a[low] + a[low ... low + high - 1], where high is low or low - 1. */
static void add_halves(block *sum, const block *a, size_t low, size_t high) {
  for (size_t i = 0; i < high; i++) {
    sum[i] = xor_blocks(a[i], a[low + i]);
  }
  if (high < low) {
    sum[high] = a[high];
  }
}

/* Karatsuba's last step. out holds the products of the lower halves, low blocks each, and behind
 * them that of the upper halves, high blocks each; middle, which is the product of the sums, goes
 * between them. The blocks where the two products meet are added once for both places. */
static void add_middle(block *out, const block *middle, size_t low, size_t high) {
  block *second = out + low;
  block *third = second + low;
  const block *fourth = third + low; /* shorter, if high is less than low */
  const size_t rest = 2 * high - low;

  for (size_t i = 0; i < rest; i++) {
    const block meeting = xor_blocks(second[i], third[i]);
    second[i] = xor_blocks(meeting, xor_blocks(middle[i], out[i]));
    third[i] = xor_blocks(meeting, xor_blocks(middle[low + i], fourth[i]));
  }
  for (size_t i = rest; i < low; i++) {
    const block meeting = xor_blocks(second[i], third[i]);
    second[i] = xor_blocks(meeting, xor_blocks(middle[i], out[i]));
    third[i] = xor_blocks(meeting, middle[low + i]);
  }
}

void gf2x_multiply_blocks_neon(block *out, const block *a, const block *b, size_t n,
                               block *scratch) {
  const size_t low = (n + 1) / 2;
  const size_t high = n - low;
  block *sum_a = scratch;
  block *sum_b = sum_a + low;
  block *middle = sum_b + low;
  block *rest = middle + 2 * low;

  assert(n >= GF2X_MIN_TERMS);
  switch (n) {
    case 4:
      multiply_4(out, a, b);
      return;
    case 5:
      multiply_5(out, a, b);
      return;
    case 6:
      multiply_6(out, a, b);
      return;
    case 7:
      multiply_7(out, a, b);
      return;
    default:
      break;
  }
  add_halves(sum_a, a, low, high);
  add_halves(sum_b, b, low, high);
  gf2x_multiply_blocks_neon(middle, sum_a, sum_b, low, rest);
  gf2x_multiply_blocks_neon(out, a, b, low, rest);
  gf2x_multiply_blocks_neon(out + 2 * low, a + low, b + low, high, rest);
  add_middle(out, middle, low, high);
}
