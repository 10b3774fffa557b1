/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters (counters_planes.template.h) where one instruction makes a step: marks are
 * near, and four steps follow each other a vector apart, in registers. Besides what is asked for
 * there,
 *   step_words(words, next, step): the words so many further on than `words`, from these and the
 *     vector behind them;
 *   following(words, next): the words that follow each of them.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, vector, VECTOR_WORDS, \
  struct shift, struct step and the functions named above before it
#endif

#define ROUNDS 6
#define AHEAD (4 + 1)    /* vectors that steps read ahead */
#define GAP VECTOR_WORDS /* words that every step can move */
#define SYNDROMES 1      /* in memory */

#include "bike/counters_planes.template.h"

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

#include "bike/counters_list.template.h"
