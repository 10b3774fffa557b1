/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PCLMULQDQ on 128-bit blocks.
 *
 * On many processors a carry-less multiplication of words takes as long as eight additions of
 * vectors, so the method spends additions to save products. Karatsuba's method halves the operands,
 * exactly to the block, until four to seven blocks are left. These are polynomials with a block as
 * coefficient, which the formulas of gf2x_terms.template.h multiply with few products. A block in
 * turn is a polynomial with two words as coefficients and takes three products: of the low words,
 * of the high words, and of the sums of both. Each of the three is carried through the formula on
 * its own, the first two as halves of one vector, so that words need to be moved to their places
 * only once for each block of the result.
 */
#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/avx2/gf2x_avx2.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

enum word_products {
  LOW_AND_HIGH, /* of the low words; in the upper half of the vector, of the high words */
  LOW_ONLY      /* of the low words; nothing in the upper half */
};

ALWAYS_INLINE vector multiply_words(enum word_products which, block a, block b) {
  const vector low = _mm256_castsi128_si256(_mm_clmulepi64_si128(a, b, 0x00));

  return which == LOW_ONLY ? low
                           : _mm256_inserti128_si256(low, _mm_clmulepi64_si128(a, b, 0x11), 1);
}

#define TEMPLATE_SUFFIX avx2
#include "gf2x/gf2x_terms.template.h"

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
    const block middle = xor_blocks(_mm256_castsi256_si128(inner[i]), xor_blocks(low, high));
    const block across = _mm_alignr_epi8(middle, last_middle, 8);
    _mm_storeu_si128(out + i, xor_blocks(xor_blocks(low, last_high), across));
    last_high = high;
    last_middle = middle;
  }
  _mm_storeu_si128(out + 2 * n - 1, xor_blocks(last_high, _mm_srli_si128(last_middle, 8)));
}

/* What gf2x_karatsuba.template.h asks for. */
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

typedef vector pair;
#define load_pair(from) load_vector(from)
#define store_pair(to, x) store_vector(to, x)
#define xor_pairs(a, b) xor2(a, b)

#include "gf2x/gf2x_karatsuba.template.h"

void ckem_gf2x_multiply_blocks_avx2(block *out, const block *a, const block *b, size_t n,
                                    block *scratch) {
  multiply_blocks_avx2(out, a, b, n, scratch);
}

ISA_END
#endif
