/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products of four to seven blocks by PCLMULQDQ, in each lane of a vector.
 *
 * A block of 128 bits is a polynomial with two words as coefficients and takes four products: of
 * the low words, of the high words, and two across, which are added. A fifth sum instead of the
 * fourth product would take more additions and moves of words than it saves. Each of the three is
 * carried through the formula of gf2x_terms.template.h on its own, so that words need to be moved
 * to their places only once for each block of the result.
 *
 * A template (base/template.h). The file that includes this defines before it TEMPLATE_SUFFIX,
 *   block, xor_blocks(a, b), load_block(from), store_block(to, x): a block of each lane;
 *   vector, xor2(a, b): the same type and sum;
 *   multiply_lanes(a, b, words): the product of one word of each block, as PCLMULQDQ names them;
 *   take_words(high, low): the upper word of low and the lower one of high;
 *   drop_word(x): the upper word, moved to the lower one's place.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(multiply_lanes)
#error This is a template: define TEMPLATE_SUFFIX, block, xor_blocks, load_block, store_block, \
  vector, xor2, multiply_lanes, take_words and drop_word before it
#endif

#include "base/unroll.h"

/* Which words of two blocks are multiplied: the low ones, the high ones, or both pairs across. */
enum word_products { LOW, HIGH, ACROSS };

ALWAYS_INLINE block multiply_words(enum word_products which, block a, block b) {
  switch (which) {
    case LOW:
      return multiply_lanes(a, b, 0x00);
    case HIGH:
      return multiply_lanes(a, b, 0x11);
    default:
      return xor_blocks(multiply_lanes(a, b, 0x01), multiply_lanes(a, b, 0x10));
  }
}

#include "gf2x/gf2x_terms.template.h"

/* Puts the products of words together to the blocks out[2 n]. */
ALWAYS_INLINE void join_words(size_t n, block *out, const block *low, const block *high,
                              const block *across) {
  const block zero = {0};
  block last_high = zero;
  block last_across = zero;

  UNROLL
  for (size_t i = 0; i < 2 * n - 1; i++) {
    const block shifted = take_words(across[i], last_across);
    store_block(out + i, xor_blocks(xor_blocks(low[i], last_high), shifted));
    last_high = high[i];
    last_across = across[i];
  }
  store_block(out + 2 * n - 1, xor_blocks(last_high, drop_word(last_across)));
}

/* Three terms, 6 products */
ALWAYS_INLINE void multiply_3(enum word_products which, block c[5], const block f[6],
                              const block g[6]) {
  const block p1 = multiply_words(which, f[1], g[1]);
  c[0] = multiply_words(which, f[0], g[0]);
  c[4] = multiply_words(which, f[2], g[2]);
  const block lower = xor_blocks(c[0], p1);
  const block upper = xor_blocks(p1, c[4]);
  c[1] = xor_blocks(multiply_words(which, f[3], g[3]), lower);
  c[2] = xor_blocks(multiply_words(which, f[4], g[4]), xor_blocks(lower, c[4]));
  c[3] = xor_blocks(multiply_words(which, f[5], g[5]), upper);
}

ALWAYS_INLINE void forms_3(block f[6], const block a[3]) {
  f[0] = a[0];
  f[1] = a[1];
  f[2] = a[2];
  f[3] = xor_blocks(a[0], a[1]);
  f[4] = xor_blocks(a[0], a[2]);
  f[5] = xor_blocks(a[1], a[2]);
}

/* out[6] = a[3] * b[3] */
ALWAYS_INLINE void multiply_three(block out[6], const block a[3], const block b[3]) {
  block forms_a[6], forms_b[6];
  block low[5], high[5], across[5];

  forms_3(forms_a, a);
  forms_3(forms_b, b);
  multiply_3(LOW, low, forms_a, forms_b);
  multiply_3(HIGH, high, forms_a, forms_b);
  multiply_3(ACROSS, across, forms_a, forms_b);
  join_words(3, out, low, high, across);
}

/* out[12] = a[6] * b[6] by three products of three terms: one more product of terms than the
 * formula for six, but so few sums wait at a time that they stay in registers. */
ALWAYS_INLINE void multiply_six(block *out, const block *a, const block *b) {
  block terms_a[9], terms_b[9]; /* those of the halves and of their sum */
  block low[6], high[6], middle[6];

  UNROLL
  for (size_t i = 0; i < 6; i++) {
    terms_a[i] = load_block(a + i);
    terms_b[i] = load_block(b + i);
  }
  UNROLL
  for (size_t i = 0; i < 3; i++) {
    terms_a[6 + i] = xor_blocks(terms_a[i], terms_a[3 + i]);
    terms_b[6 + i] = xor_blocks(terms_b[i], terms_b[3 + i]);
  }
  multiply_three(low, terms_a, terms_b);
  multiply_three(high, terms_a + 3, terms_b + 3);
  multiply_three(middle, terms_a + 6, terms_b + 6);
  UNROLL
  for (size_t i = 0; i < 3; i++) {
    const block meeting = xor_blocks(low[3 + i], high[i]);
    store_block(out + i, low[i]);
    store_block(out + 3 + i, xor_blocks(meeting, xor_blocks(middle[i], low[i])));
    store_block(out + 6 + i, xor_blocks(meeting, xor_blocks(middle[3 + i], high[3 + i])));
    store_block(out + 9 + i, high[3 + i]);
  }
}

/* What gf2x_karatsuba.template.h asks for. */
ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block terms_a[GF2X_MAX_TERMS], terms_b[GF2X_MAX_TERMS];
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  block low[2 * GF2X_MAX_TERMS - 1], high[2 * GF2X_MAX_TERMS - 1], across[2 * GF2X_MAX_TERMS - 1];

  if (n == 6) {
    multiply_six(out, a, b);
    return;
  }
  UNROLL
  for (size_t i = 0; i < n; i++) {
    terms_a[i] = load_block(a + i);
    terms_b[i] = load_block(b + i);
  }
  gf2x_forms(n, forms_a, terms_a);
  gf2x_forms(n, forms_b, terms_b);
  gf2x_multiply_forms(LOW, n, low, forms_a, forms_b);
  gf2x_multiply_forms(HIGH, n, high, forms_a, forms_b);
  gf2x_multiply_forms(ACROSS, n, across, forms_a, forms_b);
  join_words(n, out, low, high, across);
}
