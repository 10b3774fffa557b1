/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* X25519 [RFC7748, 5]. */
#ifndef CODEKEM_HYBRID_X25519_H
#define CODEKEM_HYBRID_X25519_H

#include <stdint.h>

#define X25519_BYTES 32

/* Writes the u coordinate of scalar times the point with u coordinate `point`, any 32 bytes; out
 * may be either of them. Timing: constant in all. */
void ckem_x25519(uint8_t out[X25519_BYTES], const uint8_t scalar[X25519_BYTES],
                 const uint8_t point[X25519_BYTES]);

#endif
