/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the files of the Cortex-M4 back end of ring arithmetic share. Elements are seen as 32-bit
 * words in the same order: the processor is little-endian. */
#ifndef CODEKEM_GF2X_GF2X_M4_H
#define CODEKEM_GF2X_GF2X_M4_H

#include <stdint.h>

#include "gf2x/gf2x.h"

/* In gf2x_mul8_m4.S; polynomials in 32-bit words, constant time. */

/* out[16] = a[8] * b[8]. out may not overlap the factors. */
void gf2x_mul8_m4(uint32_t *out, const uint32_t *a, const uint32_t *b);

/* Adds a[words] * factor to out[words + 1]; words >= 1. */
void gf2x_mul_word_m4(uint32_t *out, const uint32_t *a, uint32_t words, uint32_t factor);

/* out[words] = a + b; words >= 1. out may be a or b. */
void gf2x_sum_m4(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t words);

/* Karatsuba's last step: out[4 half] has the products of the low and of the high halves, and
 * becomes the whole product; middle[2 half] is the product of the sums. half >= 1. */
void gf2x_join_m4(uint32_t *out, const uint32_t *middle, uint32_t half);

/* In gf2x_mul_m4.c. */

/* Scratch memory of gf2x_mul_words_m4 in 32-bit words. */
#define GF2X_MUL_SCRATCH_M4(words) (10 * (words) / 3 + 128)

/* product[2 words] = a[words] * b[words]; words >= 24. product may not overlap the factors. */
void gf2x_mul_words_m4(uint32_t *product, const uint32_t *a, const uint32_t *b, uint32_t words,
                       uint32_t *scratch);

/* In gf2x_power_m4.c: out = a^(2^plan->k); out may be a. scratch: 4 strides. */
void gf2x_power_apply_m4(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                         uint64_t *out, const uint64_t *a, uint64_t *scratch);

#endif
