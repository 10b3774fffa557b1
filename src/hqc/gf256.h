/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The field GF(256) = GF(2)[x] / (x^8 + x^4 + x^3 + x^2 + 1), eight elements to a 64-bit word.
 *
 * Element i of a word is its byte i, counted from the least significant. No tables: timing does not
 * depend on the values.
 */
#ifndef CODEKEM_HQC_GF256_H
#define CODEKEM_HQC_GF256_H

#include <stdint.h>

#include "base/ct.h"

#define GF256_ONES UINT64_C(0x0101010101010101)
#define GF256_FOLD UINT64_C(0x1D) /* x^8 = x^4 + x^3 + x^2 + 1 */

/* Multiplies each element by x. */
static inline uint64_t gf256_times_x(uint64_t a) {
  const uint64_t overflow = a >> 7 & GF256_ONES;

  return (a & ~(GF256_ONES << 7)) << 1 ^ overflow * GF256_FOLD;
}

/* Multiplies element by element. */
static inline uint64_t gf256_mul(uint64_t a, uint64_t b) {
  uint64_t product = 0;

  for (unsigned bit = 0; bit < 8; bit++) {
    const uint64_t selected = ct_barrier_u64((b >> bit & GF256_ONES) * 0xFF);
    product ^= a & selected;
    a = gf256_times_x(a);
  }
  return product;
}

/* Copies one element into all eight places. */
static inline uint64_t gf256_spread(uint8_t a) {
  return a * GF256_ONES;
}

/* Returns a^-1 = a^254 for each element, and 0 for 0. */
static inline uint64_t gf256_invert(uint64_t a) {
  const uint64_t a2 = gf256_mul(a, a);
  const uint64_t a3 = gf256_mul(a2, a);
  const uint64_t a6 = gf256_mul(a3, a3);
  const uint64_t a12 = gf256_mul(a6, a6);
  const uint64_t a15 = gf256_mul(a12, a3);
  const uint64_t a30 = gf256_mul(a15, a15);
  const uint64_t a60 = gf256_mul(a30, a30);
  const uint64_t a120 = gf256_mul(a60, a60);
  const uint64_t a126 = gf256_mul(a120, a6);
  const uint64_t a127 = gf256_mul(a126, a);

  return gf256_mul(a127, a127);
}

/* Returns the sum of the eight elements. */
static inline uint8_t gf256_sum(uint64_t a) {
  a ^= a >> 32;
  a ^= a >> 16;
  a ^= a >> 8;
  return (uint8_t)a;
}

/* Returns, for each element, 0xFF if it is zero and 0 if not. */
static inline uint64_t gf256_is_zero(uint64_t a) {
  const uint64_t low = ~(GF256_ONES << 7);
  const uint64_t nonzero = (((a & low) + low) | a) >> 7 & GF256_ONES;

  return ct_barrier_u64((nonzero ^ GF256_ONES) * 0xFF);
}

#endif
