/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shortened Reed-Solomon codes of HQC [HQC, 7]. */
#ifndef CODEKEM_HQC_REED_SOLOMON_H
#define CODEKEM_HQC_REED_SOLOMON_H

#include <stddef.h>
#include <stdint.h>

#define REED_SOLOMON_MAX_DELTA 29   /* errors that are corrected */
#define REED_SOLOMON_MAX_LENGTH 96  /* n1, rounded up to whole words */
#define REED_SOLOMON_MAX_PARITY 64  /* 2 delta, rounded up to whole words */
#define REED_SOLOMON_MAX_MESSAGE 32 /* k */

/* One code: length n1, k message bytes, correcting delta wrong bytes; n1 = k + 2 delta. */
struct reed_solomon {
  uint32_t length;
  uint32_t message_bytes;
  uint32_t delta;
  /* Coefficients 0 .. 2 delta - 1 of the generator polynomial; the leading one is 1. */
  uint8_t generator[REED_SOLOMON_MAX_PARITY];
};

#endif
