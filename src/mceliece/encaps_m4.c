/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation for the Cortex-M4: the public key is read where it is, once. */
#include "mceliece/encaps_m4.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "mceliece/encoder.h"
#include "mceliece/mceliece_ops_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* Takes the first t numbers below n of the bytes of a draw, in their place; false if there are
 * fewer. */
static bool take_positions_m4(const struct mceliece_params *params, uint16_t *draw) {
  const uint32_t mask = mceliece_field_size(params) - 1;
  size_t taken = 0;

  for (size_t i = 0; i < params->tau && taken < params->t; i++) {
    const uint32_t number = draw[i] & mask; /* this processor is little-endian */

    draw[taken] = (uint16_t)number;
    /* Which numbers are not taken is public (sampling.c). */
    taken += ct_mask_less_u32(number, params->n) & 1;
  }
  return taken == params->t;
}

/* Draws positions; positions[2 t] has room for the bytes of a draw. */
static codekem_status draw_positions(const struct mceliece_params *params, uint16_t *positions,
                                     codekem_random_function random, void *context) {
  uint32_t repeat = 1;

  while (repeat != 0) {
    if (!random(context, (uint8_t *)positions, 2 * params->tau)) {
      return CODEKEM_ERROR_RANDOM;
    }
    if (take_positions_m4(params, positions)) {
      repeat = mceliece_ops_m4.find_repeat(positions, params->t);
    }
  }
  return CODEKEM_OK;
}

codekem_status mceliece_encaps_m4(const struct mceliece_variant *variant,
                                  const struct backend *backend, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key,
                                  codekem_random_function random, void *context,
                                  struct arena arena) {
  const struct mceliece_params *params = variant->params;
  const size_t words = mceliece_rows(params) / 32, row_bytes = mceliece_row_bytes(params);
  const size_t error_bytes = mceliece_error_bytes(params);
  uint64_t *error = arena_take(&arena, ARENA_BYTES_TO_WORDS(params->n / 8));
  const uint32_t *error_words = (const uint32_t *)error;
  uint16_t *positions = (uint16_t *)arena.next;
  struct keccak_sponge *sponge = (struct keccak_sponge *)arena.next;
  const codekem_status status = draw_positions(params, positions, random, context);

  if (status != CODEKEM_OK) {
    return status;
  }
  mceliece_ops_m4.place(error, (error_bytes + 7) / 8, positions, params->t);
  for (size_t i = 0; i < words; i++) {
    store_le32(ciphertext + 4 * i,
               error_words[i] ^ mceliece_multiply_32_rows_m4(public_key + 32 * row_bytes * i,
                                                             error_words + words, row_bytes / 4));
  }
  if (variant->confirms) {
    mceliece_hash(backend->keccak, sponge, ciphertext + mceliece_syndrome_bytes(params), 2,
                  (const uint8_t *)error, error_bytes, NULL, 0);
  }
  mceliece_hash(backend->keccak, sponge, shared_secret, 1, (const uint8_t *)error, error_bytes,
                ciphertext, mceliece_ciphertext_bytes(variant));
  return CODEKEM_OK;
}

#endif
