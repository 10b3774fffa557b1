/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ring arithmetic on 64-bit words in plain C: constant time wherever the processor's integer
 * multiplication is.
 */
#include "gf2x/portable/gf2x_portable.h"

#include <string.h>

#include "gf2x/gf2x_power.h"

/* Sets out[stride] to the product[2 words] mod x^r - 1. */
static void reduce_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *product) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  for (size_t i = 0; i < n; i++) {
    /* Bit r stands in word n - 1. */
    out[i] = product[i] ^ product[n - 1 + i] >> shift ^ product[n + i] << (64 - shift);
  }
  out[n - 1] &= (UINT64_C(1) << shift) - 1;
  memset(out + n, 0, (ring->stride - n) * sizeof *out);
}

static void mul_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                         const uint64_t *b, uint64_t *scratch) {
  ckem_gf2x_mul_toom_portable(ring, out, a, b, false, scratch);
}

static void mul_add_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                             const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                             uint64_t *scratch) {
  uint64_t *sum = scratch;
  uint64_t *rest = sum + ring->stride;

  ckem_gf2x_mul_toom_portable(ring, sum, a0, b0, false, rest);
  ckem_gf2x_mul_toom_portable(ring, sum, a1, b1, true, rest);
  memcpy(out, sum, ring->stride * sizeof *out);
}

/* Puts a zero between every two bits of the lower half of x. */
static uint64_t spread_bits_portable(uint64_t x) {
  x = (x | x << 16) & UINT64_C(0x0000FFFF0000FFFF);
  x = (x | x << 8) & UINT64_C(0x00FF00FF00FF00FF);
  x = (x | x << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  x = (x | x << 2) & UINT64_C(0x3333333333333333);
  return (x | x << 1) & UINT64_C(0x5555555555555555);
}

/* out = a^2; product: 2 words. */
static void square_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                            uint64_t *product) {
  for (size_t i = 0; i < ring->words; i++) {
    product[2 * i] = spread_bits_portable(a[i] & UINT32_MAX);
    product[2 * i + 1] = spread_bits_portable(a[i] >> 32);
  }
  reduce_portable(ring, out, product);
}

static void square_times_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                  uint32_t k, uint64_t *scratch) {
  if (out != a) {
    memcpy(out, a, ring->stride * sizeof *out);
  }
  while (k > 0) {
    const struct gf2x_power_plan *plan = ckem_gf2x_power_find(ring, k);
    if (plan != NULL) {
      ckem_gf2x_power_apply(ring, plan, ckem_gf2x_transpose, out, out, scratch);
      k -= plan->k;
    } else {
      square_portable(ring, out, out, scratch);
      k -= 1;
    }
  }
}

/* Returns the number of one-bits of x; compilers may use a table for their own function. */
static uint32_t count_bits_portable(uint64_t x) {
  x = x - (x >> 1 & UINT64_C(0x5555555555555555));
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static uint32_t weight_portable(const struct gf2x_ring *ring, const uint64_t *a) {
  uint32_t count = 0;

  for (size_t i = 0; i < ring->words; i++) {
    count += count_bits_portable(a[i]);
  }
  return count;
}

const struct gf2x_ops ckem_gf2x_portable = {
    .name = "portable",
    .mul = mul_portable,
    .mul_add = mul_add_portable,
    .square_times = square_times_portable,
    .weight = weight_portable,
};
