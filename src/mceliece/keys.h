/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From a seed to the parts of a key [MCE, 5]. */
#ifndef CODEKEM_MCELIECE_KEYS_H
#define CODEKEM_MCELIECE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "benes/benes.h"
#include "codekem.h"
#include "mceliece/matrix.h"
#include "mceliece/params.h"

/* PRG(delta) taken apart, in the memory of an arena. */
struct mceliece_expansion {
  uint8_t *rejection; /* s, n / 8 bytes */
  uint8_t *ordering;  /* q numbers of 32 bits */
  uint8_t *beta;      /* t numbers of 16 bits */
  uint8_t *next;      /* the seed of the next attempt */
};

/* What making a key keeps beside the matrix. */
struct mceliece_key_memory {
  uint8_t *expansion;
  uint16_t *goppa; /* g_0 to g_(t - 1) */
  struct mceliece_columns columns;
};

#define MCELIECE_KEY_WORDS(m, n, t)                                             \
  (ARENA_BYTES_TO_WORDS((n) / 8 + (4 << (m)) + 2 * (t) + MCELIECE_SEED_BYTES) + \
   ARENA_BYTES_TO_WORDS(2 * (t)) + MCELIECE_COLUMNS_WORDS(m))

/* Takes it from an arena. */
struct mceliece_key_memory ckem_mceliece_take_key_memory(const struct mceliece_params *params,
                                                         struct arena *arena);

/* Reads g from a secret key, m bits of each number. */
void ckem_mceliece_read_goppa(const struct mceliece_params *params, uint16_t *goppa,
                              const uint8_t *bytes);

/* Expands delta[32] into bytes[mceliece_expansion_bytes]. */
struct mceliece_expansion ckem_mceliece_expand(const struct mceliece_params *params,
                                               const struct backend *backend, uint8_t *bytes,
                                               const uint8_t *delta);

/* Fills the columns of the code that g and the control bits of a secret key describe. The arena has
 * MCELIECE_COLUMNS_OF_KEY_WORDS. */
void ckem_mceliece_columns_of_key(const struct mceliece_params *params,
                                  const struct backend *backend,
                                  const struct mceliece_columns *columns, const uint8_t *secret_key,
                                  struct arena arena);
#define MCELIECE_COLUMNS_OF_KEY_WORDS(m)                           \
  (MCELIECE_ORDER_WORDS(m) + ARENA_WORDS(BENES_NETWORK_WORDS(m)) + \
   ARENA_WORDS(BENES_SCRATCH_WORDS(m)))

/* Fills a secret key[...] from its first 40 bytes [MCE, 9.3]. Errors: CODEKEM_ERROR_SECRET_KEY if
 * delta makes no key, or c is not possible. */
codekem_status ckem_mceliece_expand_short_key(const struct mceliece_variant *variant,
                                              const struct backend *backend, uint8_t *secret_key,
                                              const uint8_t *short_key, struct arena arena);

/* Compares a secret key with what its first 40 bytes make. Errors: CODEKEM_ERROR_SECRET_KEY. */
codekem_status ckem_mceliece_check_secret_key(const struct mceliece_variant *variant,
                                              const struct backend *backend,
                                              const uint8_t *secret_key, struct arena arena);

/* Makes the public key of g and the control bits in a secret key. Errors: CODEKEM_ERROR_SECRET_KEY
 * if they make none. */
codekem_status ckem_mceliece_derive_public_key(const struct mceliece_variant *variant,
                                               const struct backend *backend, uint8_t *public_key,
                                               const uint8_t *secret_key, struct arena arena);

#endif
