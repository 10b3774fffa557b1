/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing positions from the pseudorandom generator [BIKE, S5]. */
#ifndef CODEKEM_BIKE_SAMPLING_H
#define CODEKEM_BIKE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bike/symmetric.h"
#include "sparse/sparse.h"

/* Draws count <= SPARSE_MAX_POSITIONS distinct positions below length by the biased sampler of
 * version 5 [BIKE, S5.1]; the first word drawn decides the last position. Returns false if the
 * generator failed. Timing: depends on count. */
bool ckem_bike_sample_biased(const struct sparse_ops *ops, const struct bike_symmetric *symmetric,
                             struct bike_prf *prf, uint32_t *positions, size_t count,
                             uint32_t length);

/* The same from count words that were drawn before, in place. */
void ckem_bike_pick_biased(const struct sparse_ops *ops, uint32_t *positions, size_t count,
                           uint32_t length);

/* Draws positions by rejection until count are held [BIKE, S5.2], as version 4.2 does for keys.
 * Returns false if the generator failed, or gave no position for too long;
 * those that are missing are then 0. Timing: shows how many words were drawn and which of them
 * were accepted; that is public by the specification, and independent of the accepted values. */
bool ckem_bike_sample_rejection(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                uint32_t *positions, size_t count, uint32_t length);

/* The same with exactly draws words [BIKE, S5.3], as version 4.2 does for errors. If fewer than
 * count are accepted, the rest is SPARSE_NO_POSITION. Returns false if the generator failed.
 * Timing: depends on count and draws. */
bool ckem_bike_sample_fixed_draws(const struct bike_symmetric *symmetric, struct bike_prf *prf,
                                  uint32_t *positions, size_t count, uint32_t length,
                                  uint32_t draws);

#endif
