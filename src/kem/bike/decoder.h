/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The Black-Gray-Flip decoder [BIKE, S7]. */
#ifndef CODEKEM_BIKE_DECODER_H
#define CODEKEM_BIKE_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "bike/bike.h"
#include "bike/counters.h"

/* The secret key as the decoder needs it. Ring elements and position lists are the caller's. */
struct bike_decoder_key {
  const uint64_t *h[2];         /* h0 and h1 */
  const uint32_t *support[2];   /* key_weight positions each */
  bool ordered;                 /* ckem_bike_order_support has put them in order */
};

/* Puts the position lists of a key into the order that the back end prefers, as ckem_bike_decode
 * does with a copy: for several ciphertexts under one key. Timing: constant. */
void ckem_bike_order_support(const struct bike_params *params, const struct backend *backend,
                             uint32_t *const support[2]);

/* What an observer is shown at each step; for tests only. All of it is secret. */
struct bike_decoder_step {
  uint32_t syndrome_weight;
  uint32_t threshold;
  const uint64_t *flips[2]; /* coefficients of e0 and e1 that this step changes */
  const uint64_t *gray[2];  /* NULL but in the first iteration */
};
typedef void bike_decoder_observer(void *context, const struct bike_decoder_step *step);

/* Decodes c0 to an error (e0, e1): ring elements e[0] and e[1]. It always gives some pair, which is
 * wrong if c0 has too many errors. observer may be NULL.
 * Timing: depends on the parameters only (five iterations, always). */
void ckem_bike_decode(const struct bike_params *params, const struct backend *backend,
                      uint64_t *const e[2], const uint64_t *c0, const struct bike_decoder_key *key,
                      bike_decoder_observer *observer, void *context, struct arena arena);

/* Returns the threshold for a syndrome of weight syndrome_weight [BIKE, S7.3].
 * Timing: constant. */
uint32_t ckem_bike_threshold(const struct bike_params *params, uint32_t syndrome_weight);

/* Memory that ckem_bike_decode takes from the arena, in words. */
#define BIKE_DECODER_WORDS(r_bits) \
  (2 * BIKE_POSITIONS_WORDS + 7 * GF2X_STRIDE(r_bits) + BIKE_SCRATCH_WORDS(r_bits))

#endif
