/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Counters as the specification writes them: the oracle of the tests.
 * NOT constant time: it branches on secrets and uses them as indices.
 */
#include <string.h>

#include "bike/counters.h"

static void count_unsatisfied_reference(const struct gf2x_ring *ring, uint64_t *reached,
                                        uint32_t threshold, uint64_t *reached_low,
                                        uint32_t threshold_low, const uint64_t *syndrome,
                                        const uint32_t *support, size_t weight, uint64_t *scratch) {
  uint64_t *high = scratch;
  uint64_t *low = high + ring->stride;

  memset(high, 0, 2 * ring->stride * sizeof *high);
  for (uint32_t j = 0; j < ring->r_bits; j++) {
    uint32_t count = 0;
    for (size_t i = 0; i < weight; i++) {
      const uint64_t place = ((uint64_t)j + support[i]) % ring->r_bits;
      count += (uint32_t)(syndrome[place / 64] >> (place % 64) & 1);
    }
    high[j / 64] |= (uint64_t)(count >= threshold) << (j % 64);
    low[j / 64] |= (uint64_t)(count >= threshold_low) << (j % 64);
  }
  memcpy(reached, high, ring->stride * sizeof *reached);
  if (reached_low != NULL) {
    memcpy(reached_low, low, ring->stride * sizeof *reached_low);
  }
}

const struct bike_counters ckem_bike_counters_reference = {
    .name = "reference",
    .count_unsatisfied = count_unsatisfied_reference,
};
