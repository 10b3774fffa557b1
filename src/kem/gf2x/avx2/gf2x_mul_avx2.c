/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PCLMULQDQ on 128-bit blocks.
 *
 * Karatsuba's method halves the operands, exactly to the block, until four to seven blocks are
 * left. These are polynomials with a block as coefficient, which the formulas of
 * gf2x_terms.template.h multiply with few products. A block in turn is a polynomial with two words
 * as coefficients and takes four products: of the low words, of the high words, and two across,
 * which are added. A fifth sum instead of the fourth product would take more additions and moves
 * of words than it saves. Each of the three is carried through the formula on its own, so that
 * words need to be moved to their places only once for each block of the result.
 */
#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/avx2/gf2x_avx2.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

/* Which words of two blocks are multiplied: the low ones, the high ones, or both pairs across. */
enum word_products { LOW, HIGH, ACROSS };

ALWAYS_INLINE block multiply_words(enum word_products which, block a, block b) {
  switch (which) {
    case LOW:
      return _mm_clmulepi64_si128(a, b, 0x00);
    case HIGH:
      return _mm_clmulepi64_si128(a, b, 0x11);
    default:
      return xor_blocks(_mm_clmulepi64_si128(a, b, 0x01), _mm_clmulepi64_si128(a, b, 0x10));
  }
}

#define TEMPLATE_SUFFIX avx2
#define vector block
#define xor2 xor_blocks
#include "gf2x/gf2x_terms.template.h"
#undef vector
#undef xor2

/* Puts the products of words together to the blocks out[2 n]. */
ALWAYS_INLINE void join_words(size_t n, block *out, const block *low, const block *high,
                              const block *across) {
  block last_high = _mm_setzero_si128();
  block last_across = _mm_setzero_si128();

  UNROLL
  for (size_t i = 0; i < 2 * n - 1; i++) {
    const block shifted = _mm_alignr_epi8(across[i], last_across, 8);
    _mm_storeu_si128(out + i, xor_blocks(xor_blocks(low[i], last_high), shifted));
    last_high = high[i];
    last_across = across[i];
  }
  _mm_storeu_si128(out + 2 * n - 1, xor_blocks(last_high, _mm_srli_si128(last_across, 8)));
}

/* What gf2x_karatsuba.template.h asks for. */
ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block terms_a[GF2X_MAX_TERMS], terms_b[GF2X_MAX_TERMS];
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  block low[2 * GF2X_MAX_TERMS - 1], high[2 * GF2X_MAX_TERMS - 1], across[2 * GF2X_MAX_TERMS - 1];

  UNROLL
  for (size_t i = 0; i < n; i++) {
    terms_a[i] = _mm_loadu_si128(a + i);
    terms_b[i] = _mm_loadu_si128(b + i);
  }
  gf2x_forms(n, forms_a, terms_a);
  gf2x_forms(n, forms_b, terms_b);
  gf2x_multiply_forms(LOW, n, low, forms_a, forms_b);
  gf2x_multiply_forms(HIGH, n, high, forms_a, forms_b);
  gf2x_multiply_forms(ACROSS, n, across, forms_a, forms_b);
  join_words(n, out, low, high, across);
}

typedef vector pair;
#define load_pair(from) load_vector(from)
#define store_pair(to, x) store_vector(to, x)
#define xor_pairs(a, b) xor2(a, b)

#include "gf2x/gf2x_karatsuba.template.h"

#define multiply_one multiply_blocks
#define multiply_two multiply_two_avx2

static void multiply_two_avx2(const struct gf2x_pair *both, block *scratch) {
  multiply_one(both->out[0], both->a[0], both->b[0], both->n[0], scratch);
  multiply_one(both->out[1], both->a[1], both->b[1], both->n[1], scratch);
}

#include "gf2x/gf2x_toom.template.h"

void ckem_gf2x_multiply_blocks_avx2(block *out, const block *a, const block *b, size_t n,
                                    block *scratch) {
  multiply_blocks_avx2(out, a, b, n, scratch);
}

void ckem_gf2x_multiply_long_avx2(block *out, const block *a, const block *b, size_t n,
                                  block *scratch) {
  if (n < GF2X_SMALLEST_TOOM) {
    multiply_blocks(out, a, b, n, scratch);
  } else {
    multiply_toom(out, a, b, n, scratch);
  }
}

ISA_END
#endif
