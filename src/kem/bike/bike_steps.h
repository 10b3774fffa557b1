/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The steps that single operations and batches share. Timing: constant in all contents, but for
 * ckem_bike_sample_key with uniform sampling. */
#ifndef CODEKEM_BIKE_BIKE_STEPS_H
#define CODEKEM_BIKE_BIKE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "bike/bike.h"
#include "bike/symmetric.h"

/* Where the fields of a secret key start [BIKE, S3.5]. */
struct bike_secret_key_layout {
  size_t support[2];
  size_t h[2];
  size_t public_key;
  size_t sigma;
};

struct bike_secret_key_layout ckem_bike_lay_out_secret_key(const struct bike_params *params);

/* Returns what the decoder of a decapsulation takes: the parameters of the level, with the first
 * threshold of the call's options. */
struct bike_params ckem_bike_decoder_params(const struct kem_call *call);

/* Draws both halves of the secret key from one stream of the generator. Returns false if the
 * generator failed. */
bool ckem_bike_sample_key(const struct bike_variant *variant, const struct backend *backend,
                          uint32_t *const support[2], const uint8_t seed[BIKE_SEED_BYTES],
                          struct arena arena);

/* out = a + b, 32 bytes each. */
void ckem_bike_add_seeds(uint8_t out[BIKE_SEED_BYTES], const uint8_t a[BIKE_SEED_BYTES],
                         const uint8_t b[BIKE_SEED_BYTES]);

/* Writes the input of L, both halves padded to bytes: encoded[2 ring->bytes] [BIKE, S4.4]. */
void ckem_bike_encode_error(const struct gf2x_ring *ring, uint8_t *encoded, uint64_t *const e[2]);

/* Returns a mask that is set if the pairs are equal. */
uint64_t ckem_bike_equal_pairs(const struct gf2x_ring *ring, uint64_t *const a[2],
                               uint64_t *const b[2]);

/* Reads position list and dense form of both halves of a secret key. */
void ckem_bike_load_secret_key(const struct bike_params *params, uint64_t *const h[2],
                               uint32_t *const support[2], const uint8_t *secret_key);

#endif
