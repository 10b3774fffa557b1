/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* BIKE [BIKE]: parameters, options, and the three operations of the KEM. */
#ifndef CODEKEM_BIKE_BIKE_H
#define CODEKEM_BIKE_BIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "bike/bike_levels.h"
#include "gf2x/gf2x.h"
#include "kem.h"
#include "sparse/sparse.h"

#define BIKE_SEED_BYTES 32    /* m, c1, sigma, the seed of the generator, the shared secret */
#define BIKE_ITERATIONS 5     /* NbIter */
#define BIKE_GRAY_MARGIN 3    /* tau */
#define BIKE_KEYPAIR_SEED_BYTES 64
#define BIKE_ENCAPS_REQUEST_BYTES 64 /* asked of the source; the first 32 are used */

/* One security level. */
struct bike_params {
  const struct gf2x_ring *ring;
  uint32_t key_weight; /* d = w / 2: weight of h0 and of h1 */
  uint32_t error_weight; /* t */
  /* Threshold T(S) = max((constant + slope * S) * multiplier >> shift, minimum), equal to
   * the specification's decimal formula for all S in [0, r]. */
  uint32_t threshold_constant;
  uint32_t threshold_slope;
  uint32_t threshold_multiplier;
  uint32_t threshold_shift;
  uint32_t threshold_minimum;
  uint32_t first_threshold_lower; /* 0; a decapsulation has what its options say */
  uint32_t masked_threshold; /* (d + 1) / 2 + 1 */
  uint32_t uniform_error_draws; /* words that the uniform sampler of v4.2 draws for an error */
};

/* The levels: ckem_bike_level1, ckem_bike_level3, ckem_bike_level5. */
#define BIKE_DECLARE_PARAMS(level) extern const struct bike_params ckem_bike_level##level;
BIKE_LEVELS(BIKE_DECLARE_PARAMS)
#undef BIKE_DECLARE_PARAMS

struct bike_symmetric;

/* A named KEM: a level and the options in which the versions differ. */
struct bike_variant {
  const struct bike_params *params;
  const struct bike_symmetric *symmetric; /* the hash and the generator */
  bool bind_public_key; /* the error depends on the public key, too */
  bool uniform_sampling; /* rejection instead of the biased sampler */
};

/* Lengths in bytes, for r = r_bits and d = key_weight. */
#define BIKE_PUBLIC_KEY_BYTES(r_bits) GF2X_BYTES(r_bits)
#define BIKE_CIPHERTEXT_BYTES(r_bits) (GF2X_BYTES(r_bits) + BIKE_SEED_BYTES)
#define BIKE_SECRET_KEY_BYTES(r_bits, key_weight) \
  (8 * (key_weight) + 3 * GF2X_BYTES(r_bits) + BIKE_SEED_BYTES)

/* Working memory in words of a position list, a seed, an encoded error and the generator. */
#define BIKE_POSITIONS_WORDS ARENA_BYTES_TO_WORDS(4 * SPARSE_MAX_POSITIONS)
#define BIKE_SEED_WORDS ARENA_BYTES_TO_WORDS(BIKE_SEED_BYTES)
#define BIKE_ERROR_BYTES_WORDS(r_bits) ARENA_BYTES_TO_WORDS(2 * GF2X_BYTES(r_bits))
#define BIKE_PRF_WORDS ARENA_BYTES_TO_WORDS(sizeof(struct bike_prf))

/* Working memory of each operation in words; the formulas follow what the functions take. */
#define BIKE_ERROR_WORDS (BIKE_PRF_WORDS + BIKE_SEED_WORDS + BIKE_POSITIONS_WORDS)
#define BIKE_KEYPAIR_WORDS(r_bits)                      \
  (3 * GF2X_STRIDE(r_bits) + 2 * BIKE_POSITIONS_WORDS + \
   ARENA_WORDS(GF2X_INVERT_SCRATCH_WORDS(r_bits)))
#define BIKE_ENCAPS_WORDS(r_bits)                             \
  (3 * GF2X_STRIDE(r_bits) + BIKE_ERROR_BYTES_WORDS(r_bits) + \
   ARENA_WORDS(GF2X_MUL_SCRATCH_WORDS(r_bits)))
