/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters, bit-sliced, on vectors of any width: bit b of all counters is a vector,
 * plane b.
 *
 * For each index p of the support the syndrome, rotated by p, is added to the counters. In vectors
 * of V words, p = 64 V a + 64 w + s. Where to read must not depend on p, so the steps are:
 *
 * 1. Vectors move a places: a cascade of selections between a vector and the one a power of two
 *    further on, one level for each bit of a. Words that step 2 carries over to the vector before
 *    move one place more: each word of a vector has its own masks.
 * 2. Words rotate by w within their vectors.
 * 3. Bits shift by s within words, from two overlapping loads. Four syndromes at a time then go
 *    through carry-save adders into the planes.
 *
 * The levels down to 16 run along chains of vectors 16 apart, the lower ones along the whole
 * window, so that vectors between levels stay in registers.
 *
 * Everything is written once over a shape, and inlined into one function for each ring, so that
 * compilers see constant sizes.
 *
 * A template (base/template.h): it defines count_unsatisfied with the suffix. The file that
 * includes this defines before it
 *   TEMPLATE_SUFFIX: its own ending;
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   vector, VECTOR_WORDS: a vector of so many 64-bit words;
 *   load(from): unaligned memory; spread(word): the word in all places;
 *   vector_xor(a, b), vector_and(a, b);
 *   shift_right(x, counts), shift_left(x, counts): shift words by counts up to 64, where 64 gives
 *   zero;
 *   choose(zero, one, mask): one where mask is 1, zero where it is 0; choose_by_logic, the same;
 *   BLENDS_ARE_SCARCE: 1 if the processor executes few choose at a time; then some levels use logic
 *     instead, and the highest one uses prepared differences, because it selects between constants;
 *   MAX_CHAIN_LENGTH: of vectors in a chain, in the longest ring;
 *   struct rotation, with a member vector level[]: all ones in words that move 2^level places;
 *   make_rotation(top, position): the levels up to the one with distance top;
 *   rotate_words(x, rotation): step 2.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS) || \
    !defined(BLENDS_ARE_SCARCE) || !defined(MAX_CHAIN_LENGTH)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, vector, VECTOR_WORDS, \
  BLENDS_ARE_SCARCE, MAX_CHAIN_LENGTH, struct rotation and the functions named above before it
#endif

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ct.h"
#include "base/template.h"
#include "base/unroll.h"
#include "bike/counters.h"

#define extend_syndrome TEMPLATE_NAME(extend_syndrome)

#define VECTOR_BITS (64 * VECTOR_WORDS)
#define MAX_PLANES 8 /* counters below 256 */
#define QUAD 4       /* rotated syndromes that are added together */
#define CARRIES 4    /* carries of quads that are added together */
#define CHAIN 16     /* distance of vectors in a chain */

/* The sizes that follow from r, in vectors. A window holds what later levels can still read. */
struct shape {
  size_t vectors;   /* an element */
  size_t moved;     /* what step 3 reads: one more, for the last overlapping load */
  size_t window;    /* after the levels down to 16 */
  size_t top;       /* the distance of the highest level */
  size_t top_limit; /* from here on the result of the highest level is never used */
  size_t extended;  /* the extended syndrome */
  size_t planes;
};

ALWAYS_INLINE struct shape make_shape(uint32_t r_bits, size_t planes) {
  struct shape shape;

  shape.vectors = (r_bits + VECTOR_BITS - 1) / VECTOR_BITS;
  shape.moved = shape.vectors + 1;
  shape.window = shape.moved + CHAIN - 1;
  /* Words move by at most vectors - 1 places, or one more. */
  shape.top = (size_t)1 << (31 - __builtin_clz((unsigned)shape.vectors));
  shape.top_limit = shape.moved + shape.vectors - shape.top;
  shape.extended = shape.top_limit + CHAIN + shape.top;
  shape.planes = planes;
  return shape;
}

/* A ring of n vectors takes less than 12.5 n + planes n + 56 of them, for all of these parts, and
 * longer rings have more than that more. A chain has (n + 31) / 16 vectors, and those that its
 * levels need behind it. */
static_assert(2 * BIKE_COUNT_SCRATCH_WORDS(GF2X_MIN_R_BITS) >=
                      (25 + 2 * MAX_PLANES) * GF2X_STRIDE(GF2X_MIN_R_BITS) + 112 * VECTOR_WORDS &&
                  2 * BIKE_COUNT_STRIDES(GF2X_MAX_R_BITS) >= 25 + 2 * MAX_PLANES,
              "scratch memory");
