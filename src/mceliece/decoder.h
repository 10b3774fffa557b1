/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The decoder of a Goppa code, in the order of the field [MCE, 7.1, 14.3]. */
#ifndef CODEKEM_MCELIECE_DECODER_H
#define CODEKEM_MCELIECE_DECODER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "benes/benes.h"
#include "gf2m/gf2m.h"
#include "mceliece/params.h"
#include "recurrence/recurrence.h"

/* What a key is prepared to: the weights 1 / g^2 at the points of the field, and the network of
 * the support. */
#define MCELIECE_PREPARED_WORDS(m) \
  (ARENA_WORDS(GF2M_FIELD_WORDS(m)) + ARENA_WORDS(BENES_NETWORK_WORDS(m)))

/* The memory of a decoder beside that. */
struct mceliece_decoder_memory {
  uint64_t vector[GF2M_SCRATCH_WORDS(MCELIECE_MAX_M)]; /* values, and scratch memory in place */
  uint64_t received[MCELIECE_MAX_Q / 64]; /* bits in the order of the field */
  uint64_t found[MCELIECE_MAX_Q / 64];
  uint16_t syndrome[2 * MCELIECE_MAX_T];
  uint16_t syndrome_of_found[MCELIECE_MAX_T];
  uint16_t connection[MCELIECE_MAX_T + 1];
  uint16_t locator[MCELIECE_MAX_T + 1];
};

#define MCELIECE_DECODER_WORDS ARENA_BYTES_TO_WORDS(sizeof(struct mceliece_decoder_memory))

/* Returns the field of a set. */
const struct gf2m_field *ckem_mceliece_field(const struct mceliece_params *params);

/* Prepares g, as it stands in a secret key, and the control bits. Decode with the same back end. */
void ckem_mceliece_decoder_prepare(const struct mceliece_params *params,
                                   const struct backend *backend, uint64_t *prepared,
                                   const uint8_t *goppa, const uint8_t *control,
                                   struct arena arena);

/* Decodes a syndrome of mt bits to error[MCELIECE_MAX_N / 64]. Returns a mask: the error has weight
 * t and this syndrome; otherwise error says nothing. Bits from n on are 0. Timing: constant. */
uint64_t ckem_mceliece_decode(const struct mceliece_params *params, const struct backend *backend,
                              uint64_t *error, const uint64_t *prepared, const uint8_t *syndrome,
                              struct arena arena);

#endif
