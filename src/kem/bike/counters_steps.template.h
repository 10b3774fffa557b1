/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters, bit-sliced, on vectors of any width: bit b of all counters is a vector,
 * plane b.
 *
 * For each index p of the support the syndrome, rotated by p, is added to the counters. With
 * p = 64 v + s, words move by v, bits by s. Where to read must not depend on p. But positions may
 * be added in any order, so they are sorted: then the syndrome, moved to one position, moves on to
 * the next one, which is near. How near is secret. So marks stand among the positions, one every
 * GAP words: no step from an entry of the sorted list to the next one is longer than that, in any
 * support. A mark moves the syndrome as a position does, and adds nothing.
 *
 * 1. order_support, once for each key, sorts positions and marks: the entry of position p is 2 p,
 *    that of a mark is odd.
 * 2. A step by w words selects between vectors, and rotates words within them. What is beyond the
 *    ring is made again from its beginning.
 * 3. Bits shift by s within words. Four syndromes at a time go through carry-save adders into the
 *    planes.
 *
 * Where vectors are few or steps are costly, a step runs along the whole syndrome, and four of them
 * are added later: selections between a vector and the one a power of two further on, then a
 * rotation. What that carries over moves one place more, so each word has its own masks. With
 * QUADS_IN_REGISTERS one instruction makes a step, and four follow each other a vector apart.
 *
 * A template (base/template.h): it defines order_support and count_unsatisfied with the suffix. The
 * file that includes this defines before it
 *   TEMPLATE_SUFFIX: its own ending;
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   vector, VECTOR_WORDS: a vector of so many 64-bit words;
 *   spread(word): the word in all places;
 *   vector_xor(a, b), vector_and(a, b);
 *   sum3(a, b, c), carry3(a, b, c): sum and carry of three bits;
 *   store(to, x): unaligned memory;
 *   struct shift; make_shift(count, nothing): by count < 64 bits, or to zero, if nothing is 1;
 *   shift_words(low, high, shift): the words low, shifted right, with what comes from high, the
 *     words that follow each of them;
 *   load(from): unaligned memory;
 *   struct step; make_step(words): by at most GAP words; for more it may be any step;
 *   QUADS_IN_REGISTERS: 0 or 1. If it is 1,
 *   step_words(words, next, step): the words so many further on than `words`, from these and the
 *     vector behind them;
 *   following(words, next): the words that follow each of them. If it is 0,
 *   STEP_LEVELS: of the selections, 2 to 4; more need fewer marks;
 *   step.level[]: masks, set in words that move 2^level vectors;
 *   choose(zero, one, mask): one where such a mask is set, zero elsewhere;
 *   rotate_words(x, step): the rotation within vectors.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS) || \
    !defined(QUADS_IN_REGISTERS)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, vector, VECTOR_WORDS, \
  QUADS_IN_REGISTERS, struct shift, struct step and the functions named above before it
#endif

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ct.h"
#include "base/template.h"
#include "base/unroll.h"
#include "bike/counters.h"
#include "sparse/sparse.h"

#define QUAD 4    /* rotated syndromes that are added together */
#define MAX_PLANES 8 /* counters below 256 */
#define LOW_PLANES 4 /* to which carries are added in threes */
#if QUADS_IN_REGISTERS
#define ROUNDS 6
#define AHEAD (QUAD + 1)  /* vectors that steps read ahead */
#define GAP VECTOR_WORDS  /* words that every step can move */
#define SYNDROMES 1       /* in memory */
#else
#define ROUNDS 4
#define AHEAD ((1 << STEP_LEVELS) - 1)
#define GAP (AHEAD * VECTOR_WORDS)
#define SYNDROMES QUAD
#endif

/* The sizes of a call. */
struct shape {
  size_t vectors; /* of an element */
  size_t window;  /* a moved syndrome: an element, and what steps read behind it */
  size_t planes;  /* of the counters */
};

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

/* Makes the vectors behind an element, from a moved syndrome in front of them: bit j is bit
 * j - r. */
ALWAYS_INLINE void extend(const struct shape shape, const struct gf2x_ring *ring,
                          vector *syndrome) {
  const struct shift shift = make_shift(64 - ring->r_bits % 64, 0); /* r is an odd prime */

  for (size_t i = shape.vectors; i < shape.window; i++) {
    const uint64_t *before = (const uint64_t *)syndrome + VECTOR_WORDS * i - ring->words;
    syndrome[i] = shift_words(load(before), load(before + 1), &shift);
  }
}

