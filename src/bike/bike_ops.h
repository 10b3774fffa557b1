/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of BIKE that back ends implement: sampling and the counters of the decoder. */
#ifndef CODEKEM_BIKE_BIKE_OPS_H
#define CODEKEM_BIKE_BIKE_OPS_H

#include <stddef.h>
#include <stdint.h>

#include "gf2x/gf2x.h"

/* Scratch memory of count_unsatisfied in words, enough for every back end. */
#define BIKE_COUNT_SCRATCH_WORDS(r_bits) (22 * GF2X_STRIDE(r_bits) + 64)

/* Scratch memory of any single operation on ring elements, in words. */
#define BIKE_SCRATCH_WORDS(r_bits)                                            \
  (BIKE_COUNT_SCRATCH_WORDS(r_bits) > GF2X_SCRATCH_WORDS(r_bits)              \
       ? BIKE_COUNT_SCRATCH_WORDS(r_bits)                                     \
       : GF2X_SCRATCH_WORDS(r_bits))

/* The largest number of positions in a list (error weight of level 5), rounded up. */
#define BIKE_MAX_POSITIONS 272

/* One implementation. All values are secret; timing depends on the ring and on lengths only, but
 * for the reference, which is not constant time. */
struct bike_ops {
  const char *name;

  /* Turns random words into count distinct positions below length, the biased sampler
   * [BIKE, S5.1]: words[0] decides positions[count - 1], and so on down. A word w at index i gives
   * p = i + floor(w (length - i) / 2^32), or i if p is among the later entries. */
  void (*pick_distinct)(uint32_t *positions, const uint32_t *words, size_t count, uint32_t length);

  /* Sets out to the element whose coefficients first, first + 1, ... are those that positions
   * lists: coefficient p - first is 1 if first <= p < first + r. Other positions are ignored;
   * no two may be equal. */
  void (*set_positions)(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *positions,
                        size_t count, uint32_t first);

  /* For every j, counts the k in support[weight] with syndrome[(j + k) mod r] = 1, and sets bit j
   * of reached if the count is at least threshold, and of reached_low (may be NULL) if it is at
   * least threshold_low. weight is at most 255. Positions r and above in support are memory-safe
   * but mean nothing. */
  void (*count_unsatisfied)(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                            uint64_t *reached_low, uint32_t threshold_low,
                            const uint64_t *syndrome, const uint32_t *support, size_t weight,
                            uint64_t *scratch);
};

extern const struct bike_ops bike_ops_reference;
extern const struct bike_ops bike_ops_portable;

#endif
