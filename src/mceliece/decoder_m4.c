/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder of a Goppa code in the order of the field [MCE, 14.3], on groups of 32 elements. */
#include "mceliece/decoder_m4.h"

#include <string.h>

#include "base/ct.h"
#include "benes/benes_m4.h"
#include "recurrence/recurrence_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* What stands in `side` after the syndrome is known. */
struct side {
  uint16_t *syndrome; /* 2 t numbers */
  uint16_t *locator;  /* t + 1 */
};

static const struct gf2m_m4 *field_of(const struct mceliece_params *params) {
  return params->m == 12 ? &ckem_gf2m_12_m4 : &ckem_gf2m_13_m4;
}

/* Sets g[t + 1] to the polynomial of a secret key. */
static void read_goppa(const struct mceliece_params *params, uint16_t *g, const uint8_t *goppa) {
  const size_t t = params->t;

  for (size_t i = 0; i < t; i++) {
    g[i] = ckem_gf2m_read_m4(field_of(params), (uint16_t)(goppa[2 * i] | goppa[2 * i + 1] << 8));
  }
  g[t] = 1;
}

void ckem_mceliece_weights_m4(const struct mceliece_params *params, uint32_t *vector,
                              const uint8_t *goppa, uint64_t *side) {
  const struct gf2m_m4 *field = field_of(params);
  const size_t m = params->m;
  uint16_t *g = (uint16_t *)side;

  read_goppa(params, g, goppa);
  ckem_gf2m_evaluate_m4(field, vector, g, params->t + 1U);
  for (size_t i = 0; i < GF2M_M4_FIELD_WORDS(m); i += m) {
    field->square(vector + i, vector + i);
  }
  ckem_gf2m_invert_m4(field, vector, (size_t)1 << (m - 5), (uint32_t *)side);
}

/* Replaces the weights by those of the ciphertext's bits, and these by the syndrome of double
 * length. */
static void find_syndrome_m4(const struct mceliece_params *params, uint32_t *vector,
                             const uint8_t *control, const uint8_t *syndrome, uint64_t *side) {
  const size_t m = params->m;
  uint32_t *bits = (uint32_t *)side;

  memset(bits, 0, ((size_t)1 << m) / 8);
  memcpy(bits, syndrome, mceliece_syndrome_bytes(params));
  ckem_benes_apply_m4(params->m, bits, control, true);
  for (size_t g = 0; g < (size_t)1 << (m - 5); g++) {
    const uint32_t mask = bits[g];
    uint32_t *group = vector + m * g;
    for (size_t b = 0; b < m; b++) {
      group[b] &= mask;
    }
  }
  ckem_gf2m_power_sums_m4(field_of(params), (uint16_t *)side, vector, 2 * (size_t)params->t);
}

/* Sets the first bits of the vector to 1 where the values of the locator are 0. */
static void find_roots_m4(const struct mceliece_params *params, uint32_t *vector,
                          const uint16_t *locator) {
  const size_t m = params->m;

  ckem_gf2m_evaluate_m4(field_of(params), vector, locator, params->t + 1U);
  for (size_t g = 0; g < (size_t)1 << (m - 5); g++) {
    uint32_t any = 0;
    for (size_t b = 0; b < m; b++) {
      any |= vector[m * g + b];
    }
    vector[g] = ~any;
  }
}

/* Clears the bits from n on, n being a multiple of 16, and returns the number of ones. */
static uint32_t cut_and_weigh_m4(uint32_t *error, size_t words, size_t n) {
  uint32_t weight = 0;

  for (size_t i = 0; i < words; i++) {
    uint32_t x = 32 * i >= n ? 0 : error[i];

    if (32 * i < n && n < 32 * i + 32) {
      x &= 0xFFFF;
    }
    error[i] = x;
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    x += x >> 8;
    weight += (x + (x >> 16)) & 0x3F;
  }
  return weight;
}

/* Finds the locator, monic. Returns a mask: the syndrome has one. */
static uint32_t find_locator_m4(const struct mceliece_params *params, const struct side *side,
                                uint32_t *memory) {
  const size_t t = params->t;
  const uint32_t found =
      ckem_recurrence_find_m4(field_of(params), side->locator, side->syndrome, t, memory);

  /* The connection polynomial backwards, so that the element 0 is a root where it has to be. */
  for (size_t i = 0; 2 * i < t; i++) {
    const uint16_t low = side->locator[i];
    side->locator[i] = side->locator[t - i];
    side->locator[t - i] = low;
  }
  return found;
}

uint64_t ckem_mceliece_decode_m4(const struct mceliece_params *params, uint32_t *vector,
                                 const uint8_t *goppa, const uint8_t *control,
                                 const uint8_t *syndrome, uint64_t *memory) {
  const size_t m = params->m, t = params->t;
  const struct side side = {(uint16_t *)memory, (uint16_t *)memory + 2 * t};
  uint16_t *g = (uint16_t *)(vector + MCELIECE_MAX_N / 32);

  find_syndrome_m4(params, vector, control, syndrome, memory);
  uint32_t good = find_locator_m4(params, &side, vector);
  find_roots_m4(params, vector, side.locator);
  memset(vector + ((size_t)1 << (m - 5)), 0, MCELIECE_MAX_N / 8 - ((size_t)1 << m) / 8);
  ckem_benes_apply_m4(params->m, vector, control, false);
  const uint32_t weight = cut_and_weigh_m4(vector, MCELIECE_MAX_N / 32, params->n);
  read_goppa(params, g, goppa);
  good &= ckem_recurrence_has_weights_m4(field_of(params), side.locator, side.syndrome, g, t,
                                         (uint32_t *)(g + MCELIECE_MAX_T + 2));
  good &= ct_mask_zero_u32(weight ^ (uint32_t)t);
  return ct_mask_bit_u64(good);
}

#endif