/* out is the syndrome, and behind it the syndrome again, as far as a window goes. */
ALWAYS_INLINE void begin(const struct shape shape, const struct gf2x_ring *ring, vector *out,
                         const uint64_t *syndrome) {
  const unsigned top = ring->r_bits % 64;
  uint64_t *words = (uint64_t *)out;

  memcpy(words, syndrome, ring->words * sizeof *words);
  words[ring->words - 1] |= syndrome[0] << top;
  for (size_t i = ring->words; i < VECTOR_WORDS * shape.window; i++) {
    words[i] = words[i - ring->words] >> (64 - top) | words[i - ring->words + 1] << top;
  }
}

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
ALWAYS_INLINE vector full_add(vector *a, vector b, vector c) {
  const vector carry = carry3(*a, b, c);

  *a = sum3(*a, b, c);
  return carry;
}

/* The counters: planes[b * n + i] has bit b of those of vector i. Like a binary number that counts
 * by ones, waiting[w * n + i] may hold a carry of weight 2^w that has not been added to plane w;
 * the next one of its weight comes with it. */
struct counters {
  vector *planes;
  vector *waiting; /* of the weights from 2 to below LOW_PLANES */
};

/* Adds a carry of weight 2^weight to the planes from there on. */
ALWAYS_INLINE void add_alone(const struct shape shape, vector *planes, size_t i, vector carry,
                             size_t weight) {
  UNROLL
  for (size_t b = weight; b < shape.planes; b++) {
    vector *plane = planes + b * shape.vectors + i;
    const vector next = vector_and(*plane, carry);
    *plane = vector_xor(*plane, carry);
    carry = next;
  }
}

/* The same if carries of the weights from `weight` to below `end` are waiting. */
ALWAYS_INLINE void add_carry(const struct shape shape, const struct counters *counters, size_t i,
                             vector carry, size_t weight, size_t end) {
  const size_t n = shape.vectors;

  UNROLL
  for (size_t w = weight; w < end; w++) {
    vector plane = counters->planes[w * n + i];
    carry = full_add(&plane, counters->waiting[(w - 2) * n + i], carry);
    counters->planes[w * n + i] = plane;
  }
  if (end < LOW_PLANES) {
    counters->waiting[(end - 2) * n + i] = carry;
  } else {
    add_alone(shape, counters->planes, i, carry, end);
  }
}

/* Adds QUAD bits of weight 1 to the counters in vector i. Carries of the weights 2 to below `end`
 * are waiting. */
ALWAYS_INLINE void add_bits(const struct shape shape, const struct counters *counters, size_t i,
                            const vector bits[QUAD], size_t end) {
  vector ones = counters->planes[i];
  vector twos = counters->planes[shape.vectors + i];
  const vector carry0 = full_add(&ones, bits[0], bits[1]);
  const vector carry1 = full_add(&ones, bits[2], bits[3]);
  const vector fours = full_add(&twos, carry0, carry1);

  counters->planes[i] = ones;
  counters->planes[shape.vectors + i] = twos;
  add_carry(shape, counters, i, fours, 2, end);
}

#if QUADS_IN_REGISTERS

/* Four steps on their way along a syndrome, each a vector behind the one before it. */
struct quad {
  struct step step[QUAD];
  struct shift shift[QUAD];
  vector moved[QUAD + 1]; /* the last vector before all steps, after one, and so on */
  vector waiting[QUAD][QUAD - 1]; /* what is shifted, until the last step has come as far */
};

/* Takes in a vector, returns the one QUAD + 1 before it, after all steps; bits[QUAD] are this one
 * after each of them, shifted within words. */
ALWAYS_INLINE vector next_in_quad(struct quad *quad, vector newest, vector bits[QUAD]) {
  const vector last = quad->moved[QUAD];

  UNROLL
  for (size_t k = 0; k < QUAD; k++) {
    const size_t waits = QUAD - 1 - k;
    const vector before = quad->moved[k];
    quad->moved[k] = newest;
    newest = step_words(before, newest, &quad->step[k]);
    const vector words = quad->moved[k + 1];
    bits[k] = shift_words(words, following(words, newest), &quad->shift[k]);
    UNROLL
    for (size_t w = 0; w < waits; w++) {
      const vector shifted = quad->waiting[k][w];
      quad->waiting[k][w] = bits[k];
      bits[k] = shifted;
    }
  }
  quad->moved[QUAD] = newest;
  return last;
}

/* Moves the syndrome from entry to entry, in place, and counts with what it is at each. Carries of
 * the weights 2 to below `end` are waiting. */
