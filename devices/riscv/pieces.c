/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The portable back end with pieces of hardware, if the program says so; see the header.
 *
 * The linker gives the library these two tables in the place of its own ones (--wrap), which are
 * there under the names __real_... Timing: as the pieces', which depends on the ring only. Nothing
 * secret is left in a piece: Keccak's state moves out of it, and the multiplier is wiped.
 */
#include "pieces.h"

#include <string.h>

#include "gf2x/gf2x.h"
#include "keccak/keccak.h"
#include "soc_map.h"
#include "soc_registers.h"

#define SOC(name) (*(volatile uint32_t *)(SYSTEM_SOC + offsetof(soc_t, name)))

#define REAL_KECCAK __real_ckem_keccak_portable /* NOLINT: the linker's name */
#define WRAP_KECCAK __wrap_ckem_keccak_portable /* NOLINT */
#define REAL_GF2X __real_ckem_gf2x_portable     /* NOLINT */
#define WRAP_GF2X __wrap_ckem_gf2x_portable     /* NOLINT */
extern const struct keccak_ops REAL_KECCAK, WRAP_KECCAK;
extern const struct gf2x_ops REAL_GF2X, WRAP_GF2X;

static bool has_keccak, has_product; /* that are in use */

bool pieces_use(bool keccak, bool product) {
  const uint32_t there = SOC(CORES);

  if ((keccak && (there & SOC__CORES__KECCAK_bm) == 0) ||
      (product && (there & SOC__CORES__PRODUCTS_bm) == 0)) {
    return false;
  }
  has_keccak = keccak;
  has_product = product;
  return true;
}

/* --- Keccak ----------------------------------------------------------------------------------- */

static void permute(uint64_t state[KECCAK_LANES]) {
  if (!has_keccak) {
    REAL_KECCAK.permute(state);
    return;
  }
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    SOC(KECCAK_IN) = (uint32_t)state[i];
    SOC(KECCAK_IN) = (uint32_t)(state[i] >> 32);
  }
  SOC(KECCAK_CONTROL) = SOC__KECCAK_CONTROL__START_bm;
  while ((SOC(PIECES_STATUS) & SOC__PIECES_STATUS__KECCAK_BUSY_bm) != 0) {
  }
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    const uint32_t low = SOC(KECCAK_OUT);
    state[i] = low | (uint64_t)SOC(KECCAK_OUT) << 32;
  }
  SOC(KECCAK_IN) = 0; /* the register keeps what was written last; the state is zero already */
}

static void permute_pair(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute(first);
  permute(second);
}

const struct keccak_ops WRAP_KECCAK = {
    .name = "portable",
    .permute = permute,
    .permute_pair = permute_pair,
    .width = 1,
    .permute_many = permute,
};

/* --- Products --------------------------------------------------------------------------------- */

static void wait_for_product(void) {
  while ((SOC(PIECES_STATUS) & SOC__PIECES_STATUS__PRODUCT_BUSY_bm) != 0) {
  }
}

static void give(const struct gf2x_ring *ring, const uint64_t *factor) {
  for (size_t i = 0; i < ring->words; i++) {
    SOC(PRODUCT_IN) = (uint32_t)factor[i];
    SOC(PRODUCT_IN) = (uint32_t)(factor[i] >> 32);
  }
}

static uint64_t take(void) {
  const uint32_t low = SOC(PRODUCT_OUT);

  return low | (uint64_t)SOC(PRODUCT_OUT) << 32;
}

/* out = out * keep + a * b mod x^r - 1, keep 0 or 1. */
static void multiply(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                     const uint64_t *b, uint64_t keep) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  SOC(PRODUCT_WORDS) = (uint32_t)n;
  give(ring, a);
  give(ring, b);
  SOC(PRODUCT_CONTROL) = SOC__PRODUCT_CONTROL__START_bm;
  wait_for_product();
  for (size_t i = 0; i < n; i++) {
    out[i] = (out[i] & (0 - keep)) ^ take();
  }
  uint64_t before = out[n - 1]; /* bit r stands in it; what was in out is below bit r */
  for (size_t i = 0; i < n; i++) {
    const uint64_t word = take();
    out[i] ^= before >> shift ^ word << (64 - shift);
    before = word;
  }
  out[n - 1] &= (UINT64_C(1) << shift) - 1;
  memset(out + n, 0, (ring->stride - n) * sizeof *out);
  SOC(PRODUCT_IN) = 0; /* the register keeps what was written last */
  SOC(PRODUCT_CONTROL) = SOC__PRODUCT_CONTROL__WIPE_bm;
  wait_for_product();
}

static void mul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, const uint64_t *b,
                uint64_t *scratch) {
  if (has_product) {
    multiply(ring, out, a, b, 0);
  } else {
    REAL_GF2X.mul(ring, out, a, b, scratch);
  }
}

/* out may be one of the factors of the second product, so the first one is made elsewhere. */
static void mul_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                    const uint64_t *b0, const uint64_t *a1, const uint64_t *b1, uint64_t *scratch) {
  if (has_product) {
    multiply(ring, scratch, a0, b0, 0);
    multiply(ring, scratch, a1, b1, 1);
    memcpy(out, scratch, ring->stride * sizeof *out);
  } else {
    REAL_GF2X.mul_add(ring, out, a0, b0, a1, b1, scratch);
  }
}

static void square_times(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, uint32_t k,
                         uint64_t *scratch) {
  REAL_GF2X.square_times(ring, out, a, k, scratch);
}

static uint32_t weight(const struct gf2x_ring *ring, const uint64_t *a) {
  return REAL_GF2X.weight(ring, a);
}

const struct gf2x_ops WRAP_GF2X = {
    .name = "portable",
    .mul = mul,
    .mul_add = mul_add,
    .square_times = square_times,
    .weight = weight,
};
