/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where libraries of others take randomness from. */
#ifndef CODEKEM_PEERS_RANDOM_H
#define CODEKEM_PEERS_RANDOM_H

#include <stddef.h>

typedef void peer_fill(unsigned char *out, size_t length);

/* From now on `fill` gives the bytes, and if it is NULL the system. */
void peer_random(peer_fill *fill);

/* Sets out[length]. */
void peer_bytes(unsigned char *out, size_t length);

#endif
