/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic as the textbook writes it, one coefficient at a time: the oracle of the tests.
 * NOT constant time: it branches on secrets.
 */
#include <string.h>

#include "gf2x/gf2x.h"

static uint64_t coefficient_reference(const uint64_t *a, uint32_t j) {
  return a[j / 64] >> (j % 64) & 1;
}

static void set_coefficient_reference(uint64_t *a, uint32_t j, uint64_t bit) {
  a[j / 64] = (a[j / 64] & ~(UINT64_C(1) << (j % 64))) | bit << (j % 64);
}

/* out = out * x */
static void multiply_by_x_reference(const struct gf2x_ring *ring, uint64_t *out) {
  const uint64_t top = coefficient_reference(out, ring->r_bits - 1);

  set_coefficient_reference(out, ring->r_bits - 1, 0);
  for (size_t i = ring->words - 1; i > 0; i--) {
    out[i] = out[i] << 1 | out[i - 1] >> 63;
  }
  out[0] = out[0] << 1 | top;
}

/* Horner's rule: out = (... (a_{r-1} b) x + a_{r-2} b) x + ... */
static void add_product_reference(const struct gf2x_ring *ring, uint64_t *sum, const uint64_t *a,
                                  const uint64_t *b, uint64_t *product) {
  memset(product, 0, ring->stride * sizeof *product);
  for (uint32_t j = ring->r_bits; j-- > 0;) {
    multiply_by_x_reference(ring, product);
    if (coefficient_reference(a, j) != 0) {
      ckem_gf2x_add(ring, product, product, b);
    }
  }
  ckem_gf2x_add(ring, sum, sum, product);
}

static void mul_reference(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                          const uint64_t *b, uint64_t *scratch) {
  uint64_t *sum = scratch;

  memset(sum, 0, ring->stride * sizeof *sum);
  add_product_reference(ring, sum, a, b, scratch + ring->stride);
  memcpy(out, sum, ring->stride * sizeof *out);
}

static void mul_add_reference(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                              const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                              uint64_t *scratch) {
  uint64_t *sum = scratch;

  memset(sum, 0, ring->stride * sizeof *sum);
  add_product_reference(ring, sum, a0, b0, scratch + ring->stride);
  add_product_reference(ring, sum, a1, b1, scratch + ring->stride);
  memcpy(out, sum, ring->stride * sizeof *out);
}

/* Squaring doubles every exponent, so the power 2^k moves coefficient j to j * 2^k mod r. */
static void square_times_reference(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                   uint32_t k, uint64_t *scratch) {
  uint32_t power = 1;
  uint32_t target = 0;

  for (uint32_t i = 0; i < k; i++) {
    power = 2 * power % ring->r_bits;
  }
  memset(scratch, 0, ring->stride * sizeof *scratch);
  for (uint32_t j = 0; j < ring->r_bits; j++) {
    set_coefficient_reference(scratch, target, coefficient_reference(a, j));
    target = (target + power) % ring->r_bits;
  }
  memcpy(out, scratch, ring->stride * sizeof *out);
}

static uint32_t weight_reference(const struct gf2x_ring *ring, const uint64_t *a) {
  uint32_t count = 0;

  for (uint32_t j = 0; j < ring->r_bits; j++) {
    count += (uint32_t)coefficient_reference(a, j);
  }
  return count;
}

const struct gf2x_ops ckem_gf2x_reference = {
    .name = "reference",
    .mul = mul_reference,
    .mul_add = mul_add_reference,
    .square_times = square_times_reference,
    .weight = weight_reference,
};
