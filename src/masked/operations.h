/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of HQC in shares [HQC, 11]. */
#ifndef CODEKEM_MASKED_OPERATIONS_H
#define CODEKEM_MASKED_OPERATIONS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "hqc/hqc.h"
#include "keccak/keccak.h"
#include "masked/codes.h"
#include "masked/positions.h"
#include "masked/products.h"
#include "masked/shares.h"
#include "masked/sponge.h"

/* The small secrets of an operation, and what it hashes with. */
struct masked_small {
  struct masks masks;
  struct masked_sponge sponge;
  struct keccak_sponge plain; /* for what is public */
  uint8_t message[MASKED_SHARES * HQC_MAX_MESSAGE_BYTES];
  uint8_t sigma[MASKED_SHARES * HQC_MAX_MESSAGE_BYTES];
  uint8_t seeds[MASKED_SHARES * 2 * HQC_SEED_BYTES]; /* K and theta; the seeds of a key pair */
  uint8_t rejected[MASKED_SHARES * HQC_SECRET_BYTES];
  uint8_t h_ek[HQC_SEED_BYTES];
  masked_word selected[MASKED_SHARES * MASKED_WORDS(8 * HQC_SECRET_BYTES)];
  masked_word other[MASKED_SHARES * MASKED_WORDS(8 * HQC_SECRET_BYTES)];
  masked_word choice[MASKED_SHARES * MASKED_WORDS(8 * HQC_SECRET_BYTES)];
};

/* Memory of each operation in 64-bit words: small secrets and symbols, an element in shares, and
 * either what decoding takes or two more elements in shares, a public one, and what a product or
 * drawing takes. */
#define MASKED_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define MASKED_DRAWING_WORDS(r_bits, weight)                                   \
  (MASKED_ARENA_WORDS(MASKED_WORDS(weight) * MASKED_POSITION_PLANES(r_bits)) + \
   MASKED_LARGER(MASKED_ARENA_WORDS(MASKED_DRAW_WORDS(r_bits, weight)),        \
                 MASKED_ARENA_WORDS(MASKED_PLACE_WORDS(r_bits, weight))))
#define MASKED_WORKSPACE_WORDS(r_bits, length, copies, weight)                          \
  (ARENA_BYTES_TO_WORDS(sizeof(struct masked_small)) +                                  \
   MASKED_ARENA_WORDS(8 * MASKED_WORDS(length)) + MASKED_SHARES * GF2X_STRIDE(r_bits) + \
   MASKED_LARGER(MASKED_ARENA_WORDS(MASKED_REED_MULLER_WORDS(length, copies)),          \
                 (2 * MASKED_SHARES + 1) * GF2X_STRIDE(r_bits) +                        \
                     MASKED_LARGER(ARENA_WORDS(MASKED_PRODUCT_WORDS(r_bits)),           \
                                   MASKED_DRAWING_WORDS(r_bits, weight))))

/* What an operation works with. Each of those below returns false if a stream is stuck, as no seed
 * makes one. Shares of bytes are as wide apart as they are long. */
struct masked_call {
  const struct hqc_params *params;
  const struct backend *backend;
  struct masked_small *small;
  struct arena arena; /* what is left behind small */
};

/* A secret key in shares: public key, H(ek), shares of y, shares of sigma. */
struct masked_layout {
  size_t h_ek, y, sigma;
};
#define MASKED_SECRET_KEY_BYTES(r_bits, message) \
  (HQC_PUBLIC_KEY_BYTES(r_bits) + HQC_SEED_BYTES + MASKED_SHARES * (GF2X_BYTES(r_bits) + (message)))

/* Makes a key pair from shares of seed_kem. It opens s and seed_ek, the public key. */
bool ckem_masked_hqc_keypair(const struct masked_call *call, uint8_t *public_key,
                             uint8_t *secret_key, const uint8_t *seed);

/* Makes a secret key in shares from one that is not. */
bool ckem_masked_hqc_import(const struct masked_call *call, uint8_t *secret_key,
                            const uint8_t *plain);

/* Refreshes the shares of a secret key in place. */
bool ckem_masked_hqc_refresh(const struct masked_call *call, uint8_t *secret_key);

/* Encapsulates shares of a message and of a salt, one behind the other in each share. It opens the
 * ciphertext. */
bool ckem_masked_hqc_encaps(const struct masked_call *call, uint8_t *ciphertext,
                            uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);

/* Decapsulates to shares of the secret. It opens nothing. */
bool ckem_masked_hqc_decaps(const struct masked_call *call, uint8_t *shared_secret,
                            const uint8_t *ciphertext, const uint8_t *secret_key);

#endif
