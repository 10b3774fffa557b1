/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The duplicated first-order Reed-Muller code of HQC [HQC, 8]. */
#ifndef CODEKEM_HQC_REED_MULLER_H
#define CODEKEM_HQC_REED_MULLER_H

#include <stddef.h>
#include <stdint.h>

#define REED_MULLER_WORDS 2 /* 64-bit words of one copy: 128 bits */

/* Encodes symbols[count]: each byte becomes copies words of 128 bits, out[2 * copies * count].
 * Timing: constant in the symbols. */
void ckem_reed_muller_encode(uint64_t *out, const uint8_t *symbols, size_t count, size_t copies);

/* Decodes in[2 * copies * count] to symbols[count], each the nearest one; of two that are as near,
 * the one with the smaller linear part. Timing: constant in the bits. */
void ckem_reed_muller_decode(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies);

#endif
