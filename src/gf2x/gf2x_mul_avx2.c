/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PCLMULQDQ on 128-bit blocks.
 *
 * On many processors a carry-less multiplication of words takes as long as eight additions of
 * vectors, so the method spends additions to save products. Karatsuba's method halves the operands,
 * exactly to the block, until four to seven blocks are left. These are polynomials with a block as
 * coefficient, which the formulas of gf2x_terms.h multiply with few products. A block in turn
 * is a polynomial with two words as coefficients and takes three products: of the low words, of the
 * high words, and of the sums of both. Each of the three is carried through the formula on its own,
 * the first two as halves of one vector, so that words need to be moved to their places only once
 * for each block of the result.
 */
#include <assert.h>

#include "base/unroll.h"
#include "gf2x/gf2x_avx2.h"

enum word_products {
  LOW_AND_HIGH, /* of the low words; in the upper half of the vector, of the high words */
  LOW_ONLY      /* of the low words; nothing in the upper half */
};

ALWAYS_INLINE vector multiply_words(enum word_products which, block a, block b) {
  const vector low = _mm256_castsi128_si256(_mm_clmulepi64_si128(a, b, 0x00));

  return which == LOW_ONLY ? low
                           : _mm256_inserti128_si256(low, _mm_clmulepi64_si128(a, b, 0x11), 1);
}

#include "gf2x/gf2x_terms.h"

/* The sum of the two words of a block, in both words. */
ALWAYS_INLINE block fold(block x) {
  return xor_blocks(x, _mm_shuffle_epi32(x, 0x4E));
}

/* Puts the products of words together to the blocks out[2 n]. outer: those of the low and of the
 * high words; inner: those of the sums of words, in the lower half. */
ALWAYS_INLINE void join_words(size_t n, block *out, const vector *outer, const vector *inner) {
  block last_high = _mm_setzero_si128();
  block last_middle = _mm_setzero_si128();

  UNROLL
  for (size_t i = 0; i < 2 * n - 1; i++) {
    const block low = _mm256_castsi256_si128(outer[i]);
    const block high = _mm256_extracti128_si256(outer[i], 1);
    const block middle =
        xor_blocks(_mm256_castsi256_si128(inner[i]), xor_blocks(low, high));
    const block across = _mm_alignr_epi8(middle, last_middle, 8);
    _mm_storeu_si128(out + i, xor_blocks(xor_blocks(low, last_high), across));
    last_high = high;
    last_middle = middle;
  }
  _mm_storeu_si128(out + 2 * n - 1, xor_blocks(last_high, _mm_srli_si128(last_middle, 8)));
}

/* out[2 n] = a[n] * b[n] for n from GF2X_MIN_TERMS to GF2X_MAX_TERMS. */
ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block terms_a[GF2X_MAX_TERMS], terms_b[GF2X_MAX_TERMS];
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  block folded_a[GF2X_MAX_FORMS], folded_b[GF2X_MAX_FORMS];
  vector outer[2 * GF2X_MAX_TERMS - 1], inner[2 * GF2X_MAX_TERMS - 1];

  UNROLL
  for (size_t i = 0; i < n; i++) {
    terms_a[i] = _mm_loadu_si128(a + i);
    terms_b[i] = _mm_loadu_si128(b + i);
  }
  gf2x_forms(n, forms_a, terms_a);
  gf2x_forms(n, forms_b, terms_b);
  gf2x_multiply_forms(LOW_AND_HIGH, n, outer, forms_a, forms_b);
  UNROLL
  for (size_t i = 0; i < n; i++) {
    terms_a[i] = fold(terms_a[i]);
    terms_b[i] = fold(terms_b[i]);
  }
  gf2x_forms(n, folded_a, terms_a);
  gf2x_forms(n, folded_b, terms_b);
  gf2x_multiply_forms(LOW_ONLY, n, inner, folded_a, folded_b);
  join_words(n, out, outer, inner);
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
  size_t i = 0;

  for (; i + 2 <= high; i += 2) {
    store_vector(sum + i, xor2(load_vector(a + i), load_vector(a + low + i)));
  }
  for (; i < low; i++) {
    sum[i] = i < high ? xor_blocks(a[i], a[low + i]) : a[i];
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
  size_t i = 0;

  for (; i + 2 <= rest; i += 2) {
    const vector meeting = xor2(load_vector(second + i), load_vector(third + i));
    const vector lower = xor2(load_vector(middle + i), load_vector(out + i));
    const vector upper = xor2(load_vector(middle + low + i), load_vector(fourth + i));
    store_vector(second + i, xor2(meeting, lower));
    store_vector(third + i, xor2(meeting, upper));
  }
  for (; i < low; i++) {
    const block meeting = xor_blocks(second[i], third[i]);
    const block upper =
        i < rest ? xor_blocks(middle[low + i], fourth[i]) : middle[low + i];
    second[i] = xor_blocks(meeting, xor_blocks(middle[i], out[i]));
    third[i] = xor_blocks(meeting, upper);
  }
}

void gf2x_multiply_blocks_avx2(block *out, const block *a, const block *b, size_t n,
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
  gf2x_multiply_blocks_avx2(middle, sum_a, sum_b, low, rest);
  gf2x_multiply_blocks_avx2(out, a, b, low, rest);
  gf2x_multiply_blocks_avx2(out + 2 * low, a + low, b + low, high, rest);
  add_middle(out, middle, low, high);
}
