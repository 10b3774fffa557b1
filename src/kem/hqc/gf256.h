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

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/gf256_plain.h"

typedef uint64_t gf256_vector;
#define GF256_LANES 8

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

static inline uint8_t gf256_first(uint64_t a) {
  return (uint8_t)a;
}

static inline uint64_t gf256_spread_first(uint64_t a) {
  return (a & 0xFF) * GF256_ONES;
}

static inline uint64_t gf256_load(const uint8_t *in) {
  return load_le64(in);
}

static inline void gf256_store(uint8_t *out, uint64_t a) {
  store_le64(out, a);
}

static inline uint64_t gf256_add(uint64_t a, uint64_t b) {
  return a ^ b;
}

static inline uint64_t gf256_and(uint64_t a, uint64_t b) {
  return a & b;
}

/* Returns the elements of a but the first, then the first of next. */
static inline uint64_t gf256_shift(uint64_t a, uint64_t next) {
  return a >> 8 | next << 56;
}

/* Returns the elements of a where b is 0, and 0 elsewhere. */
static inline uint64_t gf256_keep_if_zero(uint64_t a, uint64_t b) {
  const uint64_t low = ~(GF256_ONES << 7);
  const uint64_t nonzero = (((b & low) + low) | b) >> 7 & GF256_ONES;

  return a & ct_barrier_u64((nonzero ^ GF256_ONES) * 0xFF);
}

#endif
