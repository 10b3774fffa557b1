/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder (decoder.h) for the Cortex-M4: 32-bit words, and one vector over the field. */
#ifndef CODEKEM_MCELIECE_DECODER_M4_H
#define CODEKEM_MCELIECE_DECODER_M4_H

#include <stdint.h>

#include "base/arena.h"
#include "gf2m/gf2m_m4.h"
#include "mceliece/params.h"

#if defined(CODEKEM_HAVE_M4)

/* A vector over the field, in 64-bit words. */
#define MCELIECE_VECTOR_M4_WORDS(m) ARENA_BYTES_TO_WORDS(4 * GF2M_M4_FIELD_WORDS(m))

/* What goes beside it, by turns: the scratch memory of an inversion, bits in the order of the
 * field, a syndrome of double length with the locator. */
#define MCELIECE_SIDE_M4_WORDS(m, t)                                               \
  ARENA_BYTES_TO_WORDS(4 * GF2M_M4_INVERT_WORDS(m) > 6 * (t) + 2                   \
                           ? (4 * GF2M_M4_INVERT_WORDS(m) > ((size_t)1 << (m)) / 8 \
                                  ? 4 * GF2M_M4_INVERT_WORDS(m)                    \
                                  : ((size_t)1 << (m)) / 8)                        \
                           : 6 * (t) + 2)

/* Sets a vector to the weights 1 / g^2 at the points of the field, for g as it stands in a secret
 * key. side: MCELIECE_SIDE_M4_WORDS. */
void ckem_mceliece_weights_m4(const struct mceliece_params *params, uint32_t *vector,
                              const uint8_t *goppa, uint64_t *side);

/* Decodes a syndrome of mt bits with the weights in the vector, g and the control bits. The error
 * takes the first MCELIECE_MAX_N bits of the vector; those from n on are 0. Returns a mask: the
 * error has weight t and this syndrome; otherwise it says nothing. Timing: constant. */
uint64_t ckem_mceliece_decode_m4(const struct mceliece_params *params, uint32_t *vector,
                                 const uint8_t *goppa, const uint8_t *control,
                                 const uint8_t *syndrome, uint64_t *side);

#endif

#endif
