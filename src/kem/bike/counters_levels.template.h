/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters (counters_planes.template.h) where vectors are few or steps are costly: a
 * step runs along the whole syndrome, and four of them are added later. It selects between a vector
 * and the one a power of two further on, then rotates. What that carries over moves one place more,
 * so each word has its own masks. Besides what is asked for there,
 *   STEP_LEVELS: of the selections, 2 to 4; more need fewer marks;
 *   step.level[]: masks, set in words that move 2^level vectors;
 *   choose(zero, one, mask): one where such a mask is set, zero elsewhere;
 *   rotate_words(x, step): the rotation within vectors.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS) || \
    !defined(STEP_LEVELS)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, vector, VECTOR_WORDS, \
  STEP_LEVELS, struct shift, struct step and the functions named above before it
#endif

#define ROUNDS 4
#define AHEAD ((1 << STEP_LEVELS) - 1) /* vectors that steps read ahead */
#define GAP (AHEAD * VECTOR_WORDS)     /* words that every step can move */
#define SYNDROMES QUAD                 /* in memory */

#include "bike/counters_planes.template.h"

/* Vectors between the levels of a step. A level with distance d works d vectors behind the one
 * before it, and keeps d of its vectors, the oldest one first. */
struct near_levels {
  vector after8[4]; /* with four levels */
  vector after4[2]; /* with three and more */
  vector after2[1];
};

/* Takes in a vector of the level before; returns one of this level, which keeps so many. */
ALWAYS_INLINE vector next_of_level(vector *kept, size_t count, vector newest, vector mask) {
  const vector oldest = kept[0];

  UNROLL
  for (size_t k = 0; k + 1 < count; k++) {
    kept[k] = kept[k + 1];
  }
  kept[count - 1] = newest;
  return choose(oldest, newest, mask);
}

/* Takes in vector t, and what the highest level adds to it; returns vector t - AHEAD / 2 of the
 * result. */
ALWAYS_INLINE vector next_moved(struct near_levels *near, const vector *in, size_t t,
                                const struct step *step) {
  vector v = choose(in[t], in[t + (AHEAD + 1) / 2], step->level[STEP_LEVELS - 1]);

  if (STEP_LEVELS > 3) {
    v = next_of_level(near->after8, 4, v, step->level[STEP_LEVELS > 3 ? 2 : 0]);
  }
  if (STEP_LEVELS > 2) {
    v = next_of_level(near->after4, 2, v, step->level[1]);
  }
  return rotate_words(next_of_level(near->after2, 1, v, step->level[0]), step);
}

/* out = in, moved by so many words. */
ALWAYS_INLINE void move(const struct shape shape, const struct gf2x_ring *ring, vector *out,
                        const vector *in, uint32_t words) {
  const struct step step = make_step(words);
  const size_t before = AHEAD / 2;
  struct near_levels near;

  near.after8[0] = near.after8[1] = near.after8[2] = near.after8[3] = in[0];
  near.after4[0] = near.after4[1] = near.after2[0] = in[0];
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

#include "bike/counters_list.template.h"
