/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder of a Goppa code, in the order of the field [MCE, 7.1, 14.3]. */
#include "mceliece/decoder.h"

#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/profile.h"
#include "mceliece/decoder_m4.h"
#include "mceliece/keys.h"

const struct gf2m_field *ckem_mceliece_field(const struct mceliece_params *params) {
  return params->m == 12 ? &ckem_gf2m_12 : &ckem_gf2m_13;
}

static_assert(RECURRENCE_FIND_WORDS <= GF2M_SCRATCH_WORDS(MCELIECE_MAX_M),
              "the vector lends its memory to the search");

static struct mceliece_decoder_memory *take_decoder_memory(struct arena arena) {
  return (struct mceliece_decoder_memory *)arena_take(&arena, MCELIECE_DECODER_WORDS);
}

void ckem_mceliece_decoder_prepare(const struct mceliece_params *params,
                                   const struct backend *backend, uint64_t *prepared,
                                   const uint8_t *goppa, const uint8_t *control,
                                   struct arena arena) {
#if defined(CODEKEM_HAVE_M4)
  if (PROFILE_M4_ONLY || backend->id == BACKEND_M4) {
    uint8_t *kept = (uint8_t *)(prepared + MCELIECE_VECTOR_M4_WORDS(params->m));

    ckem_mceliece_weights_m4(params, (uint32_t *)prepared, goppa, arena.next);
    memcpy(kept, goppa, 2 * (size_t)params->t);
    memcpy(kept + 2 * MCELIECE_MAX_T, control, BENES_CONTROL_BYTES(params->m));
    return;
  }
#endif
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  const size_t blocks = GF2M_FIELD_BLOCKS(params->m);
  struct mceliece_decoder_memory *memory = take_decoder_memory(arena);
  uint16_t *coefficients = memory->locator;

  ckem_mceliece_read_goppa(params, coefficients, goppa);
  coefficients[params->t] = 1;
  ops->evaluate(field, prepared, coefficients, params->t + 1, memory->vector);
  ops->square(field, prepared, prepared, blocks);
  ops->invert(field, prepared, prepared, blocks, memory->vector);
  ckem_benes_ops_of(backend)->prepare(params->m,
                                      prepared + ARENA_WORDS(GF2M_FIELD_WORDS(params->m)), control);
}

/* The first numbers of the syndrome of double length, from the bits in the order of the field. */
static void find_syndrome(const struct mceliece_params *params, const struct gf2m_ops *ops,
                          uint16_t *syndrome, size_t count, const uint64_t *weights,
                          const uint64_t *bits, struct mceliece_decoder_memory *memory) {
  const struct gf2m_field *field = ckem_mceliece_field(params);

  ops->select(field, memory->vector, weights, bits, GF2M_FIELD_BLOCKS(params->m));
  ops->power_sums(field, syndrome, memory->vector, count, memory->vector);
}

/* Clears the bits from n on and returns the number of ones. */
static uint64_t cut_and_weigh(uint64_t *error, size_t n) {
  uint64_t weight = 0;

  for (size_t i = 0; i < MCELIECE_MAX_N / 64; i++) {
    const size_t first = 64 * i;
    uint64_t x;

    if (first >= n) {
      error[i] = 0;
    } else if (n - first < 64) {
      error[i] &= (UINT64_C(1) << (n - first)) - 1;
    }
    x = error[i] - (error[i] >> 1 & UINT64_C(0x5555555555555555));
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    x += x >> 8;
    x += x >> 16;
    weight += (x + (x >> 32)) & 0x7F;
  }
  return weight;
}

/* The locator's roots are the error's elements: the connection polynomial backwards, so that the
 * element 0 is one of them where it has to be. All of its roots count only if t of them are in the
 * support, and it has at most t.
 *
 * Half of the syndrome is compared: with t different roots the syndrome of the found error obeys
 * the recurrence that both halves of the given one obey, so the first t numbers decide. */
uint64_t ckem_mceliece_decode(const struct mceliece_params *params, const struct backend *backend,
                              uint64_t *error, const uint64_t *prepared, const uint8_t *syndrome,
                              struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  const struct benes_ops *network_ops = ckem_benes_ops_of(backend);
  const uint64_t *weights = prepared;
  const uint64_t *network = prepared + ARENA_WORDS(GF2M_FIELD_WORDS(params->m));
  const size_t field_words = mceliece_field_size(params) / 64;
  struct mceliece_decoder_memory *memory = take_decoder_memory(arena);
  uint64_t differences = 0;

  memset(memory->received, 0, sizeof memory->received);
  for (size_t i = 0; i < mceliece_syndrome_bytes(params); i++) {
    memory->received[i / 8] |= (uint64_t)syndrome[i] << (8 * (i % 8));
  }
  network_ops->apply_reversed(params->m, memory->received, network);
  find_syndrome(params, ops, memory->syndrome, 2 * params->t, weights, memory->received, memory);
  const uint64_t fits = ckem_recurrence_ops_of(backend)->find(
      field, memory->connection, memory->syndrome, params->t, memory->vector);
  for (size_t i = 0; i <= params->t; i++) {
    memory->locator[i] = memory->connection[params->t - i];
  }
  ops->evaluate(field, memory->vector, memory->locator, params->t + 1, memory->vector);
  ops->zeros(field, memory->found, memory->vector, GF2M_FIELD_BLOCKS(params->m));
  memset(error, 0, MCELIECE_MAX_N / 8);
  memcpy(error, memory->found, 8 * field_words);
  network_ops->apply(params->m, error, network);
  const uint64_t weight = cut_and_weigh(error, params->n);
  find_syndrome(params, ops, memory->syndrome_of_found, params->t, weights, memory->found, memory);
  for (size_t i = 0; i < params->t; i++) {
    differences |= (uint64_t)(memory->syndrome[i] ^ memory->syndrome_of_found[i]);
  }
  return fits & ct_mask_zero_u64(differences) & ct_mask_zero_u64(weight ^ params->t);
}
