/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder of a Goppa code in the order of the field [MCE, 14.3], on groups of 32 elements. */
#include "mceliece/decoder_m4.h"

#include <string.h>

#include "base/ct.h"
#include "benes/benes_m4.h"

/* The memory of a decoder. */
struct memory {
  uint32_t *vector;
  uint32_t *found; /* bits in the order of the field */
  uint16_t *syndrome, *syndrome_of_found;
  uint16_t *connection;
};

static const struct gf2m_m4 *field_of(const struct mceliece_params *params) {
  return params->m == 12 ? &gf2m_12_m4 : &gf2m_13_m4;
}

static struct memory take_memory(const struct mceliece_params *params, struct arena arena) {
  const size_t m = params->m, t = params->t;
  struct memory memory;

  memory.vector = (uint32_t *)arena_take(&arena, MCELIECE_WEIGHTS_M4_WORDS(m));
  memory.found = (uint32_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(((size_t)1 << m) / 8));
  memory.syndrome = (uint16_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(4 * t));
  memory.syndrome_of_found = (uint16_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(4 * t));
  memory.connection = (uint16_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(2 * t + 2));
  return memory;
}

void mceliece_weights_m4(const struct mceliece_params *params, uint32_t *weights,
                         const uint8_t *goppa, struct arena arena) {
  const struct gf2m_m4 *field = field_of(params);
  const size_t m = params->m, t = params->t;
  const struct memory memory = take_memory(params, arena);
  uint16_t *coefficients = memory.connection;

  for (size_t i = 0; i < t; i++) {
    coefficients[i] = gf2m_read_m4(field, (uint16_t)(goppa[2 * i] | goppa[2 * i + 1] << 8));
  }
  coefficients[t] = 1;
  gf2m_evaluate_m4(field, weights, coefficients, t + 1);
  for (size_t i = 0; i < GF2M_M4_FIELD_WORDS(m); i += m) {
    field->square(weights + i, weights + i);
  }
  gf2m_invert_m4(field, weights, (size_t)1 << (m - 5), memory.vector);
}

/* Syndrome of double length of the bits in the order of the field. */
static void find_syndrome(const struct mceliece_params *params, uint16_t *syndrome,
                          const uint32_t *weights, const uint32_t *bits, uint32_t *vector) {
  const size_t m = params->m;

  for (size_t g = 0; g < (size_t)1 << (m - 5); g++) {
    for (size_t b = 0; b < m; b++) {
      vector[m * g + b] = weights[m * g + b] & bits[g];
    }
  }
  gf2m_power_sums_m4(field_of(params), syndrome, vector, 2 * (size_t)params->t);
}

/* Sets bits to 1 where the values of the locator are 0. */
static void find_roots(const struct mceliece_params *params, uint32_t *bits,
                       const uint16_t *connection, uint16_t *locator, uint32_t *vector) {
  const size_t m = params->m, t = params->t;

  for (size_t i = 0; i <= t; i++) {
    locator[i] = connection[t - i];
  }
  gf2m_evaluate_m4(field_of(params), vector, locator, t + 1);
  for (size_t g = 0; g < (size_t)1 << (m - 5); g++) {
    uint32_t any = 0;
    for (size_t b = 0; b < m; b++) {
      any |= vector[m * g + b];
    }
    bits[g] = ~any;
  }
}

/* Clears the bits from n on, n being a multiple of 16, and returns the number of ones. */
static uint32_t cut_and_weigh(uint32_t *error, size_t words, size_t n) {
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

uint64_t mceliece_decode_m4(const struct mceliece_params *params, uint64_t *error,
                            const uint32_t *weights, const uint8_t *control,
                            const uint8_t *syndrome, struct arena arena) {
  const size_t t = params->t;
  const struct memory memory = take_memory(params, arena);
  uint32_t *bits = (uint32_t *)error; /* of the ciphertext at first */
  uint32_t differences = 0;

  memset(bits, 0, MCELIECE_MAX_N / 8);
  memcpy(bits, syndrome, mceliece_syndrome_bytes(params));
  benes_apply_m4(params->m, bits, control, true);
  find_syndrome(params, memory.syndrome, weights, bits, memory.vector);
  const uint32_t found =
      recurrence_find_m4(field_of(params), memory.connection, memory.syndrome, t, memory.vector);
  find_roots(params, memory.found, memory.connection, memory.syndrome_of_found, memory.vector);
  memset(bits, 0, MCELIECE_MAX_N / 8);
  memcpy(bits, memory.found, mceliece_field_size(params) / 8);
  benes_apply_m4(params->m, bits, control, false);
  const uint32_t weight = cut_and_weigh(bits, MCELIECE_MAX_N / 32, params->n);
  find_syndrome(params, memory.syndrome_of_found, weights, memory.found, memory.vector);
  for (size_t i = 0; i < 2 * t; i++) {
    differences |= (uint32_t)(memory.syndrome[i] ^ memory.syndrome_of_found[i]);
  }
  return ct_mask_zero_u64(differences) & ct_mask_zero_u64(weight ^ t) & ct_mask_bit_u64(found);
}
