/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The hash function and the pseudorandom generator of BIKE [BIKE, S4]: SHA-3 and SHAKE, or
 * others. */
#ifndef CODEKEM_BIKE_SYMMETRIC_H
#define CODEKEM_BIKE_SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keccak/keccak.h"

/* A running hash. */
struct bike_hash {
  struct keccak_sponge sponge; /* used by SHA-3 */
  void *handle; /* used by hashes of other libraries */
};

/* A stream of 32-bit words. */
struct bike_prf {
  struct keccak_sponge sponge; /* used by SHAKE */
  void *handle; /* used by ciphers of other libraries */
};

/* Operations of a batch that go side by side: as many as any processor's vectors have lanes. */
#define BIKE_GROUP 8

/* Messages of equal lengths, each in two parts. */
struct bike_messages {
  size_t count; /* at most BIKE_GROUP */
  const uint8_t *first[BIKE_GROUP];
  const uint8_t *second[BIKE_GROUP];
  size_t first_length;
  size_t second_length;
};

/* One pair of hash and generator. A false result means that a library below failed; Keccak cannot.
 * Contents are secret, lengths and counts are public. */
struct bike_symmetric {
  /* Starts a hash; hash_close must follow. A failure shows in hash_close. */
  void (*hash_open)(struct bike_hash *hash, const struct keccak_ops *keccak);
  /* Hashes data[length] behind what came before. */
  void (*hash_absorb)(struct bike_hash *hash, const uint8_t *data, size_t length);
  /* Does the same for two hashes that do not depend on each other, possibly faster. */
  void (*hash_absorb_pair)(struct bike_hash *first, const uint8_t *first_data, size_t first_length,
                           struct bike_hash *second, const uint8_t *second_data,
                           size_t second_length);
  /* Sets out to the first 32 bytes of the digest and wipes the hash. */
  bool (*hash_close)(struct bike_hash *hash, uint8_t out[32]);

  /* Starts the stream of a seed. After true, prf_close must follow. */
  bool (*prf_open)(struct bike_prf *prf, const struct keccak_ops *keccak, const uint8_t seed[32]);
  /* Takes the next count words of the stream. */
  bool (*prf_words)(struct bike_prf *prf, uint32_t *out, size_t count);
  /* Wipes the generator. */
  void (*prf_close)(struct bike_prf *prf);

  /* The same for count seeds and messages at once, possibly faster; NULL where there is no such
   * way. See ckem_bike_prf_many and ckem_bike_hash_many. */
  void (*prf_many)(const struct keccak_ops *keccak, size_t count, uint32_t *const out[],
                   size_t words, const uint8_t *const seeds[]);
  void (*hash_many)(const struct keccak_ops *keccak, const struct bike_messages *messages,
                    uint8_t *const out[]);
};

/* Sets out[i][words] to the beginning of the stream of seeds[i], for every i below count, which is
 * at most BIKE_GROUP. Returns false if a library below failed. */
bool ckem_bike_prf_many(const struct bike_symmetric *symmetric, const struct keccak_ops *keccak,
                        size_t count, uint32_t *const out[], size_t words,
                        const uint8_t *const seeds[]);

/* Sets out[i] to the first 32 bytes of the hash of message i. Returns false if a library below
 * failed. */
bool ckem_bike_hash_many(const struct bike_symmetric *symmetric, const struct keccak_ops *keccak,
                         const struct bike_messages *messages, uint8_t *const out[]);

/* prf_many and hash_many of SHA3-384 and SHAKE256. */
void ckem_bike_sha3_prf_many(const struct keccak_ops *keccak, size_t count, uint32_t *const out[],
                             size_t words, const uint8_t *const seeds[]);
void ckem_bike_sha3_hash_many(const struct keccak_ops *keccak, const struct bike_messages *messages,
                              uint8_t *const out[]);

/* SHA3-384 and SHAKE256. */
extern const struct bike_symmetric ckem_bike_sha3;

#endif
