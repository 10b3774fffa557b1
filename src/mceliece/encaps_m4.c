/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation for the Cortex-M4: the public key is read where it is, once. */
#include "mceliece/encaps_m4.h"

#include <assert.h>
#include <string.h>

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

  for (size_t attempt = 0; repeat != 0; attempt++) {
    if (attempt == MCELIECE_MOST_ATTEMPTS ||
        !random(context, (uint8_t *)positions, 2 * params->tau)) {
      return CODEKEM_ERROR_RANDOM;
    }
    if (take_positions_m4(params, positions)) {
      repeat = ckem_mceliece_ops_m4.find_repeat(positions, params->t);
    }
  }
  return CODEKEM_OK;
}

/* Functions with arrays of their own are not inlined: their frames would lie above the hash, which
 * goes deepest. */
#define FRAME_OF_ITS_OWN __attribute__((noinline))

/* The error may lie where the draw is: its positions are copied. */
FRAME_OF_ITS_OWN static void place_error(const struct mceliece_params *params, uint64_t *error,
                                         const uint16_t *draw) {
  uint16_t positions[MCELIECE_MAX_T];

  memcpy(positions, draw, params->t * sizeof *positions);
  ckem_mceliece_ops_m4.place(error, (mceliece_error_bytes(params) + 7) / 8, positions, params->t);
}

FRAME_OF_ITS_OWN static void encode(const struct mceliece_params *params, uint8_t *ciphertext,
                                    const uint8_t *public_key, const uint32_t *error) {
  const size_t words = mceliece_rows(params) / 32, row_bytes = mceliece_row_bytes(params);

  for (size_t i = 0; i < words; i++) {
    store_le32(ciphertext + 4 * i, error[i] ^ ckem_mceliece_multiply_32_rows_m4(
                                                  public_key, error + words, row_bytes / 4));
    public_key += 32 * row_bytes;
  }
}

/* How much of the error the sponge may take the place of: less than a block. */
#define OVERLAID_BYTES (sizeof(struct keccak_sponge) - 8 * MCELIECE_FRONT_M4_WORDS(false))

static_assert(1 + OVERLAID_BYTES < SHAKE256_RATE_BYTES, "absorbed without a permutation");
static_assert(sizeof(struct keccak_sponge) <= 8 * MCELIECE_FRONT_M4_WORDS(true),
              "two hashes of the error need it whole");

/* Begins a hash, and absorbs the prefix and the first OVERLAID_BYTES of the error. */
FRAME_OF_ITS_OWN static void begin_hash(const struct keccak_ops *keccak,
                                        struct keccak_sponge *sponge, uint8_t prefix,
                                        const uint8_t *error) {
  uint8_t first[1 + OVERLAID_BYTES];

  first[0] = prefix;
  memcpy(first + 1, error, OVERLAID_BYTES);
  ckem_keccak_init(sponge, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(sponge, first, sizeof first);
}

/* As ckem_mceliece_hash of the error in memory, with the sponge at its front; what of the error the
 * sponge takes the place of is lost. */
static void hash(const struct mceliece_variant *variant, const struct keccak_ops *keccak,
                 uint64_t *memory, uint8_t out[MCELIECE_HASH_BYTES], uint8_t prefix,
                 const uint8_t *ciphertext, size_t length) {
  const uint8_t *error = (const uint8_t *)(memory + MCELIECE_FRONT_M4_WORDS(variant->confirms));
  struct keccak_sponge *sponge = (struct keccak_sponge *)memory;

  begin_hash(keccak, sponge, prefix, error);
  ckem_keccak_absorb(sponge, error + OVERLAID_BYTES,
                     mceliece_error_bytes(variant->params) - OVERLAID_BYTES);
  ckem_keccak_absorb(sponge, ciphertext, length);
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze(sponge, out, MCELIECE_HASH_BYTES);
}

#define DRAW_FITS(n, t) \
  (MCELIECE_STREAM_WORDS + ARENA_BYTES_TO_WORDS(4 * (t)) <= MCELIECE_ENCAPS_M4_WORDS(n, false))
static_assert(DRAW_FITS(3488, 64) && DRAW_FITS(4608, 96) && DRAW_FITS(6688, 128) &&
                  DRAW_FITS(8192, 128),
              "a stream and a draw take the place of the error");

codekem_status ckem_mceliece_encaps_m4(const struct mceliece_variant *variant,
                                       const struct backend *backend, uint8_t *ciphertext,
                                       uint8_t *shared_secret, const uint8_t *public_key,
                                       codekem_random_function random, void *context,
                                       struct arena arena) {
  const struct mceliece_params *params = variant->params;
  uint64_t *memory = arena_take(&arena, MCELIECE_ENCAPS_M4_WORDS(params->n, variant->confirms));
  uint64_t *error = memory + MCELIECE_FRONT_M4_WORDS(variant->confirms);
  uint16_t *draw = (uint16_t *)(memory + MCELIECE_STREAM_WORDS);
  const codekem_status status = draw_positions(params, draw, random, context);

  if (status != CODEKEM_OK) {
    return status;
  }
  place_error(params, error, draw);
  encode(params, ciphertext, public_key, (const uint32_t *)error);
  if (variant->confirms) {
    hash(variant, backend->keccak, memory, ciphertext + mceliece_syndrome_bytes(params), 2, NULL,
         0);
  }
  hash(variant, backend->keccak, memory, shared_secret, 1, ciphertext,
       mceliece_ciphertext_bytes(variant));
  return CODEKEM_OK;
}

#endif
