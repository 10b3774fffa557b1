/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The inverse of a sparse polynomial in GF(2)[x]/(x^R - 1), by the division steps of Bernstein and
 * Yang: 2 R - 1 steps, STEPS of them in each sweep over the words.
 *
 * A step takes (f, g) to (g, (g + f) / x), (f, (g + f) / x) or (f, g / x). The cofactors (v, w) go
 * to (w, w + x v), (x v, w + x v) or (x v, w); divided by x^n after n steps, they take the very
 * step of f and g. So left has f and, from bit TOP on downwards, v; right has g and w. What lies
 * between is zero, and what no later step needs is left out: the bits of f and g above those steps
 * that remain, and those of v and w above R. The counts of words depend on the number of the sweep
 * alone.
 *
 * g begins with its coefficients in reverse order, and the inverse comes out so.
 */
#ifndef CODEKEM_HLS_BIKE_INVERSE
#define CODEKEM_HLS_BIKE_INVERSE
#include "bike_parameters.h"

#ifndef STEPS
#define STEPS 16 /* in a sweep */
#endif
enum {
  ALL = 2 * R - 1,
  SWEEPS = (ALL + STEPS - 1) / STEPS,
  /* The inverse ends at a word's end. */
  TOP = R - 1 + (R + 2 + WORD - 1) / WORD * WORD,
  INVERSE_END = (TOP - R + 1) / WORD,
  LONG = (TOP + WORD - 1) / WORD, /* words; after them comes one that is always zero */
};
typedef unsigned _BitInt(WORD + STEPS) window;
typedef unsigned _BitInt(STEPS) choices;

void bike_inverse(word inverse[static WORDS], const uint16_t positions[static D]) {
  word left[LONG + 1], right[LONG + 1];
  _BitInt(17) delta = 1;

begin:
  for (unsigned i = 0; i <= LONG; i++) {
    word f = i == R / WORD ? (word)1 << R % WORD : 0;
    left[i] = f | (i == 0);
    right[i] = i == (TOP - 1) / WORD ? (word)1 << (TOP - 1) % WORD : 0;
  }
set:
  for (unsigned i = 0; i < D; i++) {
    unsigned place = (R - 1 - positions[i]) & 0x7FFF;
    right[place / WORD] |= (word)1 << place % WORD;
  }

sweeps:
  for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
    unsigned done = sweep * STEPS;
    unsigned low = ((ALL - done < R + 1 ? ALL - done : R + 1) + WORD - 1) / WORD;
    unsigned first = TOP < done + 1 + STEPS ? 0 : (TOP - done - 1 - STEPS) / WORD;
    unsigned last = (TOP - done + R) / WORD;
    last = last < LONG ? last : LONG - 1;
    unsigned skipped = first > low + 1 ? first - low - 1 : 0;
    word f = left[0], g = right[0];
    choices odd = 0, swapped = 0;

    choices f_low = (choices)f, g_low = (choices)g;
  decide:
    for (int k = 0; k < STEPS; k++) {
      unsigned is_odd = g_low & 1, swap = is_odd & (delta > 0);
      choices sum = g_low ^ (is_odd ? f_low : 0);
      f_low = swap ? g_low : f_low;
      g_low = sum >> 1;
      delta = (_BitInt(17))((swap ? -delta : delta) + 1);
      odd |= (choices)is_odd << k;
      swapped |= (choices)swap << k;
    }
  words:
    for (unsigned i = 0; i <= last - skipped; i++) {
      unsigned here = i <= low ? i : i + skipped;
      unsigned next = i < low ? i + 1 : i + 1 + skipped;
      word f_next = left[next], g_next = right[next];
      window x = f | (window)f_next << WORD, y = g | (window)g_next << WORD;
    apply:
      for (int k = 0; k < STEPS; k++) {
        window sum = y ^ (odd >> k & 1 ? x : 0);
        x = swapped >> k & 1 ? y : x;
        y = sum >> 1;
      }
      left[here] = (word)x;
      right[here] = (word)y;
      f = f_next;
      g = g_next;
    }
  }

turn:
  for (unsigned j = 0; j < WORDS; j++) {
    word from = left[INVERSE_END - 1 - j], to = 0;
  reverse:
    for (int k = 0; k < WORD; k++) to |= (from >> k & 1) << (WORD - 1 - k);
    inverse[j] = to & (j == WORDS - 1 ? LAST_MASK : ~(word)0);
  }
}
#endif