#define BIKE_DECAPS_WORDS(r_bits)                                         \
  (7 * GF2X_STRIDE(r_bits) + 2 * BIKE_POSITIONS_WORDS + BIKE_SEED_WORDS + \
   BIKE_ERROR_BYTES_WORDS(r_bits) + BIKE_DECODER_WORDS(r_bits))

#define BIKE_CHECK_WORDS(r_bits) \
  (3 * GF2X_STRIDE(r_bits) + 2 * BIKE_POSITIONS_WORDS + ARENA_WORDS(GF2X_MUL_SCRATCH_WORDS(r_bits)))

/* Operations of a batch that are decoded before they are hashed side by side: as many as fit on the
 * stack at level 5. */
#define BIKE_DECAPS_GROUP 4

/* The same for batches of any count. */
#define BIKE_GROUP_WORDS(r_bits, count) \
  ((count) * (2 * BIKE_SEED_WORDS + BIKE_ERROR_BYTES_WORDS(r_bits)))
#define BIKE_LISTS_WORDS(count) ((2 * (count) + 2) * BIKE_POSITIONS_WORDS)
#define BIKE_KEYPAIR_BATCH_WORDS(r_bits)                    \
  (5 * GF2X_STRIDE(r_bits) + BIKE_LISTS_WORDS(BIKE_GROUP) + \
   ARENA_WORDS(GF2X_INVERT_SCRATCH_WORDS(r_bits)))
#define BIKE_ENCAPS_BATCH_WORDS(r_bits)                                                            \
  (3 * GF2X_STRIDE(r_bits) + BIKE_LISTS_WORDS(BIKE_GROUP) + BIKE_GROUP_WORDS(r_bits, BIKE_GROUP) + \
   ARENA_WORDS(GF2X_MUL_SCRATCH_WORDS(r_bits)))
#define BIKE_DECAPS_BATCH_WORDS(r_bits)                 \
  (5 * GF2X_STRIDE(r_bits) + 2 * BIKE_POSITIONS_WORDS + \
   BIKE_GROUP_WORDS(r_bits, BIKE_DECAPS_GROUP) + BIKE_DECODER_WORDS(r_bits))

/* The operations (struct kem_operations), of a struct bike_variant. Buffers have the lengths above
 * and do not overlap; arena has at least the words of the operation, starts at a 64-byte boundary,
 * and keeps secrets until the caller wipes it. Errors: CODEKEM_ERROR_INTERNAL if the variant's hash
 * or generator fails (never with ckem_bike_sha3). Timing: depends on the variant; constant in
 * everything else but for uniform_sampling, where the number of candidates that were rejected for a
 * key shows. */

/* Makes a key pair from seed[BIKE_KEYPAIR_SEED_BYTES]: the first half draws h0 and h1, the second
 * is sigma. Source: [BIKE, S6.1]. */
kem_operation ckem_bike_keypair;

/* Encapsulates the seed m[BIKE_SEED_BYTES] to public_key; unused bits there are folded, not
 * refused. Source: [BIKE, S6.2]. */
kem_operation ckem_bike_encaps;

/* Decapsulates. A ciphertext that does not decode gives the secret of sigma, and CODEKEM_OK.
 * Source: [BIKE, S6.3]. */
kem_operation ckem_bike_decaps;

/* The same for count operations: buffers hold count items one behind the other, but for the keys
 * that go in, which are a stride apart, 0 where all are one. Each result is that of the single
 * operation. After an error, outputs mean nothing, and may be secret.
 *
 * All keys take one inversion as in [BBCT22]. Until it is done, the secret keys hold products of h0
 * in the places of their public keys. */
kem_operation ckem_bike_keypair_batch;
kem_operation ckem_bike_encaps_batch;
kem_operation ckem_bike_decaps_batch;

/* Checks that positions, dense halves and public key inside a secret key agree and have the weights
 * of an honest one. Errors: CODEKEM_ERROR_SECRET_KEY. Timing: the verdict shows. */
kem_operation ckem_bike_check_secret_key;

/* Return whether an honest party can have made it, as far as unused bits and parity tell.
 * variant: a struct bike_variant. Timing: not constant; both are public. */
bool ckem_bike_check_public_key(const void *variant, const uint8_t *public_key);
bool ckem_bike_check_ciphertext(const void *variant, const uint8_t *ciphertext);

/* Copies the public key out of a secret key. */
kem_operation ckem_bike_derive_public_key;

#endif
