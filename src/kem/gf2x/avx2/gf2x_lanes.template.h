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

/* What gf2x_karatsuba.template.h asks for. */
ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block terms_a[GF2X_MAX_TERMS], terms_b[GF2X_MAX_TERMS];
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  block low[2 * GF2X_MAX_TERMS - 1], high[2 * GF2X_MAX_TERMS - 1], across[2 * GF2X_MAX_TERMS - 1];

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
