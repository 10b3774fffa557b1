/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters: the sorted list, and counting along it. The last part of the templates
 * counters_quads.template.h and counters_levels.template.h.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(GAP) || !defined(SYNDROMES)
#error This is a template: include counters_quads.template.h or counters_levels.template.h
#endif

#include "base/template.h"
#include "bike/counters.h"

#define LANES (2 * VECTOR_WORDS) /* of a sorted list: numbers that are compared at once */
typedef uint32_t numbers __attribute__((vector_size(4 * LANES)));

/* Returns how many entries a list has: of positions and marks, in whole quads. */
ALWAYS_INLINE size_t entry_count(const struct gf2x_ring *ring, size_t weight) {
  const size_t marks = (ring->words - 1) / GAP;

  return (weight + marks + QUAD - 1) / QUAD * QUAD;
}

#define CHECK_ENTRIES(level)                                                              \
  static_assert(BIKE_D_##level + GF2X_WORDS(BIKE_R_##level) / GAP + QUAD <= BIKE_ENTRIES, \
                "entries at level " #level);
BIKE_LEVELS(CHECK_ENTRIES)
#undef CHECK_ENTRIES
static_assert(BIKE_ENTRIES % LANES == 0, "entries in whole vectors");
static_assert((BIKE_COUNT_STRIDES(GF2X_MAX_R_BITS) - MAX_PLANES - LOW_PLANES - SYNDROMES) *
                      GF2X_STRIDE(GF2X_MIN_R_BITS) >=
                  SYNDROMES * AHEAD * VECTOR_WORDS,
              "scratch memory");

/* ranks[i] = how many entries are below entries[i]. Entries are below 2^31, so that the highest bit
 * of a difference is a borrow. */
static void TEMPLATE_NAME(rank_entries)(uint32_t *ranks, const uint32_t *entries, size_t count) {
  for (size_t start = 0; start < count; start += LANES) {
    numbers these;
    numbers below = {0};
    memcpy(&these, entries + start, sizeof these);
    for (size_t i = 0; i < count; i++) {
      below += (entries[i] - these) >> 31;
    }
    memcpy(ranks + start, &below, sizeof below);
  }
}

/* out[ranks[i]] = entries[i], by looking, for each place, which entry has it as its rank. */
static void TEMPLATE_NAME(place_entries)(uint32_t *out, const uint32_t *entries,
                                         const uint32_t *ranks, size_t count) {
  numbers place;

  for (size_t lane = 0; lane < LANES; lane++) {
    place[lane] = (uint32_t)lane;
  }
  for (size_t start = 0; start < count; start += LANES) {
    numbers here = {0};
    for (size_t i = 0; i < count; i++) {
      /* All ones where the difference is zero. */
      here |= entries[i] & (0 - (((ranks[i] ^ place) - 1) >> 31));
    }
    memcpy(out + start, &here, sizeof here);
    place += LANES;
  }
}

static void TEMPLATE_NAME(order_support)(const struct gf2x_ring *ring, uint32_t *support,
                                         size_t weight) {
  const size_t count = entry_count(ring, weight);
  uint32_t entries[BIKE_ENTRIES] = {0};
  uint32_t ranks[BIKE_ENTRIES];

  assert(count <= BIKE_ENTRIES);
  for (size_t i = 0; i < weight; i++) {
    entries[i] = 2 * support[i];
  }
  for (size_t i = weight; i < count; i++) {
    entries[i] = 128 * GAP * (uint32_t)(i - weight + 1) + 1;
  }
  TEMPLATE_NAME(rank_entries)(ranks, entries, count);
  TEMPLATE_NAME(place_entries)(support, entries, ranks, count);
}

/* out[j] = counter j >= threshold: whether the counter, the inverted threshold and one carry. */
ALWAYS_INLINE void compare(const struct shape shape, const struct gf2x_ring *ring, uint64_t *out,
                           const vector *planes, uint32_t threshold) {
  const size_t n = shape.vectors;
  vector inverted[MAX_PLANES];

  UNROLL
  for (size_t b = 0; b < shape.planes; b++) {
    inverted[b] = spread(ct_mask_bit_u64(~threshold >> b));
  }
  for (size_t i = 0; i < n; i++) {
    vector carry = spread(UINT64_MAX);
    UNROLL
    for (size_t b = 0; b < shape.planes; b++) {
      carry = carry3(planes[b * n + i], inverted[b], carry);
    }
    store(out + VECTOR_WORDS * i, carry);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

/* The arguments of count_unsatisfied. */
struct request {
  const struct gf2x_ring *ring;
  uint64_t *reached;
  uint32_t threshold;
  uint64_t *reached_low;
  uint32_t threshold_low;
  const uint64_t *syndrome;
  const uint32_t *support;
  size_t weight;
};

ALWAYS_INLINE void count_in_planes(size_t planes, const struct request *request,
                                   uint64_t *scratch) {
  const struct gf2x_ring *ring = request->ring;
  const size_t n = (ring->words + VECTOR_WORDS - 1) / VECTOR_WORDS;
  const struct shape shape = {n, n + AHEAD, planes};
  const size_t quads = entry_count(ring, request->weight) / QUAD;
  const struct counters counters = {(vector *)(void *)scratch,
                                    (vector *)(void *)scratch + planes * n};
  vector *moved = counters.waiting + (LOW_PLANES - 2) * n;
  uint32_t word = 0; /* what the syndrome is moved by */

  memset(counters.planes, 0, planes * n * sizeof *counters.planes);
  begin(shape, ring, moved + (SYNDROMES - 1) * shape.window, request->syndrome);
  for (size_t q = 0; q < quads; q++) {
    const uint32_t *entries = request->support + QUAD * q;
    if (q % 2 == 0) {
      add_entries(shape, ring, &counters, moved, &word, entries, 2);
    } else if (q % 4 == 1) {
      add_entries(shape, ring, &counters, moved, &word, entries, 3);
    } else {
      add_entries(shape, ring, &counters, moved, &word, entries, 4);
    }
  }
  for (size_t i = 0; i < n; i++) {
    if (quads % 2 != 0) {
      add_alone(shape, counters.planes, i, counters.waiting[i], 2);
    }
    if (quads / 2 % 2 != 0) {
      add_alone(shape, counters.planes, i, counters.waiting[n + i], 3);
    }
  }
  compare(shape, ring, request->reached, counters.planes, request->threshold);
  if (request->reached_low != NULL) {
    compare(shape, ring, request->reached_low, counters.planes, request->threshold_low);
  }
}

static void TEMPLATE_NAME(count_unsatisfied)(const struct gf2x_ring *ring, uint64_t *reached,
                                             uint32_t threshold, uint64_t *reached_low,
                                             uint32_t threshold_low, const uint64_t *syndrome,
                                             const uint32_t *support, size_t weight,
                                             uint64_t *scratch) {
  const struct request request = {ring,          reached,  threshold, reached_low,
                                  threshold_low, syndrome, support,   weight};

  if (weight >> (MAX_PLANES - 1) == 0) {
    count_in_planes(MAX_PLANES - 1, &request, scratch);
  } else {
    count_in_planes(MAX_PLANES, &request, scratch);
  }
}
