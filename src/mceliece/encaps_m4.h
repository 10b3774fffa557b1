/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation for the Cortex-M4 in the memory of the error and little more. */
#ifndef CODEKEM_MCELIECE_ENCAPS_M4_H
#define CODEKEM_MCELIECE_ENCAPS_M4_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "codekem.h"
#include "keccak/keccak.h"
#include "mceliece/params.h"

/* Whether a set has whole words of rows; the other one is encapsulated to as elsewhere. */
#define MCELIECE_ENCAPS_M4_HAS(m, t) ((m) * (t) % 32 == 0)

/* Words in front of the error, for the sponge. Without a confirmation there is one hash, and the
 * sponge takes the place of the first bytes of the error, too. */
#define MCELIECE_FRONT_M4_WORDS(confirms) ((confirms) ? 32 : 16)

/* What the function takes of an arena: these and the error. Before the error there are a stream and
 * a draw in this memory. */
#define MCELIECE_ENCAPS_M4_WORDS(n, confirms) \
  (MCELIECE_FRONT_M4_WORDS(confirms) + ARENA_BYTES_TO_WORDS((n) / 8))

#if defined(CODEKEM_HAVE_M4)

/* As ckem_mceliece_encaps for a set that MCELIECE_ENCAPS_M4_HAS. The first MCELIECE_STREAM_WORDS of
 * the arena may hold what random reads: they are not written before the last call of random. */
codekem_status ckem_mceliece_encaps_m4(const struct mceliece_variant *variant,
                                       const struct backend *backend, uint8_t *ciphertext,
                                       uint8_t *shared_secret, const uint8_t *public_key,
                                       codekem_random_function random, void *context,
                                       struct arena arena);

#endif

#endif
