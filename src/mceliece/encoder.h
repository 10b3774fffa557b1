/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation to a public key that may come in pieces [MCE, 6.2, 6.3, 8]. */
#ifndef CODEKEM_MCELIECE_ENCODER_H
#define CODEKEM_MCELIECE_ENCODER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "keccak/keccak.h"
#include "mceliece/mceliece_ops.h"
#include "mceliece/params.h"
#include "mceliece/sampling.h"

/* An encapsulation under way. All of it but the places is secret. */
struct mceliece_encoder {
  uint64_t error[MCELIECE_ERROR_WORDS];
  uint8_t partner[MCELIECE_PARTNER_BYTES]; /* the error's bits from mt on */
  uint8_t ciphertext[MCELIECE_MAX_SYNDROME_BYTES + MCELIECE_HASH_BYTES];
  uint64_t sum;    /* of the products of the row under way; its parity counts */
  uint32_t row;    /* rows that are complete */
  uint32_t offset; /* bytes of the next row that were absorbed */
  uint32_t excess; /* not 0: unused bits are set, or there were too many bytes */
};

static_assert(sizeof(struct mceliece_draw) <=
                  MCELIECE_PARTNER_BYTES + MCELIECE_MAX_SYNDROME_BYTES + MCELIECE_HASH_BYTES,
              "a draw takes the place of the partner and the ciphertext");

/* Returns the memory for a draw of the error, in what is not set before
 * ckem_mceliece_encoder_begin. */
static inline struct mceliece_draw *mceliece_draw_memory(struct mceliece_encoder *encoder) {
  return (struct mceliece_draw *)(void *)encoder->partner;
}

/* The stream of a seed. */
#define MCELIECE_STREAM_WORDS ARENA_BYTES_TO_WORDS(sizeof(struct keccak_sponge))

/* Prepares for a public key; error is set. */
void ckem_mceliece_encoder_begin(struct mceliece_encoder *encoder,
                                 const struct mceliece_params *params);

/* Absorbs the next length bytes of the public key. Timing: depends on lengths and on whether the
 * unused bits of the public key are zero. */
void ckem_mceliece_encoder_absorb(struct mceliece_encoder *encoder,
                                  const struct mceliece_params *params,
                                  const struct mceliece_ops *ops, const uint8_t *data,
                                  size_t length);

/* Writes ciphertext and shared secret. Returns false, and writes nothing, if the public key was not
 * complete, too long, or had an unused bit set. */
bool ckem_mceliece_encoder_end(struct mceliece_encoder *encoder,
                               const struct mceliece_variant *variant,
                               const struct keccak_ops *keccak, struct keccak_sponge *sponge,
                               uint8_t *ciphertext, uint8_t *shared_secret);

/* Writes SHAKE256(prefix || error || ciphertext[length]) [MCE, 3]; error has n / 8 bytes. */
void ckem_mceliece_hash(const struct keccak_ops *keccak, struct keccak_sponge *sponge,
                        uint8_t out[MCELIECE_HASH_BYTES], uint8_t prefix, const uint8_t *error,
                        size_t error_bytes, const uint8_t *ciphertext, size_t length);

#endif
