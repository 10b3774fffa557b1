/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of BIKE that back ends implement: the counters of the decoder. */
#ifndef CODEKEM_BIKE_COUNTERS_H
#define CODEKEM_BIKE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"
#include "base/profile.h"
#include "bike/bike_levels.h"
#include "gf2x/gf2x.h"
#include "sparse/sparse.h"

/* Ring elements that the counters take. On the Cortex-M4 the smallest ring is counted in three
 * blocks, the others in two; the largest has one plane more. */
#define BIKE_COUNT_STRIDES(r_bits) \
  (!PROFILE_M4_ONLY ? 22 : (r_bits) < 16384 ? 7 : (r_bits) < 32768 ? 9 : 10)

/* Scratch memory of count_unsatisfied in words, enough for every back end. */
#define BIKE_COUNT_SCRATCH_WORDS(r_bits) (BIKE_COUNT_STRIDES(r_bits) * GF2X_STRIDE(r_bits) + 64)

/* Scratch memory of any single operation on ring elements, in words. */
#define BIKE_SCRATCH_WORDS(r_bits)                               \
  (BIKE_COUNT_SCRATCH_WORDS(r_bits) > GF2X_SCRATCH_WORDS(r_bits) \
       ? BIKE_COUNT_SCRATCH_WORDS(r_bits)                        \
       : GF2X_SCRATCH_WORDS(r_bits))

/* Room of a support for order_support, in entries: positions, and what is put between them. */
#define BIKE_ENTRIES SPARSE_MAX_POSITIONS

/* One implementation. All values are secret; timing depends on the ring and on lengths only, but
 * for the reference, which is not constant time. */
struct bike_counters {
  const char *name;

  /* Turns a support of weight distinct positions into the list that count_unsatisfied of the same
   * back end takes, in place; support has room for BIKE_ENTRIES entries. NULL if it takes positions
   * in any order. weight is at most that of the ring's level. */
  void (*order_support)(const struct gf2x_ring *ring, uint32_t *support, size_t weight);

  /* For every j, counts the k in support[weight] with syndrome[(j + k) mod r] = 1, and sets bit j
   * of reached if the count is at least threshold, and of reached_low (may be NULL) if it is at
   * least threshold_low. weight is at most 255. order_support of the same back end must have
   * ordered the support, with the same weight. Positions of r and above are memory-safe, but the
   * result is then meaningless. */
  void (*count_unsatisfied)(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                            uint64_t *reached_low, uint32_t threshold_low, const uint64_t *syndrome,
                            const uint32_t *support, size_t weight, uint64_t *scratch);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct bike_counters *ckem_bike_counters_of(const struct backend *backend);

extern const struct bike_counters ckem_bike_counters_reference;
extern const struct bike_counters ckem_bike_counters_portable;
extern const struct bike_counters ckem_bike_counters_avx2;
extern const struct bike_counters ckem_bike_counters_avx512;
extern const struct bike_counters ckem_bike_counters_neon;
extern const struct bike_counters ckem_bike_counters_m4;
extern const struct bike_counters ckem_bike_counters_wasm;
extern const struct bike_counters ckem_bike_counters_rvv;
extern const struct bike_counters ckem_bike_counters_zbc;

#endif
