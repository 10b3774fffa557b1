/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by PCLMULQDQ on 128-bit blocks.
 *
 * Karatsuba's method halves the operands, exactly to the block, until four to seven blocks are
 * left, which gf2x_lanes.template.h multiplies.
 */
#include "base/isa.h"
#include "gf2x/avx2/gf2x_avx2.h"

#if defined(CODEKEM_HAVE_AVX2)
ISA_BEGIN_AVX2

#define TEMPLATE_SUFFIX avx2
#define vector block
#define xor2 xor_blocks
#define load_block(from) _mm_loadu_si128(from)
#define store_block(to, x) _mm_storeu_si128(to, x)
#define multiply_lanes(a, b, words) _mm_clmulepi64_si128(a, b, words)
#define take_words(high, low) _mm_alignr_epi8(high, low, 8)
#define drop_word(x) _mm_srli_si128(x, 8)
#include "gf2x/gf2x_lanes.template.h"
#undef vector
#undef xor2

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
