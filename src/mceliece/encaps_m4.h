/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation for the Cortex-M4 in the memory of the error and a draw. */
#ifndef CODEKEM_MCELIECE_ENCAPS_M4_H
#define CODEKEM_MCELIECE_ENCAPS_M4_H

#include "base/arena.h"
#include "base/backend.h"
#include "codekem.h"
#include "keccak/keccak.h"
#include "mceliece/names.h"
#include "mceliece/params.h"

#if defined(CODEKEM_HAVE_M4)

/* Whether a set has whole words of rows; the other one is encapsulated to as elsewhere. */
#define MCELIECE_ENCAPS_M4_HAS(m, t) ((m) * (t) % 32 == 0)

/* What the function takes of an arena: the error; the draw and later a sponge. */
#define MCELIECE_ENCAPS_M4_WORDS(n, t)                                                         \
  (ARENA_BYTES_TO_WORDS((n) / 8) + ARENA_BYTES_TO_WORDS(4 * (t) > sizeof(struct keccak_sponge) \
                                                            ? 4 * (t)                          \
                                                            : sizeof(struct keccak_sponge)))

/* As mceliece_encaps for a set that MCELIECE_ENCAPS_M4_HAS. */
codekem_status mceliece_encaps_m4(const struct mceliece_variant *variant,
                                  const struct backend *backend, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key,
                                  codekem_random_function random, void *context,
                                  struct arena arena);

#endif

#endif
