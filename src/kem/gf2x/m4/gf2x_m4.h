/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the files of the Cortex-M4 back end of ring arithmetic share. Elements are seen as 32-bit
 * words in the same order: the processor is little-endian. */
#ifndef CODEKEM_GF2X_M4_GF2X_M4_H
#define CODEKEM_GF2X_M4_GF2X_M4_H

#include <stdbool.h>
#include <stdint.h>

#include "base/isa.h"
#include "gf2x/gf2x.h"

#if defined(CODEKEM_HAVE_M4)

/* In gf2x_words_m4.S; polynomials in 32-bit words, constant time. */

/* out[16] = a[8] * b[8]. out may not overlap the factors. */
void ckem_gf2x_mul8_m4(uint32_t *out, const uint32_t *a, const uint32_t *b);

/* out[32] = a[16] * b[16]. */
void ckem_gf2x_mul16_m4(uint32_t *out, const uint32_t *a, const uint32_t *b);

/* Adds the product of the first words of a and the word behind them in b, and the same the other
 * way round, to out[words + 1]; words >= 1. */
void ckem_gf2x_mul_last_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words);

/* out[2] = a * b. */
void ckem_gf2x_mul1_m4(uint32_t *out, uint32_t a, uint32_t b);

/* out[words] = a + b; words >= 1. out may be a or b. */
void ckem_gf2x_sum_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words);

/* Karatsuba's last step: out[4 half] has the products of the low and of the high halves, and
 * becomes the whole product; middle[2 half] is the product of the sums. half >= 1. */
void ckem_gf2x_join_m4(uint32_t *out, const uint32_t *middle, uint32_t half);

/* In gf2x_mul_m4.c: out[2 n] = a[n] * b[n]. scratch: GF2X_WORDS_SCRATCH_M4. out may not overlap the
 * factors. */
#define GF2X_WORDS_SCRATCH_M4(n) ((n) == 16 ? 0 : 4 * (n) + 96)
void ckem_gf2x_mul_words_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t n,
                            uint32_t *scratch);

/* In gf2x_toom_m4.c: sets out to a * b, or adds it. out may be a or b. scratch: GF2X_MUL_SCRATCH_M4
 * or GF2X_ADD_SCRATCH_M4 32-bit words. */
void ckem_gf2x_mul_ring_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                           const uint64_t *b, bool add, uint64_t *scratch);

/* An element is cut into five parts; their values at a point are a little longer. These are cut in
 * the same way into inner parts. */
#define GF2X_VALUE_GROWTH_M4 8
#define GF2X_PART_BITS_M4(bits) (((bits) + 4) / 5)
#define GF2X_VALUE_WORDS_M4(bits) ((GF2X_PART_BITS_M4(bits) + GF2X_VALUE_GROWTH_M4 + 31) / 32)
#define GF2X_INNER_WORDS_M4(r_bits) \
  GF2X_VALUE_WORDS_M4(GF2X_PART_BITS_M4(r_bits) + GF2X_VALUE_GROWTH_M4)

/* Nine products of values, and what a product of inner values takes. Ten products of inner values
 * are in out, unless the product is added to it. */
#define GF2X_MUL_SCRATCH_M4(r_bits) \
  (18 * GF2X_VALUE_WORDS_M4(r_bits) + GF2X_WORDS_SCRATCH_M4(GF2X_INNER_WORDS_M4(r_bits)))
#define GF2X_MUL_OUT_M4(r_bits) (20 * GF2X_INNER_WORDS_M4(r_bits))
#define GF2X_ADD_SCRATCH_M4(r_bits) (GF2X_MUL_SCRATCH_M4(r_bits) + GF2X_MUL_OUT_M4(r_bits))

/* In gf2x_power_m4.c: out = a^(2^plan->k); out may be a. scratch:
 * GF2X_POWER_SCRATCH_M4 32-bit words. */
#define GF2X_POWER_SCRATCH_M4(r_bits) (5 * GF2X_STRIDE(r_bits))
void ckem_gf2x_power_apply_m4(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                              uint64_t *out, const uint64_t *a, uint64_t *scratch);

/* In gf2x_rotation_m4.c. */

/* An element that is rotated many times, a part of the rotated element at a time, in memory of
 * GF2X_ROTATION_WORDS_M4 32-bit words. */
struct gf2x_rotation {
  uint32_t words;     /* of a part of the rotated element */
  uint32_t row_words; /* the same in whole groups of four */
  uint32_t reach;     /* the smallest power of two that is at least the words of an element */
  uint32_t *cyclic;   /* the element, twice, from the part on */
  uint32_t *work;     /* words + reach / 2 + 20 */
  uint32_t *rest;     /* the memory behind */
};

#define GF2X_ROTATION_WORDS_M4(element_words, words, reach) \
  (2 * (element_words) + (words) + (reach) / 2 + 21)

/* Begins with the part of so many words from the start. To go on to the next part, add to cyclic
 * what lies between. */
struct gf2x_rotation ckem_gf2x_rotation_start_m4(const struct gf2x_ring *ring, const uint64_t *a,
                                                 uint32_t words, uint32_t *memory);

/* row[j] = a[j + amount mod r] for the part's j, amount below r; bits from r on mean nothing. */
void ckem_gf2x_rotate_m4(const struct gf2x_rotation *rotation, uint32_t *row, uint32_t amount);

#endif

#endif
