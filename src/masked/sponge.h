/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak and its sponge with a state in shares [FIPS 202]. */
#ifndef CODEKEM_MASKED_SPONGE_H
#define CODEKEM_MASKED_SPONGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keccak/keccak.h"
#include "masked/shares.h"

/*
 * Lanes of share i are turned like words of planes. Where words have 32 bits, lanes are interleaved
 * [KeccakTools]: the even bits in the first word and the odd ones in the second, so that a rotation
 * of the lane is one of each word.
 */
struct masked_sponge {
  uint64_t state[MASKED_SHARES][KECCAK_LANES];
  uint64_t rows[MASKED_SHARES][KECCAK_LANES]; /* of the permutation */
  struct masks *masks;
  size_t rate_bytes;
  size_t position;
  uint8_t suffix;
  bool refreshed; /* the whole state, which chi needs, after the first block is in */
};

/* state = chi of rows, five rows of five lanes. At order 1 a lane serves as the mask under which
 * its cross product is taken, and one fresh lane for the five of a row keeps the sharing uniform;
 * above that it is five ANDs. */
void ckem_masked_chi(struct masks *masks, uint64_t (*state)[KECCAK_LANES],
                     uint64_t (*rows)[KECCAK_LANES]);

/* Adds the value of a lane to lane k of a share. */
void ckem_masked_add_lane(uint64_t lanes[KECCAK_LANES], size_t share, size_t k, uint64_t lane);

/* The permutation of a state in shares; rows is memory. */
void ckem_masked_permute(struct masks *masks, uint64_t (*state)[KECCAK_LANES],
                         uint64_t (*rows)[KECCAK_LANES]);

void ckem_masked_sponge_init(struct masked_sponge *sponge, struct masks *masks, size_t rate_bytes,
                             uint8_t suffix);

/* Absorbs length bytes, in shares or public. */
void ckem_masked_absorb(struct masked_sponge *sponge, struct shared_bytes data, size_t length);
void ckem_masked_absorb_public(struct masked_sponge *sponge, const uint8_t *data, size_t length);

/* Ends the message with one more byte, which separates domains; call it once. */
void ckem_masked_finish(struct masked_sponge *sponge, uint8_t domain);

/* Squeezes length bytes; the stream continues from call to call. */
void ckem_masked_squeeze(struct masked_sponge *sponge, struct shared_bytes out, size_t length);

#endif
