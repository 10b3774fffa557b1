/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The hash function and the pseudorandom generator of BIKE [BIKE, S4]: SHA-3 and SHAKE, or others. */
#ifndef CODEKEM_BIKE_SYMMETRIC_H
#define CODEKEM_BIKE_SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keccak/keccak.h"

/* A piece of a message. */
struct bike_bytes {
  const uint8_t *data;
  size_t length;
};

/* A stream of 32-bit words. */
struct bike_prf {
  struct keccak_sponge sponge; /* used by SHAKE */
  void *handle;                /* used by ciphers of other libraries */
};

/* One pair of hash and generator. The functions return false if a library below them failed;
 * those over Keccak cannot. */
struct bike_symmetric {
  /* out = the first 32 bytes of the hash of the pieces, one behind the other. */
  bool (*hash)(const struct keccak_ops *keccak, uint8_t out[32], const struct bike_bytes *pieces,
               size_t count);
  /* Starts the stream of a seed. After true, prf_close must follow. */
  bool (*prf_open)(struct bike_prf *prf, const struct keccak_ops *keccak, const uint8_t seed[32]);
  /* Takes the next count words of the stream. */
  bool (*prf_words)(struct bike_prf *prf, uint32_t *out, size_t count);
  /* Wipes the generator. */
  void (*prf_close)(struct bike_prf *prf);
};

/* SHA3-384 and SHAKE256. */
extern const struct bike_symmetric bike_sha3;

#endif
