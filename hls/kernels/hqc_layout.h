/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The memory of an HQC core, in words of 64 bits, little-endian.
 *
 * KEY has the decapsulation key, whose first bytes are the encapsulation key; TEXT the ciphertext,
 * SECRET the shared secret, COINS what comes from a random generator. All are byte strings as the
 * specification has them. What follows is the core's own and cleared in the end.
 */
#ifndef CODEKEM_HLS_HQC_LAYOUT_H
#define CODEKEM_HLS_HQC_LAYOUT_H

#include "hqc_parameters.h"

enum {
  WORD_COUNT = (N + 63) / 64,             /* words of a polynomial */
  TAIL_BYTES = (N + 7) / 8 % 8,           /* bytes in the last of them */
  TAIL = 8 * TAIL_BYTES,                  /* the same in bits: what follows is shifted by it */
  CODE_WORDS = SYMBOLS * COPIES * 2,      /* words of v */
  MESSAGE_WORDS = MESSAGE / 8,
  KEY_FULL = 4 + WORD_COUNT - 1,          /* full words of the encapsulation key */
  TEXT_FULL = WORD_COUNT - 1 + CODE_WORDS + 2,
  KEY = 0,
  TEXT = KEY + KEY_FULL + 8 + MESSAGE_WORDS + 1,
  SECRET = TEXT + TEXT_FULL + 1,
  COINS = SECRET + 4,
  OWN = COINS + (MESSAGE_WORDS > 2 ? MESSAGE_WORDS + 2 : 4),
  SEED_DK = OWN,               /* of y and x; after it that of h, or sigma */
  SEED_EK = SEED_DK + 4,
  SIGMA_AFTER = SEED_DK + 4,
  SEED_PKE = OWN + 8,          /* after it sigma */
  SIGMA = SEED_PKE + 4,
  HASH = OWN + 16,             /* of the encapsulation key; after it m and the salt */
  PLAIN = HASH + 4,
  SALT = PLAIN + MESSAGE_WORDS,
  SHARED = OWN + 26,           /* K; after it theta */
  THETA = SHARED + 4,
  REJECTED = OWN + 34,         /* K if the ciphertext is refused */
  STREAM = OWN + 38,           /* output of the XOF */
  DATA = STREAM + WORD_COUNT,
};

#endif
