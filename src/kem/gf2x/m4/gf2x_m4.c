/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ring arithmetic on 32-bit words for the Cortex-M4: constant time on its single-cycle
 * multiplier. */
#include "gf2x/m4/gf2x_m4.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/gf2x_power.h"

#if defined(CODEKEM_HAVE_M4)

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are seen as 32-bit words");

/* The memory of every ring is enough. */
#define CHECK_SCRATCH(r_bits)                                                                   \
  static_assert(2 * GF2X_MUL_SCRATCH_WORDS(r_bits) >= GF2X_MUL_SCRATCH_M4(r_bits), "products"); \
  static_assert(2 * GF2X_ADD_SCRATCH_WORDS(r_bits) >= GF2X_ADD_SCRATCH_M4(r_bits), "sums");     \
  static_assert(2 * GF2X_STRIDE(r_bits) >= GF2X_MUL_OUT_M4(r_bits), "inner products");          \
  static_assert(2 * GF2X_SCRATCH_WORDS(r_bits) >= 2 * (((r_bits) + 31) / 32), "squares");       \
  static_assert(2 * GF2X_SCRATCH_WORDS(r_bits) >= GF2X_POWER_SCRATCH_M4(r_bits), "powers");
GF2X_RINGS(CHECK_SCRATCH)

/* Words of 32 bits that hold the coefficients. */
static uint32_t words_of_m4(const struct gf2x_ring *ring) {
  return (ring->r_bits + 31) / 32;
}

/* Sets out to the product[2 words] mod x^r - 1. */
static void reduce_m4(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *product) {
  const uint32_t n = words_of_m4(ring);
  const unsigned shift = ring->r_bits % 32; /* not 0, because r is an odd prime */
  uint32_t *words = (uint32_t *)(void *)out;

  memset(out, 0, ring->stride * sizeof *out);
  for (uint32_t i = 0; i < n; i++) {
    /* Bit r stands in word n - 1. */
    words[i] = product[i] ^ product[n - 1 + i] >> shift ^ product[n + i] << (32 - shift);
  }
  words[n - 1] &= (UINT32_C(1) << shift) - 1;
}

static void mul_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                   const uint64_t *b, uint64_t *scratch) {
  ckem_gf2x_mul_ring_m4(ring, out, a, b, false, scratch);
}

static void mul_add_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                       const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                       uint64_t *scratch) {
  /* The first product would overwrite a factor that both products need; the schemes have no such
   * case. */
  assert((out != a0 && out != b0) || (out != a1 && out != b1));
  if (out == a1 || out == b1) { /* then that product comes first */
    ckem_gf2x_mul_ring_m4(ring, out, a1, b1, false, scratch);
    ckem_gf2x_mul_ring_m4(ring, out, a0, b0, true, scratch);
  } else {
    ckem_gf2x_mul_ring_m4(ring, out, a0, b0, false, scratch);
    ckem_gf2x_mul_ring_m4(ring, out, a1, b1, true, scratch);
  }
}

/* Puts a zero between every two bits of the lower half of x. */
static uint32_t spread_bits_m4(uint32_t x) {
  x = (x | x << 8) & UINT32_C(0x00FF00FF);
  x = (x | x << 4) & UINT32_C(0x0F0F0F0F);
  x = (x | x << 2) & UINT32_C(0x33333333);
  return (x | x << 1) & UINT32_C(0x55555555);
}

/* out = a^2; product: 2 words. */
static void square_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                      uint64_t *scratch) {
  const uint32_t n = words_of_m4(ring);
  const uint32_t *in = (const uint32_t *)(const void *)a;
  uint32_t *product = (uint32_t *)(void *)scratch;

  for (uint32_t i = 0; i < n; i++) {
    product[2 * i] = spread_bits_m4(in[i] & UINT16_MAX);
    product[2 * i + 1] = spread_bits_m4(in[i] >> 16);
  }
  reduce_m4(ring, out, product);
}

static void square_times_m4(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                            uint32_t k, uint64_t *scratch) {
  if (out != a) {
    memcpy(out, a, ring->stride * sizeof *out);
  }
  while (k > 0) {
    const struct gf2x_power_plan *plan = ckem_gf2x_power_find(ring, k);
    if (plan != NULL) {
      ckem_gf2x_power_apply_m4(ring, plan, out, out, scratch);
      k -= plan->k;
    } else {
      square_m4(ring, out, out, scratch);
      k -= 1;
    }
  }
}

/* Returns the number of one-bits of x. */
static uint32_t count_bits_m4(uint32_t x) {
  x = x - (x >> 1 & UINT32_C(0x55555555));
  x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
  x = (x + (x >> 4)) & UINT32_C(0x0F0F0F0F);
  return x * UINT32_C(0x01010101) >> 24;
}

static uint32_t weight_m4(const struct gf2x_ring *ring, const uint64_t *a) {
  const uint32_t *words = (const uint32_t *)(const void *)a;
  uint32_t count = 0;

  for (uint32_t i = 0; i < words_of_m4(ring); i++) {
    count += count_bits_m4(words[i]);
  }
  return count;
}

const struct gf2x_ops ckem_gf2x_m4 = {
    .name = "m4",
    .mul = mul_m4,
    .mul_add = mul_add_m4,
    .square_times = square_times_m4,
    .weight = weight_m4,
};

#endif
