/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * WEIGHT different positions below N from as many random numbers, in constant time [Sendrier 2021].
 *
 * Position i is first drawn from i .. N - 1; from the last to the first, one that comes again later
 * is replaced by its index.
 */
#include "hls.h"
#include "hqc_parameters.h"

void fixed_weight(uint16_t positions[static WEIGHT], const uint32_t random[static WEIGHT]) {
  uint16_t drawn[WEIGHT];

draw:
  for (unsigned i = 0; i < WEIGHT; i++)
    drawn[i] = (uint16_t)(i + (uint32_t)((uint64_t)random[i] * (N - i) >> 32));
replace:
  for (unsigned i = WEIGHT; i-- > 0;) {
    uint16_t mine = drawn[i];
    unsigned found = 0;
  search:
    for (unsigned j = i + 1; j < WEIGHT; j++) found |= drawn[j] == mine;
    mine = found ? (uint16_t)i : mine;
    drawn[i] = mine;
    positions[i] = mine;
  }
}
