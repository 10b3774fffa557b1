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
 * The first part of two templates (base/template.h), counters_quads.template.h and
 * counters_levels.template.h, which take steps; the last part is counters_list.template.h. Both
 * templates define order_support and count_unsatisfied with the suffix. The file that includes one
 * of them defines before it, besides what its head says,
 *   TEMPLATE_SUFFIX: its own ending;
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   vector, VECTOR_WORDS: a vector of so many 64-bit words;
 *   spread(word): the word in all places;
 *   vector_xor(a, b), vector_and(a, b);
 *   sum3(a, b, c), carry3(a, b, c): sum and carry of three bits;
 *   load(from), store(to, x): unaligned memory;
 *   struct shift; make_shift(count, nothing): by count < 64 bits, or to zero, if nothing is 1;
 *   shift_words(low, high, shift): the words low, shifted right, with what comes from high, the
 *     words that follow each of them;
 *   struct step; make_step(words): by at most GAP words; for more it may be any step.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS) || \
    !defined(AHEAD)
#error This is a template: include counters_quads.template.h or counters_levels.template.h
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
/* The sizes of a call. */
struct shape {
  size_t vectors; /* of an element */
  size_t window;  /* a moved syndrome: an element, and what steps read behind it */
  size_t planes;  /* of the counters */
};

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