#define TOP_OF(n) ((n) < 64 ? 32 : (n) < 128 ? 64 : (n) < 256 ? 128 : (n) < 512 ? 256 : 512)
#define CHAIN_OF(n) (((n) + 31) / CHAIN + TOP_OF(n) / CHAIN - 1)
#define CHECK_CHAIN(level)                                                                      \
  static_assert(CHAIN_OF((BIKE_R_##level + VECTOR_BITS - 1) / VECTOR_BITS) <= MAX_CHAIN_LENGTH, \
                "vectors of a chain at level " #level);
BIKE_LEVELS(CHECK_CHAIN)
#undef CHECK_CHAIN

/* The parts of the scratch memory. */
struct work {
  vector *extended;   /* the syndrome, repeated: rotating by p is reading from bit p on */
  vector *difference; /* extended[i] ^ extended[i + top] */
  vector *window;
  vector *moved;      /* QUAD times shape.moved: rotated but for the shift within words */
  vector *fours;      /* CARRIES times vectors: carries of quads, worth four */
  vector *planes;     /* planes[b * vectors + i] */
};

/* Returns the number of the level with this distance, a power of two. */
ALWAYS_INLINE unsigned level_of(size_t distance) {
  return 31U - (unsigned)__builtin_clz((unsigned)distance);
}

/* extended[j] = syndrome[j mod r] for j < 2 r, then zeros. */
static void extend_syndrome(const struct gf2x_ring *ring, uint64_t *extended, size_t words,
                            const uint64_t *syndrome) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  memset(extended, 0, words * sizeof *extended);
  memcpy(extended, syndrome, n * sizeof *extended);
  extended[n - 1] |= syndrome[0] << shift;
  for (size_t i = 0; i + 1 < n; i++) {
    extended[n + i] = syndrome[i] >> (64 - shift) | syndrome[i + 1] << shift;
  }
  extended[2 * n - 1] = syndrome[n - 1] >> (64 - shift);
}

/* The levels from the highest down to 16 for length vectors of a chain. */
ALWAYS_INLINE void move_chain(const struct shape shape, const struct work *work, size_t start,
                              size_t length, const struct rotation *rotation) {
  const vector *extended = work->extended + start;
  const vector *difference = work->difference + start;
  vector *window = work->window + start;
  size_t left = length + shape.top / CHAIN - 1;
  vector x[MAX_CHAIN_LENGTH];

  UNROLL
  for (size_t i = 0; i < left; i++) {
    x[i] = extended[i * CHAIN];
    if (i * CHAIN < shape.top_limit) {
      const vector mask = rotation->level[level_of(shape.top)];
      x[i] = BLENDS_ARE_SCARCE ? vector_xor(x[i], vector_and(difference[i * CHAIN], mask))
                               : choose(x[i], extended[i * CHAIN + shape.top], mask);
    }
  }
  UNROLL
  for (size_t distance = shape.top / 2; distance >= CHAIN; distance /= 2) {
    left -= distance / CHAIN;
    UNROLL
    for (size_t i = 0; i < left; i++) {
      x[i] = choose(x[i], x[i + distance / CHAIN], rotation->level[level_of(distance)]);
    }
  }
  UNROLL
  for (size_t i = 0; i < length; i++) {
    window[i * CHAIN] = x[i];
  }
}

/* The levels down to 16, from the extended syndrome to the window. */
ALWAYS_INLINE void move_far(const struct shape shape, const struct work *work,
                            const struct rotation *rotation) {
  const size_t length = shape.window / CHAIN;
  const size_t longer = shape.window % CHAIN; /* so many chains have one vector more */

  for (size_t start = 0; start < longer; start++) {
    move_chain(shape, work, start, length + 1, rotation);
  }
  for (size_t start = longer; start < CHAIN; start++) {
    move_chain(shape, work, start, length, rotation);
  }
}

/* The levels 8, 4, 2 and 1, vector by vector. A level with distance d works d vectors behind the
 * one before it, and keeps d of its vectors. */
struct near_levels {
  vector after8[4]; /* vector i in slot i mod 4 */
  vector after4[2];
  vector after2;
};

/* Takes in window[t] and window[t + 8]; returns vector t - 7 after all four levels. */
ALWAYS_INLINE vector move_near(struct near_levels *levels, const vector *window, size_t t,
                               const struct rotation *rotation) {
  const vector after8 = choose_by_logic(window[t], window[t + 8], rotation->level[3]);
  const vector after4 = choose(levels->after8[t % 4], after8, rotation->level[2]);
  const vector after2 = choose(levels->after4[t % 2], after4, rotation->level[1]);
  const vector after1 = choose(levels->after2, after2, rotation->level[0]);

  levels->after8[t % 4] = after8;
  levels->after4[t % 2] = after4;
  levels->after2 = after2;
  return after1;
}

/* The levels below 16 and the rotation of words, from the window to moved. */
ALWAYS_INLINE void finish_move(const struct shape shape, vector *moved, const vector *window,
                               const struct rotation *rotation) {
  const size_t whole = shape.moved / 4 * 4;
  struct near_levels levels;

  memset(&levels, 0, sizeof levels);
  UNROLL
  for (size_t t = 0; t < 7; t++) {
    (void)move_near(&levels, window, t, rotation);
  }
  for (size_t i = 0; i < whole; i += 4) {
    UNROLL
    for (size_t k = 0; k < 4; k++) {
      /* i is a multiple of 4, so that the slots are constants. */
      const vector v = move_near(&levels, window + i, 7 + k, rotation);
      moved[i + k] = rotate_words(v, rotation);
    }
  }
  UNROLL
  for (size_t k = 0; k < shape.moved - whole; k++) {
    const vector v = move_near(&levels, window + whole, 7 + k, rotation);
    moved[whole + k] = rotate_words(v, rotation);
  }
}

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
ALWAYS_INLINE vector full_add(vector *a, vector b, vector c) {
  const vector half = vector_xor(*a, b);
  const vector carry = choose_by_logic(*a, c, half); /* if a = b, the carry is a */

  *a = vector_xor(half, c);
  return carry;
}

/* Adds QUAD rotated syndromes to planes 0 and 1; fours[i] takes the carries. */
ALWAYS_INLINE void add_quad(const struct shape shape, const struct work *work, vector *fours,
                            const uint32_t *positions, size_t count) {
  const size_t step = shape.moved * VECTOR_WORDS;
  const uint64_t *moved = (const uint64_t *)work->moved;
  vector right[QUAD], left[QUAD];

  for (size_t v = 0; v < QUAD; v++) {
    const uint64_t shift = v < count ? positions[v] % 64 : 0;
    right[v] = spread(shift);
    left[v] = spread(64 - shift);
  }
  for (size_t i = 0; i < shape.vectors; i++) {
    vector bits[QUAD];
    UNROLL
    for (size_t v = 0; v < QUAD; v++) {
      const uint64_t *word = moved + v * step + VECTOR_WORDS * i;
      bits[v] = vector_xor(shift_right(load(word), right[v]), shift_left(load(word + 1), left[v]));
    }
    vector ones = work->planes[i];
    vector twos = work->planes[shape.vectors + i];
    const vector carry0 = full_add(&ones, bits[0], bits[1]);
    const vector carry1 = full_add(&ones, bits[2], bits[3]);
    fours[i] = full_add(&twos, carry0, carry1);
    work->planes[i] = ones;
    work->planes[shape.vectors + i] = twos;
  }
}

/* Adds the CARRIES vectors of fours to the planes from 2 on. */
ALWAYS_INLINE void add_fours(const struct shape shape, const struct work *work) {
  const size_t n = shape.vectors;

  for (size_t i = 0; i < n; i++) {
    const vector *four = work->fours + i;
    vector *plane = work->planes + i;
    vector fours = plane[2 * n];
    vector eights = plane[3 * n];
    const vector carry0 = full_add(&fours, four[0], four[n]);
    const vector carry1 = full_add(&fours, four[2 * n], four[3 * n]);
    vector carry = full_add(&eights, carry0, carry1);
    plane[2 * n] = fours;
    plane[3 * n] = eights;
    UNROLL
    for (size_t b = 4; b < shape.planes; b++) {
      const vector next = vector_and(plane[b * n], carry);
      plane[b * n] = vector_xor(plane[b * n], carry);
      carry = next;
    }
  }
}

/* Adds the syndrome, rotated by each of positions[count], to planes 0 and 1; fours takes the
 * carries. */
ALWAYS_INLINE void add_positions(const struct shape shape, const struct work *work, vector *fours,
                                 const uint32_t *positions, size_t count) {
  for (size_t v = 0; v < QUAD; v++) {
    vector *moved = work->moved + v * shape.moved;
    if (v < count) {
      const struct rotation rotation = make_rotation(shape.top, positions[v]);
      move_far(shape, work, &rotation);
      finish_move(shape, moved, work->window, &rotation);
    } else {
      memset(moved, 0, shape.moved * sizeof *moved);
    }
  }
  add_quad(shape, work, fours, positions, count);
}

/* out[j] = counter j >= threshold, compared from the lowest bit up. */
ALWAYS_INLINE void compare(const struct shape shape, const struct gf2x_ring *ring, uint64_t *out,
                           const vector *planes, uint32_t threshold) {
  const size_t n = shape.vectors;
  vector limit[MAX_PLANES];

  for (size_t b = 0; b < shape.planes; b++) {
    limit[b] = spread(ct_mask_bit_u64(threshold >> b));
  }
  for (size_t i = 0; i < n; i++) {
    vector reached = spread(UINT64_MAX);
    UNROLL
    for (size_t b = 0; b < shape.planes; b++) {
      const vector bits = planes[b * n + i];
      const vector differ = vector_xor(bits, limit[b]);
      /* Where the bits differ, the higher number is the one whose bit is set. */
      reached = choose_by_logic(reached, bits, differ);
    }
    memcpy(out + VECTOR_WORDS * i, &reached, sizeof reached);
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

ALWAYS_INLINE void count_with_shape(const struct shape shape, const struct request *request,
                                    uint64_t *scratch) {
  const size_t n = shape.vectors;
  const size_t differences = shape.top_limit + CHAIN;
  struct work work;

  work.extended = (vector *)(void *)scratch;
  work.difference = work.extended + shape.extended;
  work.window = work.difference + differences;
  work.moved = work.window + shape.window;
  work.fours = work.moved + QUAD * shape.moved + 1; /* overlapping loads end one word further on */
  work.planes = work.fours + CARRIES * n;
  extend_syndrome(request->ring, scratch, VECTOR_WORDS * shape.extended, request->syndrome);
  for (size_t i = 0; BLENDS_ARE_SCARCE && i < differences; i++) {
    work.difference[i] = vector_xor(work.extended[i], work.extended[i + shape.top]);
  }
  memset(work.planes, 0, shape.planes * n * sizeof *work.planes);
  for (size_t k = 0; k < request->weight; k += QUAD * CARRIES) {
    for (size_t c = 0; c < CARRIES; c++) {
      const size_t first = k + QUAD * c;
      vector *fours = work.fours + c * n;
      if (first < request->weight) {
        const size_t left = request->weight - first;
        add_positions(shape, &work, fours, request->support + first, left < QUAD ? left : QUAD);
      } else {
        memset(fours, 0, n * sizeof *fours);
      }
    }
    add_fours(shape, &work);
  }
  compare(shape, request->ring, request->reached, work.planes, request->threshold);
  if (request->reached_low != NULL) {
    compare(shape, request->ring, request->reached_low, work.planes, request->threshold_low);
  }
}

static void TEMPLATE_NAME(count_unsatisfied)(const struct gf2x_ring *ring, uint64_t *reached,
                                             uint32_t threshold, uint64_t *reached_low,
                                             uint32_t threshold_low, const uint64_t *syndrome,
                                             const uint32_t *support, size_t weight,
                                             uint64_t *scratch) {
  const struct request request = {ring,          reached,  threshold, reached_low,
                                  threshold_low, syndrome, support,   weight};

#define COUNT_AT_LEVEL(level)                                                             \
  if (ring->r_bits == BIKE_R_##level && weight >> BIKE_PLANES_##level == 0) {             \
    count_with_shape(make_shape(BIKE_R_##level, BIKE_PLANES_##level), &request, scratch); \
    return;                                                                               \
  }
  BIKE_LEVELS(COUNT_AT_LEVEL)
#undef COUNT_AT_LEVEL
  /* No level of BIKE. */
  ckem_bike_counters_portable.count_unsatisfied(ring, reached, threshold, reached_low,
                                                threshold_low, syndrome, support, weight, scratch);
}
