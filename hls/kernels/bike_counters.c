/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The counters of BIKE's decoder: of position j, how many of the bits j + p of the syndrome are
 * set, for the D positions p of one half of the key.
 *
 * They are bit-sliced: a word of a window holds a bit for each of WORD counters, and bit b of all
 * of them lies side by side, PLANES such words in an element. So a word of a window is added to
 * WORD counters by a ripple of half adders. The syndrome lies twice in its array, as the dense
 * polynomial of a product does.
 */
#ifndef CODEKEM_HLS_BIKE_COUNTERS
#define CODEKEM_HLS_BIKE_COUNTERS
#include "bike_parameters.h"

enum { PLANES = 7 };
typedef unsigned _BitInt(PLANES *WORD) planes;

void bike_counters(planes counters[static WORDS], const word syndrome[static DOUBLED],
                   const uint16_t positions[static D]) {
windows:
  for (unsigned k = 0; k < D; k++) {
    unsigned start = positions[k] & 0x7FFF, first = start / WORD, shift = start % WORD;
    word low = syndrome[first];
  count:
    for (unsigned j = 0; j < WORDS; j++) {
      word high = syndrome[first + j + 1];
      word carry = low >> shift | high << 1 << (WORD - 1 - shift);
      planes before = counters[j], after = 0;
      before = k == 0 ? 0 : before;
    ripple:
      for (int b = 0; b < PLANES; b++) {
        word plane = (word)(before >> b * WORD);
        after |= (planes)(plane ^ carry) << b * WORD;
        carry &= plane;
      }
      counters[j] = after;
      low = high;
    }
  }
}

/* Returns for each of WORD counters whether it is at least a number. */
static inline word at_least(planes counters, uint8_t number) {
  word greater = 0, equal = ~(word)0;

compare:
  for (int b = PLANES - 1; b >= 0; b--) {
    word plane = (word)(counters >> b * WORD);
    word wanted = number >> b & 1 ? ~(word)0 : 0;
    greater |= equal & plane & ~wanted;
    equal &= ~(plane ^ wanted);
  }
  return greater | equal;
}

/*
 * Flips errors. mode 0: those whose counters reach the threshold, which are black; gray are those
 * that miss it by 3 at most. Mode 1: of the black ones, those that reach it; 2: of the gray ones.
 */
void bike_flip(word errors[static WORDS], word black[static WORDS], word gray[static WORDS],
               const planes counters[static WORDS], uint8_t threshold, uint8_t mode) {
flips:
  for (unsigned j = 0; j < WORDS; j++) {
    word reached = at_least(counters[j], threshold);
    word nearly = at_least(counters[j], (uint8_t)(threshold - 3)) & ~reached;
    word was_black = black[j], was_gray = gray[j];
    word all = mode == 0 ? ~(word)0 : mode == 1 ? was_black : was_gray;
    word last = j == WORDS - 1 ? LAST_MASK : ~(word)0;
    errors[j] ^= reached & all & last;
    black[j] = mode == 0 ? reached : was_black;
    gray[j] = mode == 0 ? nearly : was_gray;
  }
}

/* Returns the threshold for a syndrome. */
uint8_t bike_threshold(const word syndrome[static WORDS]) {
  uint16_t weight = 0;

weigh:
  for (unsigned j = 0; j < WORDS; j++) {
    word bits = syndrome[j] & (j == WORDS - 1 ? LAST_MASK : ~(word)0);
    uint16_t ones = 0;
  ones:
    for (int b = 0; b < WORD; b++) ones += (uint16_t)(bits >> b & 1);
    weight += ones;
  }
  uint64_t scaled = (uint64_t)(BASE + (uint32_t)weight * SLOPE) * RECIPROCAL;
  uint8_t found = (uint8_t)(scaled >> RECIPROCAL_SHIFT);
  return found > LEAST ? found : LEAST;
}
#endif
