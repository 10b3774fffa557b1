/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder (decoder.h) for the Cortex-M4: 32-bit words, little memory. */
#ifndef CODEKEM_MCELIECE_DECODER_M4_H
#define CODEKEM_MCELIECE_DECODER_M4_H

#include <stdint.h>

#include "base/arena.h"
#include "gf2m/gf2m_m4.h"
#include "mceliece/names.h"
#include "mceliece/params.h"
#include "recurrence/recurrence_m4.h"

/* The weights 1 / g^2 at the points of the field. */
#define MCELIECE_WEIGHTS_M4_WORDS(m) ARENA_BYTES_TO_WORDS(4 * GF2M_M4_FIELD_WORDS(m))

/* What the functions below take of an arena: a vector, bits in the order of the field, and what
 * goes with the errors. */
#define MCELIECE_DECODER_M4_WORDS(m, t)                                               \
  (ARENA_BYTES_TO_WORDS(4 * GF2M_M4_FIELD_WORDS(m)) +                                 \
   ARENA_BYTES_TO_WORDS(((size_t)1 << (m)) / 8) + 2 * ARENA_BYTES_TO_WORDS(4 * (t)) + \
   ARENA_BYTES_TO_WORDS(2 * (t) + 2))

/* Sets weights for g as it stands in a secret key. */
void mceliece_weights_m4(const struct mceliece_params *params, uint32_t *weights,
                         const uint8_t *goppa, struct arena arena);

/* As mceliece_decode, with weights and the control bits of the secret key. */
uint64_t mceliece_decode_m4(const struct mceliece_params *params, uint64_t *error,
                            const uint32_t *weights, const uint8_t *control,
                            const uint8_t *syndrome, struct arena arena);

#endif
