/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of Classic McEliece [MCE, 5 to 8], and the checks
 * on import. Lengths of buffers are those of the variant; memory comes from the arena. */
#ifndef CODEKEM_MCELIECE_MCELIECE_H
#define CODEKEM_MCELIECE_MCELIECE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "base/profile.h"
#include "codekem.h"
#include "kem.h"
#include "mceliece/decoder.h"
#include "mceliece/decoder_m4.h"
#include "mceliece/encaps_m4.h"
#include "mceliece/encoder.h"
#include "mceliece/keys.h"
#include "mceliece/params.h"

/* What encapsulation takes of an arena. */
struct mceliece_encaps_memory {
  struct mceliece_encoder encoder;
  struct keccak_sponge sponge;
};

#define MCELIECE_ENCAPS_WORDS ARENA_BYTES_TO_WORDS(sizeof(struct mceliece_encaps_memory))

/* The same for a set, with the stream of a seed. */
#if PROFILE_M4_ONLY
#define MCELIECE_ENCAPS_WORDS_OF(m, n, t, confirms)                                 \
  (MCELIECE_ENCAPS_M4_HAS(m, t) ? MCELIECE_ENCAPS_M4_WORDS((size_t)(n), (confirms)) \
                                : MCELIECE_STREAM_WORDS + MCELIECE_ENCAPS_WORDS)
#else
#define MCELIECE_ENCAPS_WORDS_OF(m, n, t, confirms) (MCELIECE_STREAM_WORDS + MCELIECE_ENCAPS_WORDS)
#endif

/* What decapsulation takes beside the decoder. */
struct mceliece_decaps_memory {
  uint64_t error[MCELIECE_ERROR_WORDS];
  uint8_t confirmation[MCELIECE_HASH_BYTES];
  struct keccak_sponge sponge;
};

#if PROFILE_M4_ONLY
#define MCELIECE_DECAPS_WORDS(m, t) (MCELIECE_VECTOR_M4_WORDS(m) + MCELIECE_SIDE_M4_WORDS(m, t))
#else
#define MCELIECE_DECAPS_WORDS(m, t)                                                           \
  (ARENA_BYTES_TO_WORDS(sizeof(struct mceliece_decaps_memory)) + MCELIECE_PREPARED_WORDS(m) + \
   MCELIECE_DECODER_WORDS)
#endif

/* Making keys: the matrix takes more than the ordering and the control bits. */
#define MCELIECE_KEYPAIR_WORDS(m, n, t) (MCELIECE_KEY_WORDS(m, n, t) + MCELIECE_MATRIX_WORDS(m, t))

/* For the checks of a secret key and its public key. */
#define MCELIECE_CHECK_WORDS(m, n, t) \
  (ARENA_BYTES_TO_WORDS(MCELIECE_SECRET_KEY_BYTES(m, n, t)) + MCELIECE_KEYPAIR_WORDS(m, n, t))

/* Makes the key pair of a seed [MCE, 5.1]. Timing: depends on the number of attempts, which says
 * nothing about the key. */
codekem_status ckem_mceliece_keypair(const struct mceliece_variant *variant,
                                     const struct backend *backend, uint8_t *public_key,
                                     uint8_t *secret_key, const uint8_t *seed, struct arena arena);

/* Encapsulates with randomness from random(context, ...). Errors: CODEKEM_ERROR_RANDOM;
 * CODEKEM_ERROR_PUBLIC_KEY if an unused bit is set [MCE, 10]. */
codekem_status ckem_mceliece_encaps(const struct mceliece_variant *variant,
                                    const struct backend *backend, uint8_t *ciphertext,
                                    uint8_t *shared_secret, const uint8_t *public_key,
                                    codekem_random_function random, void *context,
                                    struct arena arena);

/* Starts the stream SHAKE256(3 || seed[32]). */
void ckem_mceliece_open_stream(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                               const uint8_t *seed);

/* A codekem_random_function: the stream of a struct keccak_sponge that is squeezed already. */
bool ckem_mceliece_random_from_stream(void *stream, uint8_t *out, size_t length);

/* As ckem_mceliece_encaps, with the stream SHAKE256(3 || seed[32]) [MCE, 11.3]. */
kem_operation ckem_mceliece_encaps_derand;

/* Decapsulates. Errors: CODEKEM_ERROR_CIPHERTEXT if an unused bit is set [MCE, 10]. */
kem_operation ckem_mceliece_decaps;

/* As ckem_mceliece_decaps, with what ckem_mceliece_decoder_prepare made of the key, and its s. The
 * arena has MCELIECE_DECAPS_WORDS less MCELIECE_PREPARED_WORDS. */
codekem_status ckem_mceliece_decaps_with(const struct mceliece_variant *variant,
                                         const struct backend *backend, uint8_t *shared_secret,
                                         const uint8_t *ciphertext, const uint64_t *prepared,
                                         const uint8_t *rejection, struct arena arena);

/* Wipes the stack below the caller after keys were made, where that goes deeper than what the entry
 * points wipe: on a small device. */
void ckem_mceliece_wipe_key_stack(void);

/* Returns the variant of a KEM, or NULL if it is NULL or of another scheme. */
const struct mceliece_variant *ckem_mceliece_variant_of_kem(const codekem_kem *kem);

/* Returns true if no unused bit is set. variant: a struct mceliece_variant. */
bool ckem_mceliece_check_public_key(const void *variant, const uint8_t *public_key);
bool ckem_mceliece_check_ciphertext(const void *variant, const uint8_t *ciphertext);

#endif