ALWAYS_INLINE void add_entries(const struct shape shape, const struct gf2x_ring *ring,
                               const struct counters *counters, vector *moved, uint32_t *word,
                               const uint32_t *entries, size_t end) {
  struct quad quad;
  vector bits[QUAD];

  UNROLL
  for (size_t k = 0; k < QUAD; k++) {
    quad.step[k] = make_step(entries[k] / 128 - *word);
    quad.shift[k] = make_shift(entries[k] / 2 % 64, entries[k] % 2);
    *word = entries[k] / 128;
    quad.moved[k] = spread(0);
    UNROLL
    for (size_t w = 0; w < QUAD - 1; w++) {
      quad.waiting[k][w] = spread(0);
    }
  }
  quad.moved[QUAD] = spread(0);
  UNROLL
  for (size_t t = 0; t < AHEAD; t++) {
    (void)next_in_quad(&quad, moved[t], bits);
  }
  size_t i = 0;
  for (; i + ROUNDS <= shape.vectors; i += ROUNDS) {
    UNROLL
    for (size_t k = 0; k < ROUNDS; k++) {
      moved[i + k] = next_in_quad(&quad, moved[i + k + AHEAD], bits);
      add_bits(shape, counters, i + k, bits, end);
    }
  }
  for (; i < shape.vectors; i++) {
    moved[i] = next_in_quad(&quad, moved[i + AHEAD], bits);
    add_bits(shape, counters, i, bits, end);
  }
  extend(shape, ring, moved);
}

#else

/* Vectors between the levels of a step. A level with distance d works d vectors behind the one
 * before it, and keeps d of its vectors, the oldest one first. */
struct near_levels {
  vector after8[4]; /* with four levels */
  vector after4[2]; /* with three and more */
  vector after2;
};

/* Takes in vector t, and what the highest level adds to it; returns vector t - AHEAD / 2 of the
 * result. */
ALWAYS_INLINE vector next_moved(struct near_levels *near, const vector *in, size_t t,
                                const struct step *step) {
  vector v = choose(in[t], in[t + (AHEAD + 1) / 2], step->level[STEP_LEVELS - 1]);
  vector older;

#if STEP_LEVELS > 3
  older = near->after8[0];
  near->after8[0] = near->after8[1];
  near->after8[1] = near->after8[2];
  near->after8[2] = near->after8[3];
  near->after8[3] = v;
  v = choose(older, v, step->level[2]);
#endif
#if STEP_LEVELS > 2
  older = near->after4[0];
  near->after4[0] = near->after4[1];
  near->after4[1] = v;
  v = choose(older, v, step->level[1]);
#endif
  older = near->after2;
  near->after2 = v;
  return rotate_words(choose(older, v, step->level[0]), step);
}

/* out = in, moved by so many words. */
ALWAYS_INLINE void move(const struct shape shape, const struct gf2x_ring *ring, vector *out,
                        const vector *in, uint32_t words) {
  const struct step step = make_step(words);
  const size_t before = AHEAD / 2;
  struct near_levels near;

  near.after8[0] = near.after8[1] = near.after8[2] = near.after8[3] = in[0];
  near.after4[0] = near.after4[1] = near.after2 = in[0];
  UNROLL
  for (size_t t = 0; t < before; t++) {
    (void)next_moved(&near, in, t, &step);
  }
  size_t i = 0;
  for (; i + ROUNDS <= shape.vectors; i += ROUNDS) {
    UNROLL
    for (size_t k = 0; k < ROUNDS; k++) {
      out[i + k] = next_moved(&near, in + before, i + k, &step);
    }
  }
  for (; i < shape.vectors; i++) {
    out[i] = next_moved(&near, in + before, i, &step);
  }
  extend(shape, ring, out);
}

/* Counts with QUAD moved syndromes, shifted by the bits of their entries. */
ALWAYS_INLINE void add_quad(const struct shape shape, const struct counters *counters,
                            const vector *moved, const uint32_t *entries, size_t end) {
  const size_t n = shape.vectors;
  struct shift shift[QUAD];

  UNROLL
  for (size_t k = 0; k < QUAD; k++) {
    shift[k] = make_shift(entries[k] / 2 % 64, entries[k] % 2);
  }
  for (size_t i = 0; i < n; i++) {
    vector bits[QUAD];
    UNROLL
    for (size_t k = 0; k < QUAD; k++) {
      const vector *from = moved + k * shape.window + i;
      bits[k] = shift_words(*from, load((const uint64_t *)from + 1), &shift[k]);
    }
    add_bits(shape, counters, i, bits, end);
  }
}

/* Moves the syndrome from entry to entry, and counts with what it is at each. Carries of the
 * weights 2 to below `end` are waiting. */
ALWAYS_INLINE void add_entries(const struct shape shape, const struct gf2x_ring *ring,
                               const struct counters *counters, vector *moved, uint32_t *word,
                               const uint32_t *entries, size_t end) {
  for (size_t k = 0; k < QUAD; k++) {
    vector *out = moved + k * shape.window;
    const vector *in = k == 0 ? moved + (QUAD - 1) * shape.window : out - shape.window;
    move(shape, ring, out, in, entries[k] / 128 - *word);
    *word = entries[k] / 128;
  }
  add_quad(shape, counters, moved, entries, end);
}

#endif

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
