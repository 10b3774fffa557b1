/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic for 64-bit RISC-V with Zbc, the carry-less multiplication of words.
 *
 * CLMUL gives the low word of a product and CLMULH the high one. Each is carried through the
 * formulas of gf2x_terms.template.h on its own, over words as coefficients, and the two are added
 * at the end.
 *
 * Squaring: coefficient j of a goes to 2 j mod r. The even coefficients of the square are the lower
 * half of a, the odd ones its upper half, from bit (r + 1) / 2 on. The square of a word has its
 * bits with zeros between them, so no reduction is left.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/gf2x.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_ZBC)

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Below 2^32, repeated squaring is faster than a plan (gf2x_power.h). */
#define SMALLEST_PLAN 32

/* Words of a product, and those that reduce reads after its end. */
#define PRODUCT_WORDS(ring) (2 * (size_t)(ring)->stride)

ALWAYS_INLINE uint64_t multiply_low(uint64_t a, uint64_t b) {
  uint64_t product;

  __asm__("clmul %0, %1, %2" : "=r"(product) : "r"(a), "r"(b));
  return product;
}

ALWAYS_INLINE uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t product;

  __asm__("clmulh %0, %1, %2" : "=r"(product) : "r"(a), "r"(b));
  return product;
}

/* --- Products: what gf2x_terms.template.h and gf2x_karatsuba.template.h ask for --------------- */

typedef uint64_t block;
typedef uint64_t vector;
enum word_products { LOW, HIGH };

#define xor_blocks(a, b) ((a) ^ (b))
#define xor2(a, b) ((a) ^ (b))

ALWAYS_INLINE vector multiply_words(enum word_products which, block a, block b) {
  return which == LOW ? multiply_low(a, b) : multiply_high(a, b);
}

#define TEMPLATE_SUFFIX zbc
#include "gf2x/gf2x_terms.template.h"

ALWAYS_INLINE void multiply_terms(size_t n, block *out, const block *a, const block *b) {
  block forms_a[GF2X_MAX_FORMS], forms_b[GF2X_MAX_FORMS];
  vector low[2 * GF2X_MAX_TERMS - 1], high[2 * GF2X_MAX_TERMS - 1];

  gf2x_forms(n, forms_a, a);
  gf2x_forms(n, forms_b, b);
  gf2x_multiply_forms(LOW, n, low, forms_a, forms_b);
  gf2x_multiply_forms(HIGH, n, high, forms_a, forms_b);
  out[0] = low[0];
  UNROLL
  for (size_t i = 1; i < 2 * n - 1; i++) {
    out[i] = low[i] ^ high[i - 1];
  }
  out[2 * n - 1] = high[2 * n - 2];
}

typedef struct {
  uint64_t words[2];
} pair;

ALWAYS_INLINE pair load_pair(const block *from) {
  const pair x = {{from[0], from[1]}};

  return x;
}

ALWAYS_INLINE void store_pair(block *to, pair x) {
  to[0] = x.words[0];
  to[1] = x.words[1];
}

ALWAYS_INLINE pair xor_pairs(pair a, pair b) {
  const pair sum = {{a.words[0] ^ b.words[0], a.words[1] ^ b.words[1]}};

  return sum;
}

#include "gf2x/gf2x_karatsuba.template.h"

/* --- The operations --------------------------------------------------------------------------- */

/* Clears the coefficients from r on. */
static void clear_padding_zbc(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

/* Sets out[stride] to product[2 words] mod x^r - 1. */
static void reduce_zbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *product) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  for (size_t i = 0; i < n; i++) {
    /* Bit r stands in word n - 1. */
    out[i] = product[i] ^ product[n - 1 + i] >> shift ^ product[n + i] << (64 - shift);
  }
  clear_padding_zbc(ring, out);
}

static void mul_zbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                    const uint64_t *b, uint64_t *scratch) {
  assert(PRODUCT_WORDS(ring) + GF2X_MULTIPLY_SCRATCH_BLOCKS(ring->words) <=
         GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  multiply_blocks_zbc(scratch, a, b, ring->words, scratch + PRODUCT_WORDS(ring));
  reduce_zbc(ring, out, scratch);
}

static void mul_add_zbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                        const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                        uint64_t *scratch) {
  uint64_t *second = scratch + PRODUCT_WORDS(ring);
  uint64_t *rest = second + PRODUCT_WORDS(ring);

  multiply_blocks_zbc(scratch, a0, b0, ring->words, rest);
  multiply_blocks_zbc(second, a1, b1, ring->words, rest);
  for (size_t i = 0; i < 2 * (size_t)ring->words; i++) {
    scratch[i] ^= second[i];
  }
  reduce_zbc(ring, out, scratch);
}

/* out = a^2; out must not be a. */
static void square_zbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a) {
  const uint32_t half = (ring->r_bits + 1) / 2;
  const uint64_t *upper = a + half / 64;
  const unsigned shift = half % 64;
  const size_t steps = ring->stride / 2;

  assert(half / 64 + steps < ring->stride);
  for (size_t i = 0; i < steps; i++) {
    const uint64_t even = a[i];
    const uint64_t odd = upper[i] >> shift | upper[i + 1] << 1 << (63 - shift);
    out[2 * i] = multiply_low(even, even) ^ multiply_low(odd, odd) << 1;
    out[2 * i + 1] = multiply_high(even, even) ^ multiply_high(odd, odd) << 1;
  }
  clear_padding_zbc(ring, out);
}

static void apply_plan_zbc(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                           uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  ckem_gf2x_power_apply(ring, plan, ckem_gf2x_transpose, out, a, scratch);
}

static void square_times_zbc(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                             uint32_t k, uint64_t *scratch) {
  static const struct gf2x_squaring steps = {square_zbc, apply_plan_zbc, SMALLEST_PLAN};

  gf2x_square_by_plans(&steps, ring, out, a, k, scratch);
}

static uint32_t weight_zbc(const struct gf2x_ring *ring, const uint64_t *a) {
  return ckem_gf2x_portable.weight(ring, a);
}

const struct gf2x_ops ckem_gf2x_zbc = {
    .name = "zbc",
    .mul = mul_zbc,
    .mul_add = mul_add_zbc,
    .square_times = square_times_zbc,
    .weight = weight_zbc,
};

#endif
